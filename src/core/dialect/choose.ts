import type { Dialect, DialectInput } from './dialect.ts'
import { FIXTURE } from './fixture-table.ts'
import { OPENAI } from './openai-table.ts'
import { VLLM } from './vllm-table.ts'

export const DIALECTS: readonly Dialect[] = [VLLM, OPENAI, FIXTURE]

export const DIALECT_IDS: readonly string[] = DIALECTS.map((dialect) => dialect.id)

/** The dialect that `engine.dialect` names, else the one of the engine's own name, else the generic OpenAI one. */
export function dialectFor(input: { engine: { name?: string | undefined; dialect?: string | undefined } }): Dialect {
  const named = (id: string | undefined) => DIALECTS.find((dialect) => dialect.id === id?.toLowerCase())
  return named(input.engine.dialect) ?? named(input.engine.name) ?? OPENAI
}

/** What the dialect reads of a manifest's environment: how long an idle connection may be reused, in milliseconds, with a margin. */
export function idleConnectionMs(dialect: Dialect, environment: Readonly<Record<string, string>>): number {
  const name = dialect.connection.environmentSeconds
  const seconds = name === null ? Number.NaN : Number(environment[name] ?? Number.NaN)
  const closesAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : dialect.connection.closesAfterMs
  // A connection is reused for at most four fifths of its life: a request must not cross the engine's close on the wire.
  return Math.floor(closesAfterMs * 0.8)
}

/** True for a manifest of the embedded engine. */
export function isSimulated(input: Pick<DialectInput, 'engine'>): boolean {
  return dialectFor(input).simulated
}
