import { z } from 'zod'
import { EXIT, GateError } from '../kernel/errors.ts'
import type { TelemetryLine } from './line.ts'
import { machineSeenSchema } from './machine-schema.ts'

const microseconds = z.int()
const count = z.int().min(0)
const replica = z.int().min(0)
const text = z.string()
const blames = z.enum(['engine', 'client', 'host'])

const keySchema = z.strictObject({
  cache: z.enum(['cold', 'warm']),
  load: z.union([
    z.strictObject({ openMilliRps: z.int().min(1) }),
    z.strictObject({ closedConcurrency: z.int().min(1) }),
  ]),
  repeat: z.int().min(1),
})

const factsSchema = z.strictObject({
  schema: z.literal(1),
  key: keySchema,
  epoch: count,
  scheduleSha256: text,
  deployId: text,
  dialect: text,
  /** None where the engine did not start. */
  replicas: count,
  cohortRequests: count,
  arrivalUs: count,
  cohortUs: count,
  maximumReached: z.boolean(),
  stoppedEarly: text.nullable(),
  warmupRequests: count,
})

const evidenceSchema = z.strictObject({
  probe: text,
  state: z.enum(['pass', 'fail', 'unknown']),
  required: z.boolean(),
  blames,
  value: z.exactOptional(z.number()),
  limit: z.exactOptional(z.number()),
  unit: z.exactOptional(text),
  text: z.exactOptional(text),
  file: z.exactOptional(text),
  sha256: z.exactOptional(text),
})

const lineSchema: z.ZodType<TelemetryLine> = z.discriminatedUnion('t', [
  z.strictObject({ t: z.literal('point'), facts: factsSchema }),
  z.strictObject({
    t: z.literal('client'),
    atUs: microseconds,
    inFlight: count,
    backlog: count,
    sent: count,
    resolved: count,
    loopStallUs: count,
    loopBlindUs: z.exactOptional(count),
    gcMaxUs: count,
    gcUs: count,
    cpuUs: count,
  }),
  z.strictObject({ t: z.literal('engine'), atUs: microseconds, replica, values: z.record(z.string(), z.number()) }),
  z.strictObject({ t: z.literal('gap'), atUs: microseconds, replica, error: text }),
  z.strictObject({ t: z.literal('machine'), atUs: microseconds, seen: machineSeenSchema }),
  z.strictObject({
    t: z.literal('event'),
    atUs: microseconds,
    replica: replica.nullable(),
    kind: text,
    blames,
    text,
  }),
  z.strictObject({ t: z.literal('evidence'), evidence: evidenceSchema }),
])

/** telemetry.jsonl: a line a line. The first must be the point's facts. */
export function encodeTelemetry(lines: Iterable<TelemetryLine>): string {
  const written: string[] = []
  for (const line of lines) written.push(`${JSON.stringify(line)}\n`)
  return written.join('')
}

/**
 * Reads what `encodeTelemetry` wrote.
 *
 * @throws GateError `telemetry_damaged` (exit 4) with the line, for anything else
 */
export function parseTelemetry(content: string): TelemetryLine[] {
  const lines = content.split('\n')
  if (lines.at(-1) !== '') throw damaged(lines.length, 'it does not end with a line feed: the file was cut')
  lines.pop()
  if (lines.length === 0) throw damaged(1, 'the file is empty')
  return lines.map((line, index) => {
    let json: unknown
    try {
      json = JSON.parse(line)
    } catch (cause) {
      throw damaged(index + 1, 'it is no JSON', cause)
    }
    const parsed = lineSchema.safeParse(json)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      throw damaged(index + 1, `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'not as written'}`)
    }
    if (index === 0 && parsed.data.t !== 'point') throw damaged(1, 'it does not hold the point’s facts')
    return parsed.data
  })
}

function damaged(line: number, what: string, cause?: unknown): GateError {
  return new GateError({
    code: 'telemetry_damaged',
    message: `telemetry.jsonl.gz, line ${line}: ${what}`,
    hint: 'take the file from the run that wrote it',
    exitCode: EXIT.invalid,
    ...(cause === undefined ? {} : { cause }),
  })
}
