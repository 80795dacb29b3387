import type { Clock } from '../../app/ports/clock.ts'
import type { ReplayOrder } from '../../app/ports/replay.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import type { ChunkSeries } from '../../core/record/gaps.ts'
import type { RequestRecord } from '../../core/record/record.ts'
import type { Arrivals } from './arrivals.ts'
import { BodyQueue } from './body-queue.ts'
import { bodiesEvidence } from './client-state.ts'
import { recordOf } from './ending.ts'
import type { Ending } from './ending.ts'
import type { Flight } from './flight.ts'
import { Histories } from './histories.ts'
import { PromptBodies } from './prompt-bodies.ts'
import type { ReplicaTurn } from './replica-turn.ts'
import { replicaTurn } from './replica-turn.ts'
import { requestBody } from './request-body.ts'
import { Turns } from './turns.ts'

/** Bodies are built so far ahead of their due times. */
const AHEAD_US = 2_000_000

const NOTHING = Buffer.alloc(0)

export interface DispatchInit {
  clock: Clock
  order: ReplayOrder
  arrivals: Arrivals
  flight: Flight
  /** A turn that was set aside is ready: its time may be the next. */
  onReady(): void
  /** A request of the cohort reached its terminal status. */
  onRecord(record: RequestRecord, chunks: ChunkSeries): void
}

/** A point's rows on their way: whose turn it is, with which body, to which replica. */
export class Dispatch {
  readonly turns: Turns
  readonly bodies: PromptBodies
  readonly #init: DispatchInit
  readonly #histories: Histories
  readonly #replica: ReplicaTurn
  #launched = 0
  #sent = 0

  constructor(init: DispatchInit) {
    const { arrivals, order, clock } = init
    const { rows, warmupRows } = arrivals
    const histories = new Histories(order.shape, rows)
    const isNear = (index: number): boolean => this.#isNear(index)
    const build = (row: (typeof rows)[number]): Buffer => requestBody(order.shape, row, histories.contextOf(row))
    const ahead = (row: (typeof rows)[number]): Buffer => (histories.isOpen(row) ? NOTHING : build(row))
    const queue = new BodyQueue({ rows, build: ahead, isNear, nowUs: () => clock.nowUs() })
    this.#init = init
    this.#histories = histories
    this.#replica = replicaTurn(order)
    this.bodies = new PromptBodies({ rows, queue, build, isOpen: (row) => histories.isOpen(row) })
    this.turns = new Turns({
      rows,
      warmupRows,
      latestUs: (index) => (arrivals.isCohort(index) ? order.maximumDurationUs : 0),
      onReady: (index) => {
        this.bodies.want(index)
        init.onReady()
      },
    })
  }

  /** Requests of the cohort that were written to a socket. */
  get sent(): number {
    return this.#sent
  }

  launch(index: number, dueUs: number, onEnd: (endUs: number) => void): void {
    const { arrivals, flight } = this.#init
    const row = arrivals.rows[index]
    if (!row) return
    const isCohort = arrivals.isCohort(index)
    this.#launched += 1
    flight.launch({
      row,
      replica: this.#replica(row),
      keepsReply: this.#histories.keepsReply(row),
      body: () => this.bodies.take(index),
      onSent: () => void (this.#sent += isCohort ? 1 : 0),
      onEnd: (ending, target) => {
        if (isCohort) this.#init.onRecord(recordOf(row, dueUs, target.index, ending), ending)
        this.#ended(index, ending)
        onEnd(ending.endUs)
      },
    })
  }

  /** Rows whose time has come by then, and that were not dispatched; turns that wait for their session are not among them. */
  overdue(atUs: number, next: number): number {
    const { arrivals, order } = this.#init
    if (!('openMilliRps' in order.load)) return 0
    let count = this.turns.overdue(atUs)
    for (let index = next; index < arrivals.rows.length; index += 1) {
      const ownUs = arrivals.dueUs(index, order.load.openMilliRps)
      if (ownUs > atUs) break
      if ((this.turns.dueUs(index, ownUs) ?? Infinity) <= atUs) count += 1
    }
    return count
  }

  evidence(): Evidence[] {
    return [bodiesEvidence(this.bodies.late, this.#launched), ...this.#histories.evidence()]
  }

  #ended(index: number, ending: Ending): void {
    const { arrivals } = this.#init
    const row = arrivals.rows[index]
    if (!row?.session) return
    this.#histories.ended(row, ending, arrivals.isCohort(index))
    const next = this.turns.following(index)
    const follower = next === null ? undefined : arrivals.rows[next]
    if (next !== null && follower && this.#histories.isOpen(follower)) this.bodies.want(next)
  }

  #isNear(index: number): boolean {
    const { order, arrivals, clock } = this.#init
    if (!('openMilliRps' in order.load)) return true
    return arrivals.dueUs(index, order.load.openMilliRps) <= clock.nowUs() - order.originUs + AHEAD_US
  }
}
