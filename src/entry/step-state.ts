import { z } from 'zod'
import { ownIdentity, pidSpace } from '../adapters/system/process-table.ts'
import type { ActionDesk } from './action-desk.ts'

/**
 * What a step that measures leaves for its own post step, by the runner's state and so by nothing on this machine's disks: whom to look
 * for, and what a comment is known by. No secret is in it; the post step has its own inputs.
 */
const runSchema = z.strictObject({
  gateId: z.string().min(1).max(1000),
  startedAt: z.string().max(40),
  pid: z.int().min(2),
  started: z.string().max(100),
  container: z.string().max(200),
})
export type StepRun = z.infer<typeof runSchema>

/** How a step came to its end; a post step that finds none was left without a word. */
const endSchema = z.enum(['ended', 'interrupted'])
export type StepEnd = z.infer<typeof endSchema>

const RUN = 'run'
const END = 'end'

type Desk = Pick<ActionDesk, 'saveState' | 'screen'>

/** From here on the step measures. */
export async function saveRun(desk: Desk, gateId: string): Promise<void> {
  const { container } = pidSpace()
  const run: StepRun = { gateId, startedAt: new Date().toISOString(), ...(await ownIdentity()), container }
  save(desk, RUN, JSON.stringify(run))
}

export function saveEnd(desk: Desk, end: StepEnd): void {
  save(desk, END, end)
}

/** A word that cannot be kept is no reason to fail. */
function save(desk: Desk, name: string, value: string): void {
  try {
    desk.saveState(name, value)
  } catch (error) {
    desk.screen.write(`the step’s state could not be kept: ${error instanceof Error ? error.message : String(error)}\n`)
  }
}

export interface StepState {
  /** Null: the step did not come to measuring. */
  run: StepRun | null
  /** Null: it left no word. */
  end: StepEnd | null
}

/** What the step before left; what is not of the very form that is saved was not saved. */
export function readStepState(get: (name: string) => string): StepState {
  return { run: parsed(runSchema, () => JSON.parse(get(RUN))), end: parsed(endSchema, () => get(END)) }
}

function parsed<T>(schema: z.ZodType<T>, read: () => unknown): T | null {
  try {
    return schema.parse(read())
  } catch {
    return null
  }
}
