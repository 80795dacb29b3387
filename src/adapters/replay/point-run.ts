import type { Clock } from '../../app/ports/clock.ts'
import type { ReplayControl, ReplayOrder, ReplayOutcome } from '../../app/ports/replay.ts'
import type { Load } from '../../core/kernel/point.ts'
import { stampToleranceUs } from '../../core/telemetry/stamp-tolerance.ts'
import type { EngineConnection } from '../system/engine-connection.ts'
import type { Alarm } from './alarm.ts'
import { ThreadAlarm } from './alarm.ts'
import { Arrivals } from './arrivals.ts'
import { ClientState } from './client-state.ts'
import { closedLoop } from './closed-loop.ts'
import { Dispatch } from './dispatch.ts'
import { Flight } from './flight.ts'
import { Ledger } from './ledger.ts'
import type { LoopProgress, LoopTools } from './loop.ts'
import { openLoop } from './open-loop.ts'
import { loopTurn, Pacer } from './pacer.ts'
import { openShapedTransport } from './shaped-transport.ts'
import { Waker } from './waker.ts'

const SAMPLE_MS = 200
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
  using flight = new Flight(order.shape, order.targets, transport, nowUs, connection.secrets)
  using state = new ClientState(stampToleranceUs(order.shape.manifest), () => clock.nowUs())
  await using alarm = new ThreadAlarm()
  const run = new PointRun(clock, order, control, flight, state, alarm)
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
  readonly #dispatch: Dispatch
  readonly #arrivals: Arrivals
  readonly #clock: Clock
  readonly #state: ClientState
  readonly #alarm: Alarm
  readonly #halt = new AbortController()
  readonly #waker = new Waker(this.#halt.signal)
  readonly #progress: LoopProgress
  #isArriving = true
  #stopped: string | null = null
  #broken: { reason: unknown } | null = null

  constructor(
    clock: Clock,
    order: ReplayOrder,
    control: ReplayControl,
    flight: Flight,
    state: ClientState,
    alarm: Alarm,
  ) {
    this.#clock = clock
    this.#state = state
    this.#alarm = alarm
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
    this.#dispatch = new Dispatch({
      clock,
      order,
      flight,
      arrivals: this.#arrivals,
      onReady: () => this.#waker.wake(),
      onRecord: (record, chunks) => this.#ledger.add(record, chunks),
    })
    const begun = order.blocks[0]?.length ?? 0
    const counts = { arrivalUs: 0, warmupRequests: 0, begun }
    this.#progress = { next: 0, isOpen: true, maximumReached: false, ...counts }
  }

  async measure(): Promise<ReplayOutcome> {
    this.sample()
    await this.#arrive()
    this.#isArriving = false
    await this.#flight.landed()
    this.#ledger.flush()
    if (this.#broken) throw this.#broken.reason
    this.sample()
    const progress = this.#progress
    return {
      cohortRequests: progress.begun,
      arrivalUs: progress.arrivalUs,
      cohortUs: this.#ledger.lastEndUs,
      maximumReached: progress.maximumReached,
      stoppedEarly: this.#stopped,
      warmupRequests: progress.warmupRequests,
      evidence: this.#dispatch.evidence(),
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
        sent: this.#dispatch.sent,
        resolved: this.#ledger.resolved,
        ...this.#state.sample(),
      })
    } catch (error) {
      this.breakOff(error)
    }
  }

  async #arrive(): Promise<void> {
    const { load, shape } = this.#order
    const tools = this.#tools()
    if ('openMilliRps' in load) return openLoop(tools, this.#progress, load.openMilliRps)
    const thinkUs = Math.round(shape.manifest.client.closed_loop_think_seconds * 1e6)
    return closedLoop(tools, this.#progress, { concurrency: load.closedConcurrency, thinkUs })
  }

  #tools(): LoopTools {
    const { originUs, warmupUs, maximumDurationUs } = this.#order
    const { bodies, turns } = this.#dispatch
    return {
      arrivals: this.#arrivals,
      turns,
      waker: this.#waker,
      idle: bodies,
      pacer: new Pacer(this.#clock, loopTurn, this.#alarm),
      originUs,
      warmupUs,
      maximumDurationUs,
      nowUs: () => this.#nowUs(),
      launch: (index, dueUs, onEnd) => this.#dispatch.launch(index, dueUs, onEnd),
      setAside: (index) => bodies.setAside(index),
      extend: () => this.#extend(),
      halt: this.#halt.signal,
    }
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

  #overdue(atUs: number): number {
    if (!this.#isArriving || this.#halt.signal.aborted) return 0
    const { isOpen, next } = this.#progress
    return this.#dispatch.overdue(atUs, isOpen ? next : this.#arrivals.rows.length)
  }

  #nowUs(): number {
    return this.#clock.nowUs() - this.#order.originUs
  }
}

function spareConnections({ load, targets }: { load: Load; targets: readonly unknown[] }): number {
  const wanted = 'openMilliRps' in load ? (load.openMilliRps / 1000) * SPARE_SECONDS : load.closedConcurrency
  return Math.min(MOST_SPARE, 2 + Math.ceil(wanted / targets.length))
}
