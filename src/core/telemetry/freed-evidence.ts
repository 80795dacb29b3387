import type { Evidence } from '../kernel/evidence.ts'
import type { PointView } from './point-view.ts'
import { readMetric } from './series.ts'

/** In which a request that the client left must be out of the engine. */
const FREED_WITHIN_US = 5_000_000
/** How far apart the two ends' gauges may be read. */
const READ_APART_US = 1_000_000

/** KV in use below this share says nothing: a block more or less. */
const KV_SEEN = 0.05
/** After the drain, of the most that was in use. */
const KV_LEFT = 0.5

/** What one replica held at a scrape, and the most that it can have been sent. */
interface Held {
  atUs: number
  requests: number
  limit: number
}

/**
 * `stability.freed`: whether the engine let go of the requests that the client left, by plan or at a deadline. No replica may at any scrape
 * run and hold more than the client had in flight at some moment of the five seconds before, and after the drain nothing may stay, nor
 * more than half of the KV that was in use.
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
  const kv = kvOf(view)
  const stuck = kv?.find(({ most, last }) => most >= KV_SEEN && last > most * KV_LEFT)
  if (stuck) {
    const text = `${left} requests were left, and after the drain a replica still held KV: ${fell(stuck)}`
    return [{ ...shared, state: 'fail', value: stuck.last, limit: stuck.most * KV_LEFT, unit: 'share', text }]
  }
  const told = kv === null ? 'KV in use is not told' : `KV in use fell ${fell(fullest(kv))}`
  const text = `${left} requests were left, and gone from the engine within 5 s; ${told}`
  return [{ ...shared, state: 'pass', text }]
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

/** A replica's KV in use: the most that was seen, and the last, after the drain. */
interface KvUse {
  most: number
  last: number
}

/** Null where a replica does not show it. */
function kvOf({ dialect, timeline }: PointView): KvUse[] | null {
  const source = dialect.metrics?.sources.kvUsage
  if (!source) return null
  const uses = timeline.scrapes.flatMap((scrapes): KvUse[] => {
    const shares = scrapes.flatMap(({ values }) => readMetric(values, source) ?? [])
    const last = shares.at(-1)
    return last === undefined ? [] : [{ most: Math.max(...shares), last }]
  })
  return uses.length === timeline.scrapes.length && uses.length > 0 ? uses : null
}

function fullest(uses: readonly KvUse[]): KvUse {
  return { most: Math.max(...uses.map(({ most }) => most)), last: Math.max(...uses.map(({ last }) => last)) }
}

function fell({ most, last }: KvUse): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  return `from ${percent(most)} to ${percent(last)}`
}
