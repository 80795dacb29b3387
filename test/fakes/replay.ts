import type { Clock } from '../../src/app/ports/clock.ts'
import type { Replay, ReplayControl, ReplayOrder, ReplayOutcome } from '../../src/app/ports/replay.ts'
import { dueUs as dueAt } from '../../src/core/kernel/point.ts'
import type { RequestRecord } from '../../src/core/record/record.ts'
import type { ScheduleRow } from '../../src/core/schedule/schedule.ts'
import { UNDISTURBED } from './client-watch.ts'

/** What becomes of one request. Left out: a success whose first token comes after 10 ms and the others 1 ms apart. */
export interface FakeAnswer {
  status?: RequestRecord['status']
  errorCode?: string | null
  httpStatus?: number | null
  sendLagUs?: number
  ttftUs?: number
  tpotUs?: number
  outputTokens?: number
  cachedTokens?: number
}

type AnswerOf = (row: ScheduleRow, replica: number) => FakeAnswer

export interface FakeReplayOptions {
  clock: Clock
  answer?: AnswerOf
}

const SAMPLE_US = 500_000

/** A load generator without a network: what each request meets is said by a function, and time passes on the given clock. */
export function fakeReplay(options: FakeReplayOptions): Replay {
  const { clock } = options
  const answer = options.answer ?? (() => ({}))
  return {
    async send(_shape, target, row, signal) {
      signal.throwIfAborted()
      const record = recordOf(row, 0, target.index, answer(row, target.index))
      await clock.sleep(record.endUs / 1000, signal)
      return record
    },
    run: (order, control, signal) => new FakeRun(clock, order, control, answer).run(signal),
  }
}

interface Flying {
  record: RequestRecord
  gapUs: number
  isWarmup: boolean
}

class FakeRun {
  readonly #clock: Clock
  readonly #order: ReplayOrder
  readonly #control: ReplayControl
  readonly #answer: AnswerOf
  readonly #rows: readonly ScheduleRow[]
  #flying: Flying[] = []
  #next = 0
  #launched = 0
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
      const arrivalUs = this.#isOpen ? this.#arrivalUs() : null
      const ending = this.#flying.toSorted((a, b) => a.record.endUs - b.record.endUs)[0]
      if (arrivalUs === null && !ending) break
      const eventUs = Math.min(arrivalUs ?? Infinity, ending?.record.endUs ?? Infinity)
      await this.#passUntil(Math.min(eventUs, this.#nextSampleUs), signal)
      if (this.#nextSampleUs <= eventUs) this.#sample()
      else if (ending && ending.record.endUs <= (arrivalUs ?? Infinity)) this.#land(ending)
      else if (arrivalUs !== null) this.#arrive(arrivalUs)
    }
    this.#sample()
    return this.#outcome
  }

  async #passUntil(atUs: number, signal: AbortSignal): Promise<void> {
    const leftUs = this.#order.originUs + atUs - this.#clock.nowUs()
    if (leftUs > 0) await this.#clock.sleep(leftUs / 1000, signal)
  }

  /** When the next row arrives; null while it cannot. */
  #arrivalUs(): number | null {
    const row = this.#rows[this.#next]
    if (!row) return null
    const { load, warmup, warmupUs } = this.#order
    const isWarmup = this.#next < warmup.length
    if ('openMilliRps' in load) return dueAt(row.offsetUs, load.openMilliRps) - (isWarmup ? warmupUs : 0)
    const freeUs = this.#slotsUs[0]
    if (freeUs === undefined) return null
    if (isWarmup && freeUs >= 0) this.#next = warmup.length
    return this.#next < warmup.length ? freeUs : Math.max(0, freeUs)
  }

  #arrive(dueUs: number): void {
    const { warmup, blocks, maximumDurationUs, targets } = this.#order
    const index = this.#next
    const row = this.#rows[index] as ScheduleRow
    const isWarmup = index < warmup.length
    if (!isWarmup) {
      const starts = blocks.map((_, block) => warmup.length + blocks.slice(0, block).flat().length)
      const block = starts.indexOf(index)
      if (block > 0 && !this.#control.extend()) return void (this.#isOpen = false)
      if (dueUs > maximumDurationUs) {
        this.#outcome.maximumReached = true
        this.#isOpen = false
        return
      }
      if (block > 0) this.#outcome.cohortRequests += blocks[block]?.length ?? 0
      this.#outcome.arrivalUs = dueUs
      this.#sent += 1
    } else this.#outcome.warmupRequests += 1
    this.#next += 1
    this.#slotsUs.shift()
    const target = targets[this.#launched++ % targets.length]
    const replica = target?.index ?? 0
    const answer = this.#answer(row, replica)
    this.#flying.push({ record: recordOf(row, dueUs, replica, answer), gapUs: answer.tpotUs ?? 1000, isWarmup })
  }

  #land(flying: Flying): void {
    const { record, gapUs, isWarmup } = flying
    this.#flying = this.#flying.filter((other) => other !== flying)
    if (!('openMilliRps' in this.#order.load)) this.#slotsUs.push(record.endUs)
    if (isWarmup) return
    this.#resolved += 1
    this.#outcome.cohortUs = Math.max(this.#outcome.cohortUs, record.endUs)
    this.#control.onRecord(
      record,
      Array.from({ length: Math.max(0, record.chunks - 1) }, () => gapUs),
    )
    const reason = this.#outcome.stoppedEarly === null ? this.#control.stop() : null
    if (reason === null) return
    this.#outcome.stoppedEarly = reason
    this.#isOpen = false
  }

  #sample(): void {
    const atUs = Math.round(this.#clock.nowUs() - this.#order.originUs)
    const counts = { inFlight: this.#flying.length, backlog: 0, sent: this.#sent, resolved: this.#resolved }
    this.#control.onSample({ t: 'client', atUs, ...counts, ...UNDISTURBED })
    this.#nextSampleUs = atUs + SAMPLE_US
  }
}

function recordOf(row: ScheduleRow, dueUs: number, replica: number, answer: FakeAnswer): RequestRecord {
  const { status = 'ok', sendLagUs = 0, ttftUs = 10_000, tpotUs = 1000 } = answer
  const isOk = status === 'ok'
  const tokens = answer.outputTokens ?? row.outputTokens
  const sentUs = dueUs + sendLagUs
  const lastUs = sentUs + ttftUs + (tokens - 1) * tpotUs
  return {
    id: row.id,
    class: row.class,
    status,
    errorCode: answer.errorCode ?? (isOk ? null : 'http_status'),
    dueUs,
    sentUs,
    firstTokenUs: isOk ? sentUs + ttftUs : null,
    firstContentUs: isOk ? sentUs + ttftUs : null,
    lastTokenUs: isOk ? lastUs : null,
    endUs: isOk ? lastUs : sentUs + ttftUs,
    inputTokens: isOk ? row.inputTokens : null,
    outputTokens: isOk ? tokens : null,
    cachedTokens: isOk ? (answer.cachedTokens ?? 0) : null,
    chunks: isOk ? tokens : 0,
    gapUs: isOk && tokens > 1 ? { p50: tpotUs, p95: tpotUs, max: tpotUs } : null,
    httpStatus: answer.httpStatus ?? (isOk ? 200 : 500),
    finishReason: isOk ? 'length' : null,
    replica,
    session: row.session ?? null,
    turn: row.turn ?? null,
  }
}
