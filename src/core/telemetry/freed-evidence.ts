import type { Evidence } from '../kernel/evidence.ts'
import type { PointView } from './point-view.ts'
import { readMetric } from './series.ts'

/** In which a request that the client left must be out of the engine. */
const FREED_WITHIN_US = 5_000_000
/** How far apart the two ends' gauges may be read. */
const READ_APART_US = 1_000_000

/** What one replica held at a scrape, and the most that it can have been sent. */
interface Held {
  atUs: number
  requests: number
  limit: number
}

/**
 * `stability.freed`: whether the engine let go of the requests that the client left, by plan or at a deadline. No replica may at any scrape
 * run and hold more than the client had in flight at some moment of the five seconds before, and after the drain nothing may stay.
 * Nothing where no request was left; unknown where the engine shows no gauges.
 */
export function freedEvidence(view: PointView): Evidence[] {
  const left = view.records.filter(({ status }) => status === 'cancelled' || status === 'timeout').length
  if (left === 0) return []
  const shared = { probe: 'stability.freed', required: false, blames: 'engine', unit: 'requests' } as const
  const held = heldBy(view)
  if (held === null) return [{ ...shared, state: 'unknown', text: 'the engine’s running and waiting are not known' }]
  const kept = held.find(({ requests, limit }) => requests > limit)
  if (kept) {
    const text =
      `${left} requests were left, and ${(kept.atUs / 1e6).toFixed(1)} s into the cohort a replica held ${kept.requests}: ` +
      `in the 5 s before, no more than ${kept.limit} can have been in flight`
    return [{ ...shared, state: 'fail', value: kept.requests, limit: kept.limit, text }]
  }
  const quiesced = view.timeline.evidence.find(({ probe }) => probe === 'stability.quiesce')
  if (quiesced?.state !== 'pass') {
    const text =
      'no replica held more than can have been in flight, but that none was kept after the drain is not proven'
    return [{ ...shared, state: 'unknown', text }]
  }
  return [
    {
      ...shared,
      state: 'pass',
      text: `${left} requests were left, and gone from the engine within 5 s${kvText(view)}`,
    },
  ]
}

/** At each scrape of the cohort and after it; null where a replica shows no gauges. */
function heldBy(view: PointView): Held[] | null {
  const { running, waiting } = view.dialect.metrics?.sources ?? {}
  if (!running || !waiting) return null
  const inFlight = flights(view)
  const held: Held[] = []
  for (const scrapes of view.timeline.scrapes) {
    const before = held.length
    for (const { atUs, values } of scrapes) {
      const [runs, waits] = [readMetric(values, running), readMetric(values, waiting)]
      if (atUs < 0 || runs === null || waits === null) continue
      held.push({ atUs, requests: runs + waits, limit: mostInFlight(view, inFlight, atUs) })
    }
    if (held.length === before) return null
  }
  return held.length === 0 ? null : held
}

/** How many of the cohort's requests were in flight from a moment on. */
interface Flight {
  atUs: number
  count: number
}

function flights({ records }: PointView): Flight[] {
  const changes = records.flatMap(({ sentUs, endUs }) =>
    sentUs === null
      ? []
      : [
          { atUs: sentUs, by: 1 },
          { atUs: endUs, by: -1 },
        ],
  )
  // At one moment the sent ones first: the count is then the most that it was.
  changes.sort((a, b) => a.atUs - b.atUs || b.by - a.by)
  let count = 0
  return changes.map(({ atUs, by }) => ({ atUs, count: (count += by) }))
}

/** Of the cohort, of the warm-up while any of it can still be in flight, and the request that confirms the drain. */
function mostInFlight({ manifest, facts }: PointView, inFlight: readonly Flight[], atUs: number): number {
  const from = atUs - FREED_WITHIN_US
  const warmup = from <= manifest.client.request_timeout_seconds * 1e6 ? facts.warmupRequests : 0
  const first = inFlight.findLastIndex((flight) => flight.atUs <= from)
  let most = inFlight[first]?.count ?? 0
  for (let index = first + 1; index < inFlight.length; index++) {
    const flight = inFlight[index]
    if (!flight || flight.atUs > atUs + READ_APART_US) break
    most = Math.max(most, flight.count)
  }
  return most + warmup + 1
}

function kvText({ dialect, timeline }: PointView): string {
  const source = dialect.metrics?.sources.kvUsage
  if (!source) return ''
  const shares = timeline.scrapes.map((scrapes) => scrapes.map(({ values }) => readMetric(values, source) ?? 0))
  const most = Math.max(0, ...shares.flat())
  const last = Math.max(0, ...shares.map((replica) => replica.at(-1) ?? 0))
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  return `; KV in use fell from ${percent(most)} to ${percent(last)}`
}
