import type { Clock } from '../../app/ports/clock.ts'
import type { Replica } from '../../app/ports/engine.ts'
import type { Metrics, MetricsWatch } from '../../app/ports/metrics.ts'
import { isHtml } from '../../core/dialect/control-answers.ts'
import type { Dialect } from '../../core/dialect/dialect.ts'
import { metricNames } from '../../core/dialect/metric-names.ts'
import type { TelemetryLine } from '../../core/telemetry/line.ts'
import { parsePrometheus, seriesValues } from '../../core/telemetry/prometheus.ts'
import { httpCaller, printableLine } from '../system/bounded-http.ts'
import type { HttpCaller } from '../system/bounded-http.ts'
import type { EngineConnection } from '../system/engine-connection.ts'

/** An engine's whole metrics page is a few hundred kilobytes. A page is read in the measuring process: a larger one would delay it. */
const LARGEST_ANSWER = 4 * 1024 * 1024
/** Of the names that are read: ranks times label values. Each is kept, a second, for the whole point. */
const MOST_SERIES = 1000
const SCRAPE_DEADLINE_MS = 2000
/** A scrape ends before the next is due. */
const DEADLINE_SHARE = 0.8

export interface PrometheusMetrics extends Metrics, AsyncDisposable {}

interface Scrape {
  target: Replica
  dialect: Dialect
  originUs: number
  deadlineMs: number
}

/** Scrapes each replica directly, with a connection of its own for each scrape. */
export function prometheusMetrics(options: { clock: Clock; connection?: EngineConnection }): PrometheusMetrics {
  const caller = httpCaller(options.connection)
  const { clock } = options
  return {
    scrape: (target, dialect, originUs, signal) =>
      scrapeOnce(caller, clock, { target, dialect, originUs, deadlineMs: SCRAPE_DEADLINE_MS }, signal),
    watch: (order, onLine) => watchReplicas(caller, clock, order, onLine),
    [Symbol.asyncDispose]: () => caller[Symbol.asyncDispose](),
  }
}

/** The line carries the time at which the whole answer was there. */
async function scrapeOnce(
  caller: HttpCaller,
  clock: Clock,
  scrape: Scrape,
  signal: AbortSignal,
): Promise<TelemetryLine> {
  const { target, dialect, originUs, deadlineMs } = scrape
  const read = await readSeries(caller, target.url, dialect, deadlineMs, signal)
  const at = { atUs: clock.nowUs() - originUs, replica: target.index }
  return 'values' in read ? { t: 'engine', ...at, values: read.values } : { t: 'gap', ...at, error: read.error }
}

async function readSeries(
  caller: HttpCaller,
  url: string,
  dialect: Dialect,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<{ values: Record<string, number> } | { error: string }> {
  const path = dialect.paths.metrics
  if (path === null) return { error: 'this engine has no metrics route' }
  const call = { method: 'GET', origin: url, path, deadlineMs, maximumBytes: LARGEST_ANSWER } as const
  const result = await caller.call(call, signal)
  if ('why' in result) return { error: result.why }
  const { answer } = result
  if (answer.status !== 200) return { error: `answers ${answer.status}` }
  if (isHtml(answer)) return { error: 'answers HTML' }
  try {
    const values = seriesValues(parsePrometheus(answer.text, metricNames(dialect)))
    const count = Object.keys(values).length
    if (count > MOST_SERIES)
      return { error: `answers ${count} series of the names that are read: more than ${MOST_SERIES}` }
    return count > 0 ? { values } : { error: 'answers none of the series that are read' }
  } catch (error) {
    return { error: printableLine(error instanceof Error ? error.message : String(error), 200) }
  }
}

function watchReplicas(
  caller: HttpCaller,
  clock: Clock,
  order: MetricsWatch,
  onLine: (line: TelemetryLine) => void,
): AsyncDisposable {
  const stopping = new AbortController()
  const never = new AbortController().signal
  const deadlineMs = Math.max(1, Math.floor(order.intervalMs * DEADLINE_SHARE))
  const scrape = async (target: Replica) => {
    const { dialect, originUs } = order
    onLine(await scrapeOnce(caller, clock, { target, dialect, originUs, deadlineMs }, never))
  }
  const watchOne = async (target: Replica) => {
    const startUs = clock.nowUs()
    const intervalUs = order.intervalMs * 1000
    for (let tick = 1; ; tick += 1) {
      await scrape(target)
      if (order.dialect.paths.metrics === null) return
      const missed = Math.floor((clock.nowUs() - startUs) / intervalUs) + 1 - tick
      if (missed > 0) {
        // What was missed is told and never made up for: scrapes in a burst would say nothing of the time between.
        const error = `${missed} scrape${missed > 1 ? 's' : ''} left out: the last took too long`
        onLine({ t: 'gap', atUs: clock.nowUs() - order.originUs, replica: target.index, error })
        tick += missed
      }
      if (!(await sleptUntil(clock, startUs + tick * intervalUs, stopping.signal))) break
    }
    await scrape(target)
  }
  const watches = Promise.allSettled(order.replicas.map(watchOne))
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      const failed = (await watches).find((watch) => watch.status === 'rejected')
      if (failed) throw failed.reason
    },
  }
}

/** False when the watch ended first. */
async function sleptUntil(clock: Clock, dueUs: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false
  try {
    await clock.sleep(Math.max(0, dueUs - clock.nowUs()) / 1000, signal)
    return true
  } catch {
    return false
  }
}
