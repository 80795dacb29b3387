import { z } from 'zod'
import { REQUIREMENTS } from './requirement.ts'
import type { SignOff } from './sign-off.ts'
import { testResultSchema } from './test-result-schema.ts'

const line = z.string().max(100_000)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const list = <T extends z.ZodType>(item: T) => z.array(item).max(10_000)

const requirementResultSchema = z.looseObject({
  requirement: z.enum(REQUIREMENTS),
  status: z.enum(['passed', 'warned', 'waived', 'failed', 'invalid', 'undecided', 'missing']),
  text: line,
  evidence: list(
    z.looseObject({ source: line, sha256, outcome: line, measuredAt: line, url: line.nullable(), text: line }),
  ),
  waiver: z.looseObject({ by: line, reason: line, expires: line }).nullable(),
})

const subjectSchema = z.looseObject({
  name: line,
  digest: sha256,
  kind: z.enum(['image', 'subject_hash']),
  subjectSha256: sha256,
  engine: line,
  version: line,
})

/** A sign-off as an in-toto test-result predicate. What the type has no field for stands in `capacityGateSignOff`. */
export interface SignOffPredicate {
  result: SignOff['result']
  /** Resource descriptors. */
  configuration: object[]
  url?: string
  passedTests?: string[]
  warnedTests?: string[]
  failedTests?: string[]
  capacityGateSignOff: Omit<SignOff, 'result' | 'configuration'> & { schema: 1; toolVersion: string }
}

export const signOffSchema: z.ZodType<SignOffPredicate> = testResultSchema.extend({
  capacityGateSignOff: z.looseObject({
    schema: z.literal(1),
    toolVersion: line,
    subject: subjectSchema.nullable(),
    gateId: line.nullable(),
    experimentSha256: sha256.nullable(),
    simulated: z.boolean(),
    signedAt: line,
    expiresOn: line,
    maxAgeDays: z.int().min(1),
    requirements: list(requirementResultSchema).min(1),
    refusals: list(z.looseObject({ source: line, code: line, text: line })),
    notes: list(line),
    approval: z.looseObject({ environment: line, by: list(line) }).nullable(),
    packsFrom: z.looseObject({ url: line, event: line, branch: line, commit: line }).nullable(),
  }),
})
