import type { PointKey } from '../../core/kernel/point.ts'
import { pointName } from '../../core/kernel/point.ts'
import type { RequestRecord } from '../../core/record/record.ts'
import { encodeJournalLine } from '../../core/record/journal.ts'
import type { ChunkSeries } from '../../core/record/gaps.ts'
import { ChunkHistograms, encodeRawGaps } from '../../core/record/gaps.ts'
import type { TelemetryLine } from '../../core/telemetry/line.ts'
import type { CohortProgress } from '../../core/capacity/progress.ts'
import type { LineSink } from '../ports/pack.ts'
import type { PointPhase, Progress } from '../ports/progress.ts'
import type { ReplayControl } from '../ports/replay.ts'

export interface CohortInit {
  key: PointKey
  journal: LineSink
  /** Where every gap goes as it was, if that was asked for. */
  rawGaps: LineSink | null
  counts: CohortProgress
  progress: Progress
  /** How long the arrivals take if no extension follows; null for a closed loop. */
  plannedSeconds: number | null
  onLine(line: TelemetryLine): void
}

/** One point's requests as they end: on disk at once, counted for the block decisions, kept for the files. */
export class Cohort implements ReplayControl {
  readonly records: RequestRecord[] = []
  readonly gaps = new Map<string, ChunkHistograms>()
  readonly #init: CohortInit
  #isExtended = false

  constructor(init: CohortInit) {
    this.#init = init
  }

  /** Throws what ended the journal: a cohort that is not kept is not worth its engine's time. */
  onRecord(record: RequestRecord, chunks: ChunkSeries): void {
    const { journal, rawGaps } = this.#init
    const failure = journal.failure ?? rawGaps?.failure ?? null
    if (failure !== null) throw failure
    this.records.push(record)
    journal.write(encodeJournalLine(record))
    rawGaps?.write(encodeRawGaps(record.id, chunks))
    this.#init.counts.add(record)
    if (record.status === 'ok') this.#chunksOf(record.class).add(chunks)
  }

  onSample(line: Extract<TelemetryLine, { t: 'client' }>): void {
    this.#init.onLine(line)
    const { key, plannedSeconds, counts } = this.#init
    const elapsedSeconds = line.atUs / 1e6
    this.#init.progress.point({
      point: pointName(key),
      rateRps: 'openMilliRps' in key.load ? key.load.openMilliRps / 1000 : null,
      phase: this.#phaseAt(elapsedSeconds),
      elapsedSeconds,
      plannedSeconds,
      sent: line.sent,
      resolved: line.resolved,
      failed: counts.failed(),
      inFlight: line.inFlight,
      backlog: line.backlog,
      attainment: counts.attainment(),
    })
  }

  extend(): boolean {
    const isNeeded = this.#init.counts.extensionNeeded()
    this.#isExtended ||= isNeeded
    return isNeeded
  }

  stop(): string | null {
    return this.#init.counts.hopeless()
  }

  #phaseAt(elapsedSeconds: number): PointPhase {
    const { plannedSeconds } = this.#init
    if (elapsedSeconds < 0) return 'warm-up'
    if (plannedSeconds === null || elapsedSeconds <= plannedSeconds) return 'arrivals'
    return this.#isExtended ? 'extension' : 'drain'
  }

  #chunksOf(name: string): ChunkHistograms {
    const known = this.gaps.get(name)
    if (known) return known
    const fresh = new ChunkHistograms()
    this.gaps.set(name, fresh)
    return fresh
  }
}
