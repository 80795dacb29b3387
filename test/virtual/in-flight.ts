import type { Sequence } from '../../fixtures/engine/model/sequence.ts'
import type { ScheduleRow } from '../../src/core/schedule/schedule.ts'
import type { ErrorCode } from '../../src/core/stream/error-codes.ts'
import { promptOf } from './ended-request.ts'
import type { EndedRequest } from './ended-request.ts'
import type { VirtualEngine } from './virtual-engine.ts'

/** One request on its way. Times are absolute virtual microseconds. */
interface Flight {
  row: ScheduleRow
  replica: number
  sequence: Sequence
  dueUs: number
  isCohort: boolean
  ended: boolean
}

export interface Deadlines {
  wholeUs: number
  /** Null: none. */
  firstTokenUs: number | null
}

/** A replica that is killed as its request of that number (from 1, of all requests to it) arrives. */
export interface Crash {
  replica: number
  atRequest: number
  /** Told when it is gone. */
  onCrash(atUs: number): void
}

export interface Mishaps {
  crash?: Crash
  /** Requests that the engine refuses with 503. */
  refuses?: (row: ScheduleRow) => boolean
}

/** Requests in the air: each sent to its replica the moment it is due, and given up at its deadlines. */
export class InFlight {
  readonly #engine: VirtualEngine
  readonly #deadlines: Deadlines
  readonly #prefixTokens: ReadonlyMap<string, number>
  readonly #originUs: number
  readonly #onEnd: (ended: EndedRequest, isCohort: boolean) => void
  readonly #mishaps: Mishaps
  readonly #replicaOf: (row: ScheduleRow) => number
  readonly #flights = new Map<Sequence, Flight>()
  /** In order of sending, and so of their deadlines; the ended ones are passed over. */
  readonly #whole: Flight[] = []
  readonly #first: Flight[] = []
  #wholeNext = 0
  #firstNext = 0
  #launched = 0

  constructor(init: {
    engine: VirtualEngine
    deadlines: Deadlines
    prefixTokens: ReadonlyMap<string, number>
    mishaps: Mishaps
    /** Which replica a row goes to; asked in the order of dispatch. */
    replicaOf: (row: ScheduleRow) => number
    /** Where the times of records start. */
    originUs: number
    onEnd: (ended: EndedRequest, isCohort: boolean) => void
  }) {
    this.#engine = init.engine
    this.#deadlines = init.deadlines
    this.#prefixTokens = init.prefixTokens
    this.#mishaps = init.mishaps
    this.#replicaOf = init.replicaOf
    this.#originUs = init.originUs
    this.#onEnd = init.onEnd
  }

  get size(): number {
    return this.#flights.size
  }

  launch(row: ScheduleRow, dueUs: number, atUs: number, isCohort: boolean): void {
    const index = this.#replicaOf(row)
    this.#launched += 1
    const { crash, refuses } = this.#mishaps
    if (crash && crash.replica === index && this.#launched > crash.atRequest * this.#engine.replicas.length) {
      this.#kill(crash, atUs)
    }
    const replica = this.#engine.replicas[index]
    if (!replica) return
    const sequence = replica.sequenceOf(promptOf(row, this.#prefixTokens), atUs)
    const flight = { row, replica: index, sequence, dueUs, isCohort, ended: false }
    if (!replica.alive) return this.#fail(flight, 'connect_failed', atUs)
    const taken = refuses?.(row) ? 'refused' : replica.submit(sequence, atUs)
    if (taken !== 'queued') return this.#fail(flight, 'http_status', atUs, taken === 'refused' ? 503 : 400)
    this.#flights.set(sequence, flight)
    this.#whole.push(flight)
    if (this.#deadlines.firstTokenUs !== null) this.#first.push(flight)
  }

  /**
   * Everything that happens before `untilUs`, or before the engine's limit where that is set on the way: steps, ends and deadlines in the
   * order of their times.
   */
  runUntil(untilUs: number): void {
    for (;;) {
      const late = this.#nextLate()
      const stopUs = Math.min(untilUs, late?.atUs ?? Infinity)
      this.#engine.runUntil(stopUs, this.#finished)
      if (this.#engine.limitUs < stopUs) return this.#engine.passUntil(this.#engine.limitUs)
      if (late?.flight.ended) continue
      if (stopUs < Infinity) this.#engine.passUntil(stopUs)
      if (!late || late.atUs >= untilUs) return
      this.#engine.replicas[late.flight.replica]?.abort(late.flight.sequence, late.atUs)
      this.#fail(late.flight, late.code, late.atUs)
    }
  }

  /** The connections are left: the engine drops what it still has of it, and nothing of it is told. */
  abandon(atUs: number): void {
    for (const flight of this.#flights.values()) {
      flight.ended = true
      this.#engine.replicas[flight.replica]?.abort(flight.sequence, atUs)
    }
    this.#flights.clear()
  }

  /** The earliest deadline that may still be missed; those of ended requests are taken off the lists. */
  #nextLate(): { flight: Flight; atUs: number; code: ErrorCode } | null {
    while (this.#whole[this.#wholeNext]?.ended) this.#wholeNext += 1
    while (this.#first[this.#firstNext] && isServed(this.#first[this.#firstNext] as Flight)) this.#firstNext += 1
    const whole = this.#whole[this.#wholeNext]
    const first = this.#first[this.#firstNext]
    const wholeUs = whole ? whole.sequence.arrivalUs + this.#deadlines.wholeUs : Infinity
    const firstUs = first ? first.sequence.arrivalUs + (this.#deadlines.firstTokenUs ?? Infinity) : Infinity
    if (first && firstUs < wholeUs) return { flight: first, atUs: firstUs, code: 'first_token_deadline' }
    return whole ? { flight: whole, atUs: wholeUs, code: 'whole_deadline' } : null
  }

  readonly #finished = (sequence: Sequence): void => {
    const flight = this.#flights.get(sequence)
    if (flight) this.#end(flight, sequence.lastTokenUs, null, 200)
  }

  #fail(flight: Flight, code: ErrorCode, atUs: number, status: number | null = null): void {
    this.#end(flight, atUs, code, status ?? (flight.sequence.firstTokenUs >= 0 ? 200 : null))
  }

  #end(flight: Flight, endUs: number, errorCode: ErrorCode | null, httpStatus: number | null): void {
    flight.ended = true
    const { row, replica, sequence, dueUs } = flight
    this.#flights.delete(sequence)
    const gapsUs = errorCode === null ? (this.#engine.replicas[replica]?.gapsUs(sequence) ?? []) : []
    const sentUs = errorCode === 'connect_failed' ? null : sequence.arrivalUs
    const originUs = this.#originUs
    const { chunkTokens, intakeUs, tellsCached } = this.#engine
    const wire = { gapsUs, chunkTokens, intakeUs, tellsCached }
    const ended = { row, replica, sequence, originUs, dueUs, sentUs, endUs, errorCode, httpStatus, ...wire }
    this.#onEnd(ended, flight.isCohort)
  }

  #kill(crash: Crash, atUs: number): void {
    const replica = this.#engine.replicas[crash.replica]
    if (!replica?.alive) return
    replica.crash()
    const lost = [...this.#flights.values()].filter((flight) => flight.replica === crash.replica)
    for (const flight of lost) this.#fail(flight, 'connection_reset', atUs)
    crash.onCrash(atUs)
  }
}

function isServed({ ended, sequence }: Flight): boolean {
  return ended || sequence.firstTokenUs >= 0
}
