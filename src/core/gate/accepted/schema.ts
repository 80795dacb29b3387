import { z } from 'zod'

/** The file of accepted losses. Its losses are few: a list that nobody reads through is no review. */
const ACCEPTED_LOSSES_MAX = 100

const rate = z.number().positive()
const text = z.string().min(1)

const acceptedLossSchema = z.strictObject({
  gate: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
    .describe("the gate's id, as the comment and capacity.json name it: lower-case letters, digits and hyphens."),
  subject: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("the subject's SHA-256, as the comment and capacity.json name it: 64 lower-case hex digits."),
  cache: z.enum(['cold', 'warm']).describe('the cache state that lost capacity: cold or warm.'),
  guard_rps: rate.describe('the guard rate that is missed, in requests a second.'),
  floor_rps: rate.describe('what must be carried instead, in requests a second.'),
  reason: text.max(2000).describe('why the loss is worth it.'),
  accepted_by: text.max(200).describe('who accepts it.'),
  expires: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .describe('the last day on which it holds, UTC: YYYY-MM-DD.'),
})

export type AcceptedLossEntry = z.infer<typeof acceptedLossSchema>

export const acceptedFileSchema = z.strictObject({
  losses: z.array(acceptedLossSchema).max(ACCEPTED_LOSSES_MAX).describe('the accepted losses, one an entry.'),
})
