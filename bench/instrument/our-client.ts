import { createReplay } from '../../src/adapters/replay/replay.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { Load } from '../../src/core/kernel/point.ts'
import type { ScheduleRow } from '../../src/core/schedule/schedule.ts'
import { benchShape } from './requests.ts'

/** Microseconds of the monotonic clock. */
export interface ClientTimes {
  id: string
  dueUs: number
  sentUs: number
  firstUs: number
  lastUs: number
}

export interface ClientRun {
  /** Of the cohort's requests that ended well. */
  times: ClientTimes[]
  /** Token events that were read and CPU that was used, warm-up included. */
  events: number
  cpuUs: number
  /** From the first arrival to the last end, warm-up included. */
  wallUs: number
  /** Requests that did not end well, by error code. */
  failures: Map<string, number>
}

export interface OurOrder {
  url: string
  load: Load
  warmup?: readonly ScheduleRow[]
  warmupUs?: number
  blocks: readonly (readonly ScheduleRow[])[]
  /** Times are not kept: for more requests than anybody looks at. */
  countsOnly?: boolean
  /** Called when every row of a block was dispatched. */
  onBlock?: () => void
}

const LEAD_US = 250_000
const clock = systemClock()

/** This project's load generator, on the same clock as the truth. */
export async function runOurs(order: OurOrder): Promise<ClientRun> {
  const warmup = order.warmup ?? []
  const warmupUs = order.warmupUs ?? 0
  const originUs = clock.nowUs() + LEAD_US + warmupUs
  const run: ClientRun = { times: [], events: 0, cpuUs: 0, wallUs: 0, failures: new Map() }
  const before = process.cpuUsage()
  const replay = createReplay(clock)
  const outcome = await replay.run(
    {
      shape: benchShape(),
      targets: [{ index: 0, url: order.url }],
      load: order.load,
      originUs,
      warmup,
      warmupUs,
      blocks: order.blocks,
      maximumDurationUs: 3_600_000_000,
    },
    {
      onRecord({ id, status, errorCode, dueUs, sentUs, firstTokenUs, lastTokenUs, chunks }) {
        run.events += chunks
        if (status !== 'ok') run.failures.set(errorCode ?? status, (run.failures.get(errorCode ?? status) ?? 0) + 1)
        if (status !== 'ok' || order.countsOnly) return
        const at = (us: number | null) => originUs + (us ?? Number.NaN)
        const [sent, first, last] = [at(sentUs), at(firstTokenUs), at(lastTokenUs)]
        run.times.push({ id, dueUs: originUs + dueUs, sentUs: sent, firstUs: first, lastUs: last })
      },
      onSample() {},
      extend() {
        order.onBlock?.()
        return true
      },
      stop: () => null,
    },
    new AbortController().signal,
  )
  const { user, system } = process.cpuUsage(before)
  const warmEvents = warmup.slice(0, outcome.warmupRequests).reduce((sum, row) => sum + row.outputTokens, 0)
  return { ...run, events: run.events + warmEvents, cpuUs: user + system, wallUs: outcome.cohortUs + warmupUs }
}

/** Throws when a request of a run failed: what is compared must be whole. */
export function mustBeWhole(run: ClientRun): ClientRun {
  if (run.failures.size === 0) return run
  const failures = [...run.failures].map(([code, count]) => `${count} × ${code}`)
  throw new Error(`requests failed: ${failures.join(', ')}`)
}
