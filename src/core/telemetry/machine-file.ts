import { z } from 'zod'
import { EXIT, GateError } from '../kernel/errors.ts'
import type { MachineState } from './machine-line.ts'
import { machineStateSchema } from './machine-schema.ts'

/** machine.json: the machine before anything was deployed. */
export interface MachineFile {
  schema: 1
  /** ISO 8601, UTC. */
  lookedAt: string
  state: MachineState
}

const machineFileSchema: z.ZodType<MachineFile> = z.strictObject({
  schema: z.literal(1),
  lookedAt: z.string().max(100),
  state: machineStateSchema,
})

/**
 * Reads machine.json back.
 *
 * @throws GateError `machine_damaged` (exit 4), naming the first field that is not as written
 */
export function parseMachineFile(content: string, name = 'machine.json'): MachineFile {
  let json: unknown
  try {
    json = JSON.parse(content)
  } catch (cause) {
    throw damaged(name, 'it is no JSON', cause)
  }
  const parsed = machineFileSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw damaged(name, `${issue?.path.join('.') || 'the whole file'}: ${issue?.message ?? 'not as written'}`)
}

function damaged(name: string, what: string, cause?: unknown): GateError {
  return new GateError({
    code: 'machine_damaged',
    message: `${name}: ${what}`,
    hint: 'take the file from the run that wrote it',
    exitCode: EXIT.invalid,
    ...(cause === undefined ? {} : { cause }),
  })
}
