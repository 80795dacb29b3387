import type { Dialect } from '../../core/dialect/dialect.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import type { Load } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { ChunkSeries } from '../../core/record/gaps.ts'
import type { RequestRecord } from '../../core/record/record.ts'
import type { ScheduleHeader, ScheduleRow } from '../../core/schedule/schedule.ts'
import type { TelemetryLine } from '../../core/telemetry/line.ts'
import type { Replica } from './engine.ts'

/** Everything that shapes a request's bytes beside its schedule row. */
export interface RequestShape {
  manifest: Manifest
  dialect: Dialect
  header: ScheduleHeader
  /** The point's epoch: see `pointEpoch`. */
  epoch: number
  /** The dataset's texts, where rows name one. */
  texts?: readonly string[]
}

/** What became of a single request. */
export interface SingleAnswer extends RequestRecord {
  /** What the engine said as it refused it with another HTTP status than 200: printable, at most 300 characters. */
  refusal?: string
}

export interface ReplayOrder {
  shape: RequestShape
  targets: readonly Replica[]
  load: Load
  /** When the cohort starts, on `Clock.nowUs`: a row is due at originUs + dueUs(row.offsetUs, milliRps). */
  originUs: number
  /** Warm-up rows; offsets at one request a second from originUs − warmupUs. They flow without a gap into the cohort. */
  warmup: readonly ScheduleRow[]
  warmupUs: number
  /** The initial rows, then each committed extension block. */
  blocks: readonly (readonly ScheduleRow[])[]
  maximumDurationUs: number
}

export interface ReplayControl {
  /** A cohort request reached its terminal status; called in order of ending. `chunks` are its token-bearing ones. */
  onRecord(record: RequestRecord, chunks: ChunkSeries): void
  /** The client's own state, at 1 Hz or more. */
  onSample(line: Extract<TelemetryLine, { t: 'client' }>): void
  /** Asked when every row of a block was dispatched, or waits for its session: does the next block follow? */
  extend(): boolean
  /** Asked after each record: why the point may stop now, or null. Stopping ends arrivals; what is in flight is drained. */
  stop(): string | null
}

export interface ReplayOutcome {
  cohortRequests: number
  arrivalUs: number
  cohortUs: number
  maximumReached: boolean
  stoppedEarly: string | null
  warmupRequests: number
  /** What only the client can know of itself, e.g. event-loop delay. */
  evidence: readonly Evidence[]
}

/** The load generator. */
export interface Replay {
  /**
   * One request outside any cohort (smoke, prewarm, quiesce), its times from its own start; `earlier` are the turns that its prompt goes
   * on from. Never throws for what the engine did.
   */
  send(
    shape: RequestShape,
    target: Replica,
    row: ScheduleRow,
    signal: AbortSignal,
    earlier?: readonly ScheduleRow[],
  ): Promise<SingleAnswer>
  /**
   * One point. A row is due at its own time; a turn of a session at the later of it and the end of the turn before plus its think time.
   * Every row that fell due is sent and comes to one record. An abort by `signal` rejects after the sockets are closed; records already
   * ended were handed over.
   */
  run(order: ReplayOrder, control: ReplayControl, signal: AbortSignal): Promise<ReplayOutcome>
}
