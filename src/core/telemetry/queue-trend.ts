import { meanOf, theilSenSlope } from './theil-sen.ts'
import { walkNoise } from './walk-noise.ts'

const CELL_US = 1_000_000
/** A value holds for this long where its cell has no sample of its own: a second and a scrape's jitter. */
const HOLD_US = 1_500_000
/** Least share of the window's seconds that must have been sampled. */
const SAMPLED_MIN = 0.9
/** Rise that noise of a short queue reaches by itself, in requests. */
const RISE_MIN = 4
/** Rise that counts, as a share of the mean number in flight. */
const RISE_SHARE = 0.3
/** Standard deviation of slope × window, and of the thirds' difference, of a random walk whose end has a standard deviation of one. */
const WALK_RISE = Math.sqrt(6 / 5)
const WALK_THIRDS = Math.sqrt(5 / 9)

export interface Gauge {
  atUs: number
  value: number
}

interface QueueSeries {
  name: 'in flight' | 'backlog' | 'waiting'
  /** Share of the window's seconds that were sampled. */
  sampled: number
  /** Theil–Sen slope × window, in requests; null where it could not be told. */
  rise: number | null
  /** What the rise must exceed. */
  riseLimit: number
  /** Mean of the last third less mean of the first. */
  thirds: number | null
  thirdsLimit: number
  growing: boolean
}

export interface QueueTrend {
  trend: 'flat' | 'growing' | 'unknown'
  series: QueueSeries[]
}

export interface QueueInput {
  /** The arrival window, from the cohort's start. */
  arrivalUs: number
  inFlight: readonly Gauge[]
  backlog: readonly Gauge[]
  /** The engine's waiting gauge for each replica; null where the engine has none. */
  waiting: readonly (readonly Gauge[])[] | null
}

/**
 * Whether the queue grew over the arrival window. `growing` when on any series the Theil–Sen rise and the difference of the last and
 * first thirds' means both exceed max(4, 30 % of the mean in flight) and what a queue that only wanders would show (its own noise, as a
 * random walk); else `unknown` when any series was sampled less than 90 %; else `flat`. An engine without a waiting gauge is judged by the client's series: what waits at the engine is in flight at the client.
 * Operating table: docs/decisions/queue-trend.md.
 */
export function queueTrend(input: QueueInput): QueueTrend {
  const seconds = Math.floor(input.arrivalUs / CELL_US)
  const inFlight = cells(input.inFlight, seconds)
  const limit = Math.max(RISE_MIN, RISE_SHARE * (meanOf(inFlight) || 0))
  const series = [
    judged('in flight', inFlight, limit),
    judged('backlog', cells(input.backlog, seconds), limit),
    ...(input.waiting ? [judged('waiting', summed(input.waiting, seconds), limit)] : []),
  ]
  if (series.some(({ growing }) => growing)) return { trend: 'growing', series }
  const known = seconds >= 3 && series.every(({ sampled }) => sampled >= SAMPLED_MIN)
  return { trend: known ? 'flat' : 'unknown', series }
}

/** Share of the window's whole seconds of which a gauge was sampled; 0 for a window without one. */
export function sampledShare(gauges: readonly Gauge[], windowUs: number): number {
  return shareKnown(cells(gauges, Math.floor(windowUs / CELL_US)))
}

function shareKnown(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.filter((value) => !Number.isNaN(value)).length / values.length
}

function judged(name: QueueSeries['name'], values: readonly number[], limit: number): QueueSeries {
  const sampled = shareKnown(values)
  const slope = theilSenSlope(values)
  const rise = slope === null ? null : slope * values.length
  const third = Math.floor(values.length / 3)
  const difference = meanOf(values.slice(values.length - third)) - meanOf(values.slice(0, third))
  const thirds = Number.isNaN(difference) ? null : difference
  const noise = walkNoise(values)
  const riseLimit = Math.max(limit, WALK_RISE * noise)
  const thirdsLimit = Math.max(limit, WALK_THIRDS * noise)
  const enough = sampled >= SAMPLED_MIN && rise !== null && thirds !== null
  const growing = enough && rise > riseLimit && thirds > thirdsLimit
  return { name, sampled, rise, riseLimit, thirds, thirdsLimit, growing }
}

/** One value for each second of the window: the mean of its samples, else the last one within the hold; NaN where none is. */
function cells(gauges: readonly Gauge[], seconds: number): number[] {
  const values: number[] = []
  let next = 0
  let last: Gauge | undefined
  for (let cell = 0; cell < seconds; cell += 1) {
    const end = (cell + 1) * CELL_US
    let sum = 0
    let count = 0
    for (let gauge = gauges[next]; gauge && gauge.atUs < end; gauge = gauges[++next]) {
      last = gauge
      if (gauge.atUs < cell * CELL_US) continue
      sum += gauge.value
      count += 1
    }
    values.push(count > 0 ? sum / count : last && end - last.atUs <= HOLD_US ? last.value : Number.NaN)
  }
  return values
}

/** Replicas added up; a second in which one of them is missing is missing. */
function summed(replicas: readonly (readonly Gauge[])[], seconds: number): number[] {
  const each = replicas.map((gauges) => cells(gauges, seconds))
  return Array.from({ length: seconds }, (_, cell) =>
    each.length === 0 ? Number.NaN : each.reduce((sum, values) => sum + (values[cell] ?? Number.NaN), 0),
  )
}
