import type { RequestShape } from '../../src/app/ports/replay.ts'
import { dialectFor } from '../../src/core/dialect/choose.ts'
import { dueUs } from '../../src/core/kernel/point.ts'
import { exponentialGapUs } from '../../src/core/schedule/arrivals.ts'
import { randomStream } from '../../src/core/schedule/random.ts'
import type { ScheduleRow } from '../../src/core/schedule/schedule.ts'
import { requestId } from '../../src/core/schedule/schedule.ts'
import { workedExample } from '../../test/unit/schedule/worked-example.ts'

export const INPUT_TOKENS = 24

/** A request of the minimal client's: when it is due, microseconds from the cohort's start; before it for the warm-up. */
export interface Arrival {
  id: string
  dueUs: number
  tokens: number
}

/** Rows at one request a second: with exponential gaps drawn from `seed`, or all a second apart. */
export function benchRows(kind: 'r' | 'w', count: number, outputTokens: number, seed: string | null): ScheduleRow[] {
  const random = randomStream(`bench ${kind} ${seed}`)
  let offsetUs = 0
  return Array.from({ length: count }, (_, index) => {
    offsetUs += seed === null ? 1_000_000 : exponentialGapUs(random)
    return { id: requestId(kind, index + 1), class: 'bench', offsetUs, inputTokens: INPUT_TOKENS, outputTokens }
  })
}

/** The same due times as the replay's. */
export function arrivalsOf(rows: readonly ScheduleRow[], milliRps: number, fromUs: number): Arrival[] {
  return rows.map(({ id, offsetUs, outputTokens }) => {
    return { id, dueUs: fromUs + dueUs(offsetUs, milliRps), tokens: outputTokens }
  })
}

/** Token-id prompts to a vLLM, as the worked example asks for them. */
export function benchShape(): RequestShape {
  const example = workedExample()
  const manifest = { ...example, engine: { ...example.engine, name: 'vllm', version: '0.32.0' } }
  const header = { version: 1, cache: 'cold', generator: 'poisson-1', seed: 1, prefixes: [] } as const
  const counts = { initialRequests: 1, extensionRequests: 0, blockRequests: 0, warmupSeed: 2 }
  return { manifest, dialect: dialectFor(manifest), header: { ...header, ...counts }, epoch: 1 }
}
