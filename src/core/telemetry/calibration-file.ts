import { z } from 'zod'
import { EXIT, GateError } from '../kernel/errors.ts'
import type { CalibrationFile } from './calibration.ts'

const text = z.string().max(10_000)
const count = z.int().min(0)
const amount = z.number().min(0)
const spreadSchema = z.strictObject({ p50Us: count, p99Us: count, n: count })

const needSchema = z.strictObject({
  dialect: text,
  endpoint: z.enum(['completions', 'chat']),
  prompt: z.enum(['token_ids', 'text']),
  tokenRange: z.tuple([count, count]),
  milliRps: z.int().min(1),
  classes: z
    .array(z.strictObject({ name: text, weight: z.int().min(1), inputTokens: count, outputTokens: z.int().min(1) }))
    .min(1)
    .max(10_000),
})

const calibrationSchema: z.ZodType<CalibrationFile> = z.discriminatedUnion('made', [
  z.strictObject({
    schema: z.literal(1),
    made: z.literal(true),
    client: z.strictObject({
      machine: text,
      cpuModel: text,
      cores: z.int().min(1),
      kernel: text,
      node: text,
      clientSha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
    need: needSchema,
    measuredAt: text,
    seconds: amount,
    attempt: z.int().min(1),
    paced: z.strictObject({ requestsPerSecond: amount, eventsPerSecond: amount, cpuUsPerEvent: amount }),
    errors: z.strictObject({ ttft: spreadSchema, e2e: spreadSchema, decode: spreadSchema, sendLag: spreadSchema }),
    heavy: z.strictObject({ eventsPerSecond: amount, cpuUsPerEvent: amount, readDelayP50Us: count }),
  }),
  z.strictObject({
    schema: z.literal(1),
    made: z.literal(false),
    need: needSchema,
    measuredAt: text,
    cause: text,
  }),
])

/**
 * Reads calibration.json back.
 *
 * @throws GateError `calibration_damaged` (exit 4), naming the first field that is not as written
 */
export function parseCalibration(content: string, name = 'calibration.json'): CalibrationFile {
  let json: unknown
  try {
    json = JSON.parse(content)
  } catch (cause) {
    throw damaged(name, 'it is no JSON', cause)
  }
  const parsed = calibrationSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw damaged(name, `${issue?.path.join('.') || 'the whole file'}: ${issue?.message ?? 'not as written'}`)
}

function damaged(name: string, what: string, cause?: unknown): GateError {
  return new GateError({
    code: 'calibration_damaged',
    message: `${name}: ${what}`,
    hint: 'take the file from the run that wrote it, or run `calibrate` again',
    exitCode: EXIT.invalid,
    ...(cause === undefined ? {} : { cause }),
  })
}
