import type { Clock } from '../../app/ports/clock.ts'
import type { ReplayControl, ReplayOrder, ReplayOutcome } from '../../app/ports/replay.ts'
import type { Load } from '../../core/kernel/point.ts'
import type { EngineConnection } from '../system/engine-connection.ts'
import { Arrivals } from './arrivals.ts'
import { BodyQueue } from './body-queue.ts'
import { bodiesEvidence, ClientState } from './client-state.ts'
import { closedLoop } from './closed-loop.ts'
import { recordOf } from './ending.ts'
import { Flight } from './flight.ts'
import { Ledger } from './ledger.ts'
import type { LoopProgress, LoopTools } from './loop.ts'
import { openLoop } from './open-loop.ts'
import { loopTurn, Pacer } from './pacer.ts'
import { requestBody } from './request-body.ts'
import { openShapedTransport } from './shaped-transport.ts'

const SAMPLE_MS = 200
/** Bodies are built so far ahead of their due times. */
const AHEAD_US = 2_000_000
/** Connections are opened for the arrivals of so long a time. */
const SPARE_SECONDS = 0.25
const MOST_SPARE = 64

/** One point: see `Replay.run`. */
export async function runPoint(
  clock: Clock,
  connection: EngineConnection,
  order: ReplayOrder,
  control: ReplayControl,
  signal: AbortSignal,
): Promise<ReplayOutcome> {
  signal.throwIfAborted()
  await using transport = openShapedTransport(clock, connection, order.shape, order.targets, spareConnections(order))
  const nowUs = (): number => clock.nowUs() - order.originUs
  using flight = new Flight(order.shape, order.targets, transport, nowUs)
  using state = new ClientState()
  const run = new PointRun(clock, order, control, flight, state)
  const abort = (): void => run.breakOff(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const sampler = setInterval(() => run.sample(), SAMPLE_MS)
  try {
    return await run.measure()
  } finally {
    clearInterval(sampler)
    signal.removeEventListener('abort', abort)
  }
}

class PointRun {
  readonly #order: ReplayOrder
  readonly #control: ReplayControl
  readonly #flight: Flight
  readonly #ledger: Ledger
  readonly #bodies: BodyQueue
  readonly #arrivals: Arrivals
  readonly #clock: Clock
  readonly #state: ClientState
  readonly #halt = new AbortController()
  readonly #progress: LoopProgress
  #sent = 0
  #stopped: string | null = null
  #broken: { reason: unknown } | null = null

  constructor(clock: Clock, order: ReplayOrder, control: ReplayControl, flight: Flight, state: ClientState) {
    this.#clock = clock
    this.#state = state
    this.#order = order
    this.#control = control
    this.#flight = flight
    this.#arrivals = new Arrivals(order)
    this.#ledger = new Ledger(
      control,
      (reason) => {
        this.#stopped = reason
        this.#halt.abort()
      },
      (error) => this.breakOff(error),
    )
    this.#bodies = new BodyQueue({
      rows: this.#arrivals.rows,
      build: (row) => requestBody(order.shape, row),
      isNear: (index) => this.#isNear(index),
      nowUs: () => clock.nowUs(),
    })
    const begun = order.blocks[0]?.length ?? 0
    this.#progress = { next: 0, arrivalUs: 0, warmupRequests: 0, maximumReached: false, begun }
  }

  async measure(): Promise<ReplayOutcome> {
    this.sample()
    await this.#arrive()
    await this.#flight.landed()
    this.#ledger.flush()
    if (this.#broken) throw this.#broken.reason
    this.sample()
    const progress = this.#progress
    const launched = progress.warmupRequests + this.#sent
    return {
      cohortRequests: progress.begun,
      arrivalUs: progress.arrivalUs,
      cohortUs: this.#ledger.lastEndUs,
      maximumReached: progress.maximumReached,
      stoppedEarly: this.#stopped,
      warmupRequests: progress.warmupRequests,
      evidence: [bodiesEvidence(this.#bodies.late, launched)],
    }
  }

  /** Ends everything at once, for a reason that the run rejects with. What has ended is handed over before. */
  breakOff(reason: unknown): void {
    if (this.#broken) return
    this.#broken = { reason }
    this.#halt.abort()
    this.#flight.abandon()
  }

  sample(): void {
    if (this.#broken) return
    const atUs = this.#nowUs()
    const inFlight = this.#flight.inFlight
    const backlog = this.#flight.unsent + this.#overdue(atUs)
    try {
      this.#control.onSample({
        t: 'client',
        atUs,
        inFlight,
        backlog,
        sent: this.#sent,
        resolved: this.#ledger.resolved,
        ...this.#state.sample(),
      })
    } catch (error) {
      this.breakOff(error)
    }
  }

  async #arrive(): Promise<void> {
    const { load } = this.#order
    const tools = this.#tools()
    if ('openMilliRps' in load) await openLoop(tools, this.#progress, load.openMilliRps)
    else await closedLoop(tools, this.#progress, load.closedConcurrency)
  }

  #tools(): LoopTools {
    const { originUs, warmupUs, maximumDurationUs } = this.#order
    return {
      arrivals: this.#arrivals,
      bodies: this.#bodies,
      pacer: new Pacer(this.#clock, loopTurn),
      originUs,
      warmupUs,
      maximumDurationUs,
      nowUs: () => this.#nowUs(),
      launch: (index, dueUs, onEnd) => this.#launch(index, dueUs, onEnd),
      extend: () => this.#extend(),
      halt: this.#halt.signal,
    }
  }

  #launch(index: number, dueUs: number, onEnd?: () => void): void {
    const row = this.#arrivals.rows[index]
    if (!row) return
    const isCohort = this.#arrivals.isCohort(index)
    this.#flight.launch({
      row,
      body: () => this.#bodies.take(index),
      onSent: () => void (this.#sent += isCohort ? 1 : 0),
      onEnd: (ending, target) => {
        if (isCohort) this.#ledger.add(recordOf(row, dueUs, target.index, ending), ending.gapsUs)
        onEnd?.()
      },
    })
  }

  #extend(): boolean {
    this.#ledger.flush()
    if (this.#halt.signal.aborted) return false
    try {
      return this.#control.extend()
    } catch (error) {
      this.breakOff(error)
      return false
    }
  }

  /** Rows that are due and not dispatched. */
  #overdue(atUs: number): number {
    const { load } = this.#order
    if (!('openMilliRps' in load) || this.#halt.signal.aborted) return 0
    let index = this.#progress.next
    while (index < this.#arrivals.rows.length && this.#arrivals.dueUs(index, load.openMilliRps) <= atUs) index += 1
    return index - this.#progress.next
  }

  #isNear(index: number): boolean {
    const { load } = this.#order
    if (!('openMilliRps' in load)) return true
    return this.#arrivals.dueUs(index, load.openMilliRps) <= this.#nowUs() + AHEAD_US
  }

  #nowUs(): number {
    return this.#clock.nowUs() - this.#order.originUs
  }
}

function spareConnections({ load, targets }: { load: Load; targets: readonly unknown[] }): number {
  const wanted = 'openMilliRps' in load ? (load.openMilliRps / 1000) * SPARE_SECONDS : load.closedConcurrency
  return Math.min(MOST_SPARE, 2 + Math.ceil(wanted / targets.length))
}
