import type { Clock } from '../../src/app/ports/clock.ts'
import type { ReplayControl, ReplayOrder, ReplayOutcome } from '../../src/app/ports/replay.ts'
import { dueUs as dueAt } from '../../src/core/kernel/point.ts'
import type { RequestRecord } from '../../src/core/record/record.ts'
import { replicaPolicy, stickyReplica } from '../../src/core/schedule/replica-choice.ts'
import type { ScheduleRow } from '../../src/core/schedule/schedule.ts'
import { UNDISTURBED } from './client-watch.ts'
import type { AnswerOf } from './fake-answer.ts'
import { fakeRecord } from './fake-answer.ts'
import { WaitingTurns } from './waiting-turns.ts'

const SAMPLE_US = 500_000

interface Flying {
  row: ScheduleRow
  record: RequestRecord
  gapUs: number
  isCohort: boolean
}

/** The next row that goes out, and when: by the schedule's order, or one that was passed over. */
interface Arrival {
  row: ScheduleRow
  dueUs: number
  isCohort: boolean
  wasAside: boolean
}

/** One point of the fake load generator. */
export class FakeRun {
  readonly #clock: Clock
  readonly #order: ReplayOrder
  readonly #control: ReplayControl
  readonly #answer: AnswerOf
  readonly #rows: readonly ScheduleRow[]
  readonly #turns: WaitingTurns
  readonly #replicaOf: (row: ScheduleRow) => number
  #flying: Flying[] = []
  #next = 0
  #isOpen = true
  #sent = 0
  #resolved = 0
  #slotsUs: number[]
  #nextSampleUs: number
  readonly #outcome: ReplayOutcome & { evidence: [] }

  constructor(clock: Clock, order: ReplayOrder, control: ReplayControl, answer: AnswerOf) {
    this.#clock = clock
    this.#order = order
    this.#control = control
    this.#answer = answer
    this.#rows = [...order.warmup, ...order.blocks.flat()]
    this.#turns = new WaitingTurns(this.#rows)
    this.#replicaOf = replicaChooser(order)
    const slots = 'openMilliRps' in order.load ? 0 : order.load.closedConcurrency
    this.#slotsUs = Array.from({ length: slots }, () => -order.warmupUs)
    this.#nextSampleUs = -order.warmupUs
    this.#outcome = {
      cohortRequests: order.blocks[0]?.length ?? 0,
      arrivalUs: 0,
      cohortUs: 0,
      maximumReached: false,
      stoppedEarly: null,
      warmupRequests: 0,
      evidence: [],
    }
  }

  async run(signal: AbortSignal): Promise<ReplayOutcome> {
    for (;;) {
      signal.throwIfAborted()
      const arrival = this.#outcome.stoppedEarly === null ? this.#arrival() : null
      const ending = this.#flying.toSorted((a, b) => a.record.endUs - b.record.endUs)[0]
      if (arrival === null && !ending) break
      const eventUs = Math.min(arrival?.dueUs ?? Infinity, ending?.record.endUs ?? Infinity)
      await this.#passUntil(Math.min(eventUs, this.#nextSampleUs), signal)
      if (this.#nextSampleUs <= eventUs) this.#sample()
      else if (ending && ending.record.endUs <= (arrival?.dueUs ?? Infinity)) this.#land(ending)
      else if (arrival !== null) this.#arrive(arrival)
    }
    this.#outcome.maximumReached ||= this.#outcome.stoppedEarly === null && this.#turns.hasCohort
    this.#sample()
    return this.#outcome
  }

  async #passUntil(atUs: number, signal: AbortSignal): Promise<void> {
    const leftUs = this.#order.originUs + atUs - this.#clock.nowUs()
    if (leftUs > 0) await this.#clock.sleep(leftUs / 1000, signal)
  }

  /** Null while nothing can go out. */
  #arrival(): Arrival | null {
    const { load, warmup } = this.#order
    const isOpenLoop = 'openMilliRps' in load
    const slotUs = isOpenLoop ? -Infinity : (this.#slotsUs[0] ?? Infinity)
    if (slotUs === Infinity) return null
    if (!isOpenLoop && slotUs >= 0) this.#next = Math.max(this.#next, warmup.length)
    const byTurn = this.#turns.first()
    const byOrder = this.#byOrder(slotUs)
    const turn = byTurn && { ...byTurn, dueUs: Math.max(slotUs, byTurn.dueUs), wasAside: true }
    if (!turn || !byOrder) return turn ?? byOrder
    const isFirst = isOpenLoop ? turn.dueUs < byOrder.dueUs : turn.dueUs <= byOrder.dueUs
    return isFirst ? turn : byOrder
  }

  /** The next row by the schedule; in a closed loop an extension waits for the turns of the blocks before it. */
  #byOrder(slotUs: number): Arrival | null {
    const { load, warmup, warmupUs } = this.#order
    const row = this.#isOpen ? this.#rows[this.#next] : undefined
    if (!row) return null
    const isCohort = this.#next >= warmup.length
    if ('openMilliRps' in load) {
      const dueUs = dueAt(row.offsetUs, load.openMilliRps) - (isCohort ? 0 : warmupUs)
      return { row, dueUs, isCohort, wasAside: false }
    }
    if (this.#opensBlock() && this.#turns.hasCohort) return null
    return { row, dueUs: isCohort ? Math.max(0, slotUs) : slotUs, isCohort, wasAside: false }
  }

  #arrive(arrival: Arrival): void {
    const { row, dueUs, isCohort, wasAside } = arrival
    if (wasAside) {
      this.#turns.remove(arrival)
      if (!isCohort && dueUs > 0) return
      if (dueUs > this.#order.maximumDurationUs) return void (this.#outcome.maximumReached = true)
      return this.#launch(arrival)
    }
    if (isCohort && !this.#begins(dueUs)) return void (this.#isOpen = false)
    this.#next += 1
    if (this.#turns.dueUs(row, dueUs) === dueUs) this.#launch(arrival)
    else this.#turns.setAside({ row, ownUs: dueUs, isCohort })
  }

  #begins(dueUs: number): boolean {
    const opens = this.#opensBlock()
    if (opens && !this.#control.extend()) return false
    if (dueUs > this.#order.maximumDurationUs) {
      this.#outcome.maximumReached = true
      return false
    }
    if (opens) this.#outcome.cohortRequests += this.#blockAt(this.#next)?.length ?? 0
    return true
  }

  #opensBlock(): boolean {
    return this.#next > this.#order.warmup.length && this.#blockAt(this.#next) !== undefined
  }

  #blockAt(index: number): readonly ScheduleRow[] | undefined {
    return this.#order.blocks.find((block) => block[0] === this.#rows[index])
  }

  #launch({ row, dueUs, isCohort }: Arrival): void {
    if (isCohort) {
      this.#outcome.arrivalUs = Math.max(this.#outcome.arrivalUs, dueUs)
      this.#sent += 1
    } else this.#outcome.warmupRequests += 1
    this.#slotsUs.shift()
    const replica = this.#replicaOf(row)
    const answer = this.#answer(row, replica)
    this.#flying.push({ row, record: fakeRecord(row, dueUs, replica, answer), gapUs: answer.tpotUs ?? 1000, isCohort })
  }

  #land(flying: Flying): void {
    const { row, record, gapUs, isCohort } = flying
    this.#flying = this.#flying.filter((other) => other !== flying)
    this.#turns.ended(row, record.endUs)
    const { load, shape } = this.#order
    const thinkUs = shape.manifest.client.closed_loop_think_seconds * 1e6
    if (!('openMilliRps' in load)) this.#slotsUs.push(record.endUs + thinkUs)
    if (!isCohort) return
    this.#resolved += 1
    this.#outcome.cohortUs = Math.max(this.#outcome.cohortUs, record.endUs)
    const each = (count: number, value: number) => Array.from({ length: Math.max(0, count) }, () => value)
    const chunks = { gapsUs: each(record.chunks - 1, gapUs), tokensPerChunk: each(record.chunks, 1) }
    this.#control.onRecord(record, chunks)
    if (this.#outcome.stoppedEarly === null) this.#outcome.stoppedEarly = this.#control.stop()
  }

  #sample(): void {
    const atUs = Math.round(this.#clock.nowUs() - this.#order.originUs)
    const counts = { inFlight: this.#flying.length, backlog: 0, sent: this.#sent, resolved: this.#resolved }
    this.#control.onSample({ t: 'client', atUs, ...counts, ...UNDISTURBED })
    this.#nextSampleUs = atUs + SAMPLE_US
  }
}

function replicaChooser({ shape, targets, warmup, blocks }: ReplayOrder): (row: ScheduleRow) => number {
  const policy = replicaPolicy(shape.manifest)
  const choosers = [warmup, blocks.flat()].map((rows) => stickyReplica(policy, targets.length, shape.header, rows))
  let launched = 0
  return (row) => {
    const index = choosers[0]?.(row) ?? choosers[1]?.(row) ?? launched++ % targets.length
    return targets[index]?.index ?? 0
  }
}
