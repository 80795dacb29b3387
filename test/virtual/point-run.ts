import type { ReplayControl, ReplayOrder, ReplayOutcome } from '../../src/app/ports/replay.ts'
import { dueUs } from '../../src/core/kernel/point.ts'
import type { ScheduleRow } from '../../src/core/schedule/schedule.ts'
import { UNDISTURBED } from '../fakes/client-watch.ts'
import { endedRecord, prefixTokensOf } from './ended-request.ts'
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
  /** The cohort's rows in order, and how many belong to each block and those before it. */
  readonly #rows: readonly ScheduleRow[]
  readonly #begun: readonly number[]
  #next = 0
  #block = 0
  readonly #outcome: ReplayOutcome
  readonly #ticker: Ticker
  #nowUs: number
  #sent = 0
  #resolved = 0
  /** Closed loop: called as a request ends. */
  #onFree: ((atUs: number) => void) | null = null

  constructor(init: PointRunInit) {
    const { engine, order } = init
    const { client } = order.shape.manifest
    this.#init = init
    this.#rows = order.blocks.flat()
    let rows = 0
    this.#begun = order.blocks.map((block) => (rows += block.length))
    this.#nowUs = order.originUs - order.warmupUs
    this.#outcome = {
      cohortRequests: order.blocks[0]?.length ?? 0,
      arrivalUs: 0,
      cohortUs: 0,
      maximumReached: false,
      stoppedEarly: null,
      warmupRequests: 0,
      evidence: [],
    }
    const firstToken = client.first_token_timeout_seconds
    this.#flight = new InFlight({
      engine,
      deadlines: {
        wholeUs: Math.round(client.request_timeout_seconds * 1e6),
        firstTokenUs: firstToken === undefined ? null : Math.round(firstToken * 1e6),
      },
      prefixTokens: prefixTokensOf(order.shape.header),
      mishaps: init.mishaps,
      originUs: order.originUs,
      onEnd: (ended, isCohort) => this.#ended(ended, isCohort),
    })
    this.#ticker = { nextUs: this.#nowUs, everyUs: SAMPLE_US, fire: (atUs) => this.#sample(atUs) }
  }

  /** `check` is asked every virtual second and throws to break the point off. */
  run(check: () => void): ReplayOutcome {
    const { engine, order } = this.#init
    engine.addTicker(this.#ticker)
    const watch: Ticker = { nextUs: this.#nowUs, everyUs: SAMPLE_US, fire: check }
    engine.addTicker(watch)
    try {
      if ('openMilliRps' in order.load) this.#openLoop(order.load.openMilliRps)
      else this.#closedLoop(order.load.closedConcurrency)
      this.#flight.runUntil(Infinity)
      this.#sample(this.#nowUs)
    } finally {
      engine.removeTicker(this.#ticker)
      engine.removeTicker(watch)
      this.#flight.abandon(this.#nowUs)
    }
    return this.#outcome
  }

  #openLoop(milliRps: number): void {
    const { sendLagUs, order } = this.#init
    const { originUs, warmup, warmupUs } = order
    for (const row of warmup) {
      const dueAtUs = originUs - warmupUs + dueUs(row.offsetUs, milliRps)
      this.#flight.runUntil(dueAtUs + sendLagUs)
      this.#launch(row, dueAtUs, dueAtUs + sendLagUs, false)
    }
    for (const row of this.#rows) {
      const offsetUs = dueUs(row.offsetUs, milliRps)
      this.#flight.runUntil(originUs + sendLagUs + Math.min(offsetUs, order.maximumDurationUs))
      if (!this.#arrives(offsetUs)) return
      this.#launch(row, originUs + offsetUs, originUs + offsetUs + sendLagUs, true)
    }
  }

  /** A row is due when a slot became free, in the cohort not before its start; warm-up requests hold their slots until they end. */
  #closedLoop(concurrency: number): void {
    const { originUs, warmup, warmupUs } = this.#init.order
    const warming = warmup.values()
    let free = 0
    let hasEnded = false
    const fill = (atUs: number): void => {
      const next = atUs < originUs ? warming.next().value : undefined
      if (next) return this.#launch(next, atUs, atUs, false)
      free += 1
      if (atUs >= originUs) drainSlots(atUs)
    }
    const drainSlots = (atUs: number): void => {
      for (; free > 0; free -= 1) {
        const row = this.#rows[this.#next]
        if (!row || hasEnded) return
        hasEnded = !this.#arrives(atUs - originUs)
        if (!hasEnded) this.#launch(row, atUs, atUs, true)
      }
    }
    this.#onFree = fill
    for (let slot = 0; slot < concurrency; slot += 1) fill(originUs - warmupUs)
    this.#flight.runUntil(originUs)
    drainSlots(originUs)
  }

  /** Whether the next row, whose time has come, still arrives; begins its block where it is the first of one. */
  #arrives(offsetUs: number): boolean {
    const { control, order } = this.#init
    if (this.#outcome.stoppedEarly !== null) return false
    const opens = this.#next === this.#begun[this.#block]
    if (opens && !control.extend()) return false
    if (offsetUs > order.maximumDurationUs) {
      this.#outcome.maximumReached = true
      return false
    }
    if (opens) this.#block += 1
    this.#outcome.cohortRequests = this.#begun[this.#block] ?? 0
    this.#next += 1
    return true
  }

  #launch(row: ScheduleRow, dueAtUs: number, atUs: number, isCohort: boolean): void {
    this.#nowUs = Math.max(this.#nowUs, atUs)
    if (isCohort) {
      this.#outcome.arrivalUs = dueAtUs - this.#init.order.originUs
      this.#sent += 1
    } else {
      this.#outcome.warmupRequests += 1
    }
    this.#flight.launch(row, dueAtUs, atUs, isCohort)
  }

  #ended(ended: EndedRequest, isCohort: boolean): void {
    const { control } = this.#init
    this.#nowUs = Math.max(this.#nowUs, ended.endUs)
    if (isCohort) {
      const record = endedRecord(ended)
      this.#resolved += 1
      this.#outcome.cohortUs = Math.max(this.#outcome.cohortUs, record.endUs)
      const { gapsUs } = ended
      const tokensPerChunk = gapsUs.length === 0 ? [] : Array.from({ length: record.chunks }, () => 1)
      control.onRecord(record, { gapsUs, tokensPerChunk })
      this.#outcome.stoppedEarly ??= control.stop()
    }
    this.#onFree?.(ended.endUs)
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
