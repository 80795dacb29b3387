import type { Dialect } from '../../core/dialect/dialect.ts'
import type { TelemetryLine } from '../../core/telemetry/line.ts'
import type { Replica } from './engine.ts'

export interface MetricsWatch {
  replicas: readonly Replica[]
  dialect: Dialect
  /** The cohort's start on `Clock.nowUs`: lines carry times relative to it. */
  originUs: number
  intervalMs: number
}

export interface Metrics {
  /** One scrape of one replica now: an `engine` line, or a `gap` line saying why there is none. `atUs` is relative to originUs. */
  scrape(target: Replica, dialect: Dialect, originUs: number, signal: AbortSignal): Promise<TelemetryLine>
  /** Scrapes every replica now and every interval until disposed, where one last scrape of each is taken. */
  watch(order: MetricsWatch, onLine: (line: TelemetryLine) => void): AsyncDisposable
}
