import type { Dialect, DialectInput } from './dialect.ts'
import { DYNAMO } from './dynamo-table.ts'
import { FIXTURE } from './fixture-table.ts'
import { LLAMA_CPP_PYTHON } from './llama-cpp-python-table.ts'
import { LLAMA_SERVER } from './llama-server-table.ts'
import { LLM_D_SIM } from './llm-d-sim-table.ts'
import { OPENAI } from './openai-table.ts'
import { overridden, OVERRIDE_MARK, readOverride } from './override.ts'
import { SGLANG } from './sglang-table.ts'
import { TENSORRT_LLM } from './tensorrt-llm-table.ts'
import { VLLM } from './vllm-table.ts'

export const DIALECTS: readonly Dialect[] = [
  VLLM,
  SGLANG,
  TENSORRT_LLM,
  LLAMA_SERVER,
  LLAMA_CPP_PYTHON,
  DYNAMO,
  LLM_D_SIM,
  OPENAI,
  FIXTURE,
]

export const DIALECT_IDS: readonly string[] = DIALECTS.map((dialect) => dialect.id)

/** The table of a name or an alias; undefined where there is none. */
export function dialectNamed(name: string | undefined): Dialect | undefined {
  const lower = name?.toLowerCase()
  return DIALECTS.find(({ id, names }) => id === lower || (lower !== undefined && names.includes(lower)))
}

/**
 * The dialect that `engine.dialect` names, or states as a base and what differs from it; else the one of the engine's own name, else the
 * generic OpenAI one. The id of an overridden one names its base.
 */
export function dialectFor(input: { engine: { name?: string | undefined; dialect?: unknown } }): Dialect {
  const { dialect, name } = input.engine
  const override = typeof dialect === 'string' ? null : readOverride(dialect)
  const base = typeof dialect === 'string' ? dialect.split(OVERRIDE_MARK, 1)[0] : override?.base
  const table = dialectNamed(base) ?? dialectNamed(name) ?? OPENAI
  return override === null ? table : overridden(table, override)
}

/** What the dialect reads of a manifest's environment: how long an idle connection may be reused, in milliseconds, with a margin. */
export function idleConnectionMs(dialect: Dialect, environment: Readonly<Record<string, string>>): number {
  const name = dialect.connection.environmentSeconds
  const seconds = name === null ? Number.NaN : Number(environment[name] ?? Number.NaN)
  const closesAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : dialect.connection.closesAfterMs
  // A connection is reused for at most four fifths of its life: a request must not cross the engine's close on the wire.
  return Math.floor(closesAfterMs * 0.8)
}

/** True for a manifest of an engine that is itself a simulation. */
export function isSimulated(input: Pick<DialectInput, 'engine'>): boolean {
  return dialectFor(input).simulated
}
