import type { ReplayControl, ReplayOrder, ReplayOutcome } from '../../src/app/ports/replay.ts'
import { dueUs as dueAt } from '../../src/core/kernel/point.ts'
import { replicaPolicy, stickyReplica } from '../../src/core/schedule/replica-choice.ts'
import type { ScheduleRow } from '../../src/core/schedule/schedule.ts'
import { WaitingTurns } from './waiting-turns.ts'

/** The next row that goes out, and when, in microseconds from the cohort's start. */
export interface Arrival {
  row: ScheduleRow
  dueUs: number
  isCohort: boolean
  /** It was passed over before. */
  wasAside: boolean
}

/** Which row of a point arrives when, for load generators that have all the time of the world; and the point's outcome so far. */
export class FakeArrivals {
  readonly outcome: ReplayOutcome & { evidence: [] }
  readonly #order: ReplayOrder
  readonly #control: ReplayControl
  readonly #launch: (arrival: Arrival) => void
  readonly #rows: readonly ScheduleRow[]
  readonly #blockStarts: ReadonlyMap<ScheduleRow | undefined, number>
  readonly #turns: WaitingTurns
  readonly #slotsUs: number[]
  readonly #thinkUs: number
  #next = 0
  #isOpen = true

  constructor(order: ReplayOrder, control: ReplayControl, launch: (arrival: Arrival) => void) {
    const { load, warmup, blocks, shape } = order
    this.#order = order
    this.#control = control
    this.#launch = launch
    this.#rows = [...warmup, ...blocks.flat()]
    this.#blockStarts = new Map(blocks.slice(1).map((block) => [block[0], block.length]))
    this.#turns = new WaitingTurns(this.#rows)
    this.#slotsUs = Array.from({ length: 'openMilliRps' in load ? 0 : load.closedConcurrency }, () => -order.warmupUs)
    this.#thinkUs = shape.manifest.client.closed_loop_think_seconds * 1e6
    this.outcome = {
      cohortRequests: blocks[0]?.length ?? 0,
      arrivalUs: 0,
      cohortUs: 0,
      maximumReached: false,
      stoppedEarly: null,
      warmupRequests: 0,
      evidence: [],
    }
  }

  /** Null while nothing can go out, and once nothing will. */
  next(): Arrival | null {
    if (this.outcome.stoppedEarly !== null) return null
    const isOpenLoop = 'openMilliRps' in this.#order.load
    const slotUs = isOpenLoop ? -Infinity : (this.#slotsUs[0] ?? Infinity)
    if (slotUs === Infinity) return null
    if (!isOpenLoop && slotUs >= 0) this.#next = Math.max(this.#next, this.#order.warmup.length)
    const byTurn = this.#turns.first()
    const byOrder = this.#byOrder(slotUs)
    const turn = byTurn && { ...byTurn, dueUs: Math.max(slotUs, byTurn.dueUs), wasAside: true }
    if (!turn || !byOrder) return turn ?? byOrder
    const isFirst = isOpenLoop ? turn.dueUs < byOrder.dueUs : turn.dueUs <= byOrder.dueUs
    return isFirst ? turn : byOrder
  }

  /** The arrival's time has come: it is launched, passed over, or the last one. */
  arrive(arrival: Arrival): void {
    const { row, dueUs, isCohort, wasAside } = arrival
    if (wasAside) {
      this.#turns.remove(arrival)
      if (!isCohort && dueUs > 0) return
      if (dueUs > this.#order.maximumDurationUs) return void (this.outcome.maximumReached = true)
      return this.#send(arrival)
    }
    if (isCohort && !this.#begins(dueUs)) return void (this.#isOpen = false)
    this.#next += 1
    if (this.#turns.dueUs(row, dueUs) === dueUs) this.#send(arrival)
    else this.#turns.setAside({ row, ownUs: dueUs, isCohort })
  }

  ended(row: ScheduleRow, endUs: number): void {
    this.#turns.ended(row, endUs)
    if (!('openMilliRps' in this.#order.load)) this.#slotsUs.push(endUs + this.#thinkUs)
  }

  /** Nothing is in flight and nothing arrives any more. */
  finish(): void {
    this.outcome.maximumReached ||= this.outcome.stoppedEarly === null && this.#turns.hasCohort
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
    if (this.#blockStarts.has(row) && this.#turns.hasCohort) return null
    return { row, dueUs: isCohort ? Math.max(0, slotUs) : slotUs, isCohort, wasAside: false }
  }

  #begins(dueUs: number): boolean {
    const opened = this.#blockStarts.get(this.#rows[this.#next])
    if (opened !== undefined && !this.#control.extend()) return false
    if (dueUs > this.#order.maximumDurationUs) {
      this.outcome.maximumReached = true
      return false
    }
    this.outcome.cohortRequests += opened ?? 0
    return true
  }

  #send(arrival: Arrival): void {
    if (arrival.isCohort) this.outcome.arrivalUs = Math.max(this.outcome.arrivalUs, arrival.dueUs)
    else this.outcome.warmupRequests += 1
    this.#slotsUs.shift()
    this.#launch(arrival)
  }
}

/** The replica that each row goes to, as an index, asked in the order of dispatch. */
export function replicaChooser({ shape, warmup, blocks }: ReplayOrder, replicas: number): (row: ScheduleRow) => number {
  const policy = replicaPolicy(shape.manifest)
  const choosers = [warmup, blocks.flat()].map((rows) => stickyReplica(policy, replicas, shape.header, rows))
  let turn = 0
  return (row) => choosers[0]?.(row) ?? choosers[1]?.(row) ?? turn++ % replicas
}
