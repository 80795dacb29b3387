import type { Dialect, MetricSource } from '../../dialect/dialect.ts'
import type { CohortTable } from '../../record/table.ts'
import { statusAt } from '../../record/table.ts'
import { nearestRank } from '../../slo/percentile.ts'
import type { PointFacts, TelemetryLine } from '../../telemetry/line.ts'
import { readMetric } from '../../telemetry/series.ts'
import type { Scrape, Timeline } from '../../telemetry/timeline.ts'
import { readTimeline } from '../../telemetry/timeline.ts'
import type { Lane, PointPicture, Quantiles } from './facts.ts'

/** Steps of probability from 0 to 1. */
const QUANTILE_STEPS = 40

export interface PictureOrder {
  dialect: Dialect
  table: CohortTable
  lines: readonly TelemetryLine[]
  /** Into how many equal stretches a point's time is parted at most. */
  stretches: number
}

/** Engines and GPUs are looked at once a second, the client five times: a shorter stretch would often hold nothing, like a gap. */
const SCRAPED_US_MIN = 1_500_000
const WATCHED_US_MIN = 500_000

/** What is drawn of a point, from its raw files; null where its telemetry does not begin with its facts. */
export function pointPicture({ dialect, table, lines, stretches }: PictureOrder): PointPicture | null {
  const [first] = lines
  if (first?.t !== 'point') return null
  const { facts } = first
  const timeline = readTimeline(lines, facts.replicas)
  const fromUs = Math.min(0, ...timeline.client.slice(0, 1).map(({ atUs }) => atUs))
  const toUs = Math.max(facts.cohortUs, 1)
  const every = (us: number) =>
    thinner({ fromUs, toUs, stretches: Math.max(1, Math.min(stretches, Math.floor((toUs - fromUs) / us))) })
  const [watched, scraped] = [every(WATCHED_US_MIN), every(SCRAPED_US_MIN)]
  return {
    fromUs,
    arrivalUs: facts.arrivalUs,
    cohortUs: facts.cohortUs,
    lanes: [
      ...clientLanes(timeline, watched),
      ...engineLanes(timeline, dialect, scraped),
      clockLane(timeline, scraped),
      sendLagLane(table, facts, watched),
    ],
    quantiles: quantilesOf(table),
  }
}

interface Sample {
  atUs: number
  value: number
}
type Thin = (of: Lane['of'], samples: Iterable<Sample>) => (number | null)[]

function thinner({ fromUs, toUs, stretches }: { fromUs: number; toUs: number; stretches: number }): Thin {
  return (of, samples) => {
    const sums: (number | null)[] = Array.from({ length: stretches }, () => null)
    const counts = new Float64Array(stretches)
    for (const { atUs, value } of samples) {
      if (atUs < fromUs || atUs > toUs || !Number.isFinite(value)) continue
      const at = Math.min(stretches - 1, Math.floor(((atUs - fromUs) / (toUs - fromUs)) * stretches))
      const was = sums[at] ?? null
      sums[at] = was === null ? value : JOIN[of](was, value)
      counts[at] = (counts[at] ?? 0) + 1
    }
    return of === 'mean' ? sums.map((sum, at) => (sum === null ? null : sum / (counts[at] ?? 1))) : sums
  }
}

const JOIN: Readonly<Record<Lane['of'], (was: number, value: number) => number>> = {
  highest: Math.max,
  lowest: Math.min,
  mean: (was, value) => was + value,
}

function clientLanes({ client }: Timeline, into: Thin): Lane[] {
  const values = client.map(({ atUs, inFlight }) => ({ atUs, value: inFlight }))
  return [{ title: 'in flight at the client', unit: 'requests', of: 'highest', values: into('highest', values) }]
}

function engineLanes({ scrapes }: Timeline, { metrics }: Dialect, into: Thin): Lane[] {
  const sources = metrics?.sources
  const gauge = (title: string, unit: string, source: MetricSource | null | undefined, scale = 1): Lane => {
    const read = source ? scrapes.map((replica) => gaugeOf(replica, source, scale)) : []
    return {
      title,
      unit,
      of: 'highest',
      values: across(
        read.map((samples) => into('highest', samples)),
        source?.unit === 'share',
      ),
    }
  }
  const rises = (source: MetricSource | null | undefined): Sample[] =>
    source ? scrapes.flatMap((replica) => risesOf(replica, source)) : []
  const cached = into('mean', rises(sources?.promptTokensCached ?? sources?.prefixHits))
  const asked = into('mean', rises(sources?.promptTokensCached ? sources.promptTokens : sources?.prefixQueries))
  const hits = cached.map((part, at) => {
    const whole = asked[at] ?? null
    return part === null || whole === null || whole === 0 ? null : (part / whole) * 100
  })
  return [
    gauge('waiting at the engine', 'requests', sources?.waiting),
    gauge('KV cache in use, fullest replica', '%', sources?.kvUsage, 100),
    { title: 'prompt tokens from the prefix cache', unit: '%', of: 'mean', values: hits },
    {
      title: 'preemptions between two scrapes',
      unit: 'events',
      of: 'highest',
      values: into('highest', rises(sources?.preemptions)),
    },
  ]
}

function gaugeOf(replica: readonly Scrape[], source: MetricSource, scale: number): Sample[] {
  return replica.flatMap(({ atUs, values }) => {
    const value = readMetric(values, source)
    return value === null ? [] : [{ atUs, value: value * scale }]
  })
}

/** What a counter rose by, at the later of two scrapes. One that fell counts anew, and that step is not known. */
function risesOf(replica: readonly Scrape[], source: MetricSource): Sample[] {
  const counts = gaugeOf(replica, source, 1)
  return counts.slice(1).flatMap(({ atUs, value }, index) => {
    const by = value - (counts[index]?.value ?? value)
    return by < 0 ? [] : [{ atUs, value: by }]
  })
}

/** Requests of the replicas add up; of shares the highest counts. A stretch that one replica lacks is not known. */
function across(replicas: readonly (readonly (number | null)[])[], isShare: boolean): (number | null)[] {
  const [first = []] = replicas
  return first.map((_, at) => {
    const values = replicas.map((values) => values[at] ?? null)
    if (values.some((value) => value === null)) return null
    const known = values.map((value) => value ?? 0)
    return isShare ? Math.max(...known) : known.reduce((sum, value) => sum + value, 0)
  })
}

function clockLane({ machine }: Timeline, into: Thin): Lane {
  const clocks = machine.flatMap(({ atUs, seen }) =>
    seen.kind === 'gpus' ? seen.gpus.flatMap(({ smMhz }) => (smMhz === null ? [] : [{ atUs, value: smMhz }])) : [],
  )
  return { title: 'SM clock, slowest GPU', unit: 'MHz', of: 'lowest', values: into('lowest', clocks) }
}

function sendLagLane(table: CohortTable, { arrivalUs }: PointFacts, into: Thin): Lane {
  return { title: 'send lag', unit: 'ms', of: 'highest', values: into('highest', sendLags(table, arrivalUs)) }
}

function* sendLags({ rows, dueUs, sentUs }: CohortTable, arrivalUs: number): Generator<Sample> {
  for (let row = 0; row < rows; row++) {
    const due = dueUs[row] ?? Number.NaN
    const sent = sentUs[row] ?? Number.NaN
    if (due <= arrivalUs) yield { atUs: due, value: (sent - due) / 1000 }
  }
}

function quantilesOf(table: CohortTable): Quantiles[] {
  return table.classes.texts.flatMap((name, index) => {
    const rows: number[] = []
    for (let row = 0; row < table.rows; row++) {
      if (table.classes.index[row] === index && statusAt(table, row) === 'ok') rows.push(row)
    }
    if (rows.length === 0) return []
    return [{ class: name, ttftMs: steps(rows, table.ttftMs), tpotMs: steps(rows, table.tpotMs) }]
  })
}

function steps(rows: readonly number[], column: Float64Array): number[] {
  const ascending = Float64Array.from(rows, (row) => column[row] ?? 0).sort()
  return Array.from({ length: QUANTILE_STEPS + 1 }, (_, step) => nearestRank(ascending, step / QUANTILE_STEPS) ?? 0)
}
