import { z } from 'zod'
import { REQUIREMENTS } from './requirement.ts'

const described = <T extends z.ZodType>(schema: T, description: string): T => schema.meta({ description }) as T
const text = z.string().min(1)

const waiverSchema = z.strictObject({
  requirement: described(z.enum(REQUIREMENTS), 'What is waived: cold, warm, drill or parity.'),
  subject: described(
    z.string().regex(/^(?:(?:[^\s@]+@)?sha256:)?[0-9a-f]{64}$/),
    'The one subject that it is for: its hash or its image’s digest, sha256:<64 hex digits>.',
  ),
  by: described(text, 'Who answers for it.'),
  reason: described(text, 'Why it may be missing or lost.'),
  expires: described(z.string().regex(/^\d{4}-\d{2}-\d{2}$/), 'Its last day (UTC), as YYYY-MM-DD.'),
})

/** `.capacity-gate/sign-off.yaml`: what a release must show, how old that may be, how long a sign-off holds, and what is waived. */
export const policySchema = z.strictObject({
  requires: described(
    z.array(z.enum(REQUIREMENTS)).min(1).max(REQUIREMENTS.length).default(['cold', 'warm']),
    'What the release must show: some of cold, warm, drill, parity; cold and warm where nothing is said.',
  ),
  max_age_days: described(z.int().min(1).max(365).default(30), 'The oldest evidence that counts, in days.'),
  valid_days: described(z.int().min(1).max(365).default(90), 'How long a sign-off holds, in days.'),
  waivers: described(z.array(waiverSchema).max(100).default([]), 'What may be missing or lost, each by name.'),
})

export type Policy = z.output<typeof policySchema>
export type Waiver = Policy['waivers'][number]
