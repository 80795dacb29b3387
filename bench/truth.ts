import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { RequestShape } from '../src/app/ports/replay.ts'
import { dialectFor } from '../src/core/dialect/choose.ts'
import { randomStream } from '../src/core/schedule/random.ts'
import { exponentialGapUs } from '../src/core/schedule/arrivals.ts'
import type { ScheduleRow } from '../src/core/schedule/schedule.ts'
import { requestId } from '../src/core/schedule/schedule.ts'
import { nearestRank } from '../src/core/slo/percentile.ts'
import { workedExample } from '../test/unit/schedule/worked-example.ts'
import type { Truth, TruthPlan } from './truth-server.ts'

/** The truth server in a process of its own. */
export interface TruthServer extends Disposable {
  url: string
  /** What it logged since it was asked last, by request id. */
  log(): Promise<Map<string, Truth>>
}

export async function startTruthServer(plan: TruthPlan): Promise<TruthServer> {
  const child = fork(join(import.meta.dirname, 'truth-server.ts'), [JSON.stringify(plan)])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}`,
    async log() {
      child.send('log')
      const [{ log }] = (await once(child, 'message')) as [{ log: Truth[] }]
      return new Map(log.map((truth) => [truth.id, truth]))
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}

/** Rows with exponential gaps, all of 24 tokens in. */
export function benchRows(count: number, outputTokens: number, kind: string): ScheduleRow[] {
  const random = randomStream(`bench ${kind}`)
  let offsetUs = 0
  return Array.from({ length: count }, (_, index) => {
    offsetUs += exponentialGapUs(random)
    return { id: requestId(kind, index + 1), class: 'bench', offsetUs, inputTokens: 24, outputTokens }
  })
}

export function benchShape(): RequestShape {
  const manifest = workedExample()
  const header = { version: 1, cache: 'cold', generator: 'poisson-1', seed: 1, prefixes: [] } as const
  const counts = { initialRequests: 1, extensionRequests: 0, blockRequests: 0, warmupSeed: 2 }
  return { manifest, dialect: dialectFor(manifest), header: { ...header, ...counts }, epoch: 1 }
}

/** p50 and p99 of microseconds, in milliseconds. */
export function spread(valuesUs: readonly number[]): { p50: number; p99: number } {
  const ascending = Float64Array.from(valuesUs).sort()
  const at = (share: number) => (nearestRank(ascending, share) ?? Number.NaN) / 1000
  return { p50: at(0.5), p99: at(0.99) }
}

export function showSpread({ p50, p99 }: { p50: number; p99: number }): string {
  return `p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`
}
