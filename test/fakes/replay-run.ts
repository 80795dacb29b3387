import type { Clock } from '../../src/app/ports/clock.ts'
import type { ReplayControl, ReplayOrder, ReplayOutcome } from '../../src/app/ports/replay.ts'
import type { RequestRecord } from '../../src/core/record/record.ts'
import type { ScheduleRow } from '../../src/core/schedule/schedule.ts'
import { UNDISTURBED } from './client-watch.ts'
import type { AnswerOf } from './fake-answer.ts'
import { fakeRecord } from './fake-answer.ts'
import type { Arrival } from './fake-arrivals.ts'
import { FakeArrivals, replicaChooser } from './fake-arrivals.ts'

const SAMPLE_US = 500_000

interface Flying {
  row: ScheduleRow
  record: RequestRecord
  gapUs: number
  isCohort: boolean
}

/** One point of the fake load generator. */
export class FakeRun {
  readonly #clock: Clock
  readonly #order: ReplayOrder
  readonly #control: ReplayControl
  readonly #answer: AnswerOf
  readonly #arrivals: FakeArrivals
  readonly #replicaOf: (row: ScheduleRow) => number
  #flying: Flying[] = []
  #sent = 0
  #resolved = 0
  #nextSampleUs: number

  constructor(clock: Clock, order: ReplayOrder, control: ReplayControl, answer: AnswerOf) {
    this.#clock = clock
    this.#order = order
    this.#control = control
    this.#answer = answer
    this.#arrivals = new FakeArrivals(order, control, (arrival) => this.#launch(arrival))
    this.#replicaOf = replicaChooser(order, order.targets.length)
    this.#nextSampleUs = -order.warmupUs
  }

  async run(signal: AbortSignal): Promise<ReplayOutcome> {
    for (;;) {
      signal.throwIfAborted()
      const arrival = this.#arrivals.next()
      const ending = this.#flying.toSorted((a, b) => a.record.endUs - b.record.endUs)[0]
      if (arrival === null && !ending) break
      const eventUs = Math.min(arrival?.dueUs ?? Infinity, ending?.record.endUs ?? Infinity)
      await this.#passUntil(Math.min(eventUs, this.#nextSampleUs), signal)
      if (this.#nextSampleUs <= eventUs) this.#sample()
      else if (ending && ending.record.endUs <= (arrival?.dueUs ?? Infinity)) this.#land(ending)
      else if (arrival !== null) this.#arrivals.arrive(arrival)
    }
    this.#arrivals.finish()
    this.#sample()
    return this.#arrivals.outcome
  }

  async #passUntil(atUs: number, signal: AbortSignal): Promise<void> {
    const leftUs = this.#order.originUs + atUs - this.#clock.nowUs()
    if (leftUs > 0) await this.#clock.sleep(leftUs / 1000, signal)
  }

  #launch({ row, dueUs, isCohort }: Arrival): void {
    if (isCohort) this.#sent += 1
    const replica = this.#order.targets[this.#replicaOf(row)]?.index ?? 0
    const answer = this.#answer(row, replica)
    this.#flying.push({ row, record: fakeRecord(row, dueUs, replica, answer), gapUs: answer.tpotUs ?? 1000, isCohort })
  }

  #land(flying: Flying): void {
    const { row, record, gapUs, isCohort } = flying
    const { outcome } = this.#arrivals
    this.#flying = this.#flying.filter((other) => other !== flying)
    this.#arrivals.ended(row, record.endUs)
    if (!isCohort) return
    this.#resolved += 1
    outcome.cohortUs = Math.max(outcome.cohortUs, record.endUs)
    this.#control.onRecord(record, {
      gapsUs: Array.from({ length: Math.max(0, record.chunks - 1) }, () => gapUs),
      tokensPerChunk: Array.from({ length: record.chunks }, () => 1),
    })
    if (outcome.stoppedEarly === null) outcome.stoppedEarly = this.#control.stop()
  }

  #sample(): void {
    const atUs = Math.round(this.#clock.nowUs() - this.#order.originUs)
    const counts = { inFlight: this.#flying.length, backlog: 0, sent: this.#sent, resolved: this.#resolved }
    this.#control.onSample({ t: 'client', atUs, ...counts, ...UNDISTURBED })
    this.#nextSampleUs = atUs + SAMPLE_US
  }
}
