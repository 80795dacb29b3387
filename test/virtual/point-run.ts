import type { ReplayControl, ReplayOrder, ReplayOutcome } from '../../src/app/ports/replay.ts'
import { UNDISTURBED } from '../fakes/client-watch.ts'
import type { Arrival } from '../fakes/fake-arrivals.ts'
import { FakeArrivals, replicaChooser } from '../fakes/fake-arrivals.ts'
import { chunksOf, endedRecord, prefixTokensOf } from './ended-request.ts'
import type { EndedRequest } from './ended-request.ts'
import { InFlight } from './in-flight.ts'
import type { Mishaps } from './in-flight.ts'
import type { Ticker, VirtualEngine } from './virtual-engine.ts'

const SAMPLE_US = 1_000_000

export interface PointRunInit {
  engine: VirtualEngine
  order: ReplayOrder
  control: ReplayControl
  /** Tells the clock how far the point has come. */
  onTime(atUs: number): void
  mishaps: Mishaps
  /** Open loop: how much later than due every row is sent, by a client that has fallen behind. */
  sendLagUs: number
}

/** One point in virtual time. Nothing waits: the whole point is done when `run` returns. */
export class PointRun {
  readonly #init: PointRunInit
  readonly #flight: InFlight
  readonly #arrivals: FakeArrivals
  readonly #isOpenLoop: boolean
  readonly #ticker: Ticker
  #nowUs: number
  #sent = 0
  #resolved = 0

  constructor(init: PointRunInit) {
    const { engine, order, control } = init
    const { client } = order.shape.manifest
    this.#init = init
    this.#isOpenLoop = 'openMilliRps' in order.load
    this.#nowUs = order.originUs - order.warmupUs
    this.#arrivals = new FakeArrivals(order, control, (arrival) => this.#launch(arrival))
    const firstToken = client.first_token_timeout_seconds
    this.#flight = new InFlight({
      engine,
      deadlines: {
        wholeUs: Math.round(client.request_timeout_seconds * 1e6),
        firstTokenUs: firstToken === undefined ? null : Math.round(firstToken * 1e6),
      },
      prefixTokens: prefixTokensOf(order.shape.header),
      mishaps: init.mishaps,
      replicaOf: replicaChooser(order, engine.replicas.length),
      originUs: order.originUs,
      onEnd: (ended, isCohort) => this.#ended(ended, isCohort),
    })
    this.#ticker = { nextUs: this.#nowUs, everyUs: SAMPLE_US, fire: (atUs) => this.#sample(atUs) }
  }

  /** `check` is asked every virtual second and throws to break the point off. */
  run(check: () => void): ReplayOutcome {
    const { engine } = this.#init
    engine.addTicker(this.#ticker)
    const watch: Ticker = { nextUs: this.#nowUs, everyUs: SAMPLE_US, fire: check }
    engine.addTicker(watch)
    try {
      while (this.#step());
      this.#arrivals.finish()
      this.#sample(this.#nowUs)
    } finally {
      engine.limitUs = Infinity
      engine.removeTicker(this.#ticker)
      engine.removeTicker(watch)
      this.#flight.abandon(this.#nowUs)
    }
    return this.#arrivals.outcome
  }

  /** Up to the next arrival, or to an end that may have brought an earlier one; false once nothing is left. */
  #step(): boolean {
    const { engine, order } = this.#init
    const arrival = this.#arrivals.next()
    const dueUs = arrival ? Math.min(arrival.dueUs, order.maximumDurationUs) : Infinity
    engine.limitUs = Infinity
    this.#flight.runUntil(order.originUs + dueUs + this.#lateUs)
    if (engine.limitUs < Infinity) return true
    if (!arrival) return false
    // Told to stop on the way: it arrives no more.
    if (this.#arrivals.outcome.stoppedEarly === null) this.#arrivals.arrive(arrival)
    return true
  }

  /** From due to sent: what the client is late, and what the engine takes to read. */
  get #lateUs(): number {
    return this.#isOpenLoop ? this.#init.sendLagUs + this.#init.engine.intakeUs : 0
  }

  #launch({ row, dueUs, isCohort }: Arrival): void {
    const { order } = this.#init
    const dueAtUs = order.originUs + dueUs
    const atUs = dueAtUs + this.#lateUs
    this.#nowUs = Math.max(this.#nowUs, atUs)
    if (isCohort) this.#sent += 1
    this.#flight.launch(row, dueAtUs, atUs, isCohort)
  }

  #ended(ended: EndedRequest, isCohort: boolean): void {
    const { control, engine, order } = this.#init
    const { outcome } = this.#arrivals
    this.#nowUs = Math.max(this.#nowUs, ended.endUs)
    this.#arrivals.ended(ended.row, ended.endUs - order.originUs)
    // A place is free, or a turn is ready: what comes next may have changed.
    if (!this.#isOpenLoop || ended.row.session !== undefined) engine.limitUs = ended.endUs
    if (!isCohort) return
    const record = endedRecord(ended)
    this.#resolved += 1
    outcome.cohortUs = Math.max(outcome.cohortUs, record.endUs)
    const { gapsUs, tokensPerChunk } = chunksOf(ended)
    control.onRecord(record, { gapsUs, tokensPerChunk })
    outcome.stoppedEarly ??= control.stop()
  }

  #sample(atUs: number): void {
    this.#init.onTime(atUs)
    this.#init.control.onSample({
      t: 'client',
      atUs: atUs - this.#init.order.originUs,
      inFlight: this.#flight.size,
      backlog: 0,
      sent: this.#sent,
      resolved: this.#resolved,
      ...UNDISTURBED,
    })
  }
}
