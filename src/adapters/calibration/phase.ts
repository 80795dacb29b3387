import type { Clock } from '../../app/ports/clock.ts'
import type { Replica } from '../../app/ports/engine.ts'
import type { Replay, ReplayControl, ReplayOrder, RequestShape } from '../../app/ports/replay.ts'
import type { RequestRecord } from '../../core/record/record.ts'
import type { ScheduleRow } from '../../core/schedule/schedule.ts'
import type { HeavyPhase, PacedPhase } from '../../core/telemetry/calibration-plan.ts'
import type { Truth } from './null-server.ts'
import type { NullServerProcess } from './null-server-process.ts'

/** Time for connections to be opened and first bodies to be built. */
const LEAD_US = 200_000
const LONGEST_US = 60_000_000

export interface Phase {
  order: ReplayOrder
  /** Every row that may be sent. */
  rows: readonly ScheduleRow[]
}

/** What a phase came to. */
export interface Observed {
  /** The cohort's requests, as the client and as the server saw them. */
  pairs: { record: RequestRecord; truth: Truth }[]
  /** The record's times are from here on the clock of the truths. */
  originUs: number
  /** Requests that failed, or that the server does not know. */
  lost: number
  errorCodes: string[]
  /** Of all requests, the warm-up's too, and the processor time that they took. */
  events: number
  cpuUs: number
}

/** Arrivals at a rate. */
export function pacedOrder(shape: RequestShape, target: Replica, phase: PacedPhase, atUs: number): Phase {
  const { milliRps, warmup, warmupUs, rows } = phase
  const originUs = atUs + LEAD_US + warmupUs
  const load = { openMilliRps: milliRps }
  const order = {
    shape,
    targets: [target],
    load,
    originUs,
    warmup,
    warmupUs,
    blocks: [rows],
    maximumDurationUs: LONGEST_US,
  }
  return { order, rows: [...warmup, ...rows] }
}

/** So many streams at a time: a request follows where one ended. */
export function heavyOrder(shape: RequestShape, target: Replica, phase: HeavyPhase, atUs: number): Phase {
  const { concurrency, durationUs, rows } = phase
  const load = { closedConcurrency: concurrency }
  const order = {
    shape,
    targets: [target],
    load,
    originUs: atUs + LEAD_US,
    warmup: [],
    warmupUs: 0,
    blocks: [rows],
    maximumDurationUs: durationUs,
  }
  return { order, rows }
}

/** Replays a phase, and puts the client's records beside the server's truths. */
export async function runPhase(
  { clock, replay }: { clock: Clock; replay: Replay },
  server: NullServerProcess,
  makeOrder: (atUs: number) => Phase,
  signal: AbortSignal,
): Promise<Observed> {
  const { rows } = makeOrder(0)
  await server.order(rows.map(({ id, outputTokens }) => [id, outputTokens] as const))
  const records: RequestRecord[] = []
  const { order } = makeOrder(clock.nowUs())
  const before = process.cpuUsage()
  await replay.run(order, collecting(records), signal)
  const { user, system } = process.cpuUsage(before)
  const truths = new Map((await server.log()).map((truth) => [truth.id, truth]))
  const pairs = records.flatMap((record) => {
    const truth = truths.get(record.id)
    return truth && record.status === 'ok' ? [{ record, truth }] : []
  })
  const failed = records.filter(({ status }) => status !== 'ok')
  return {
    pairs,
    originUs: order.originUs,
    lost: records.length - pairs.length,
    errorCodes: failed.map(({ status, errorCode }) => errorCode ?? status),
    events: [...truths.values()].reduce((sum, { tokens }) => sum + tokens, 0),
    cpuUs: user + system,
  }
}

function collecting(records: RequestRecord[]): ReplayControl {
  return {
    onRecord: (record) => void records.push(record),
    onSample() {},
    extend: () => false,
    stop: () => null,
  }
}
