import type { Evidence } from '../kernel/evidence.ts'
import type { PointView } from './point-view.ts'
import { cohortWindows, totalRise } from './series.ts'

/** Least share of the successes that must tell their cached tokens for the requests to be the source. */
const TOLD_MIN = 0.9

/** A hit rate: Σ cached / Σ input tokens, and where it was read. */
interface HitShare {
  share: number
  source: string
}

/**
 * The point's prefix-cache hit rate against its state's limit (`cache_hit.cold`, `cache_hit.warm`), from the requests' own cached tokens,
 * else from the engine's counters; unknown where neither tells. A cold hit too many blames the client: the prompts or the reset were at
 * fault. Warm hits too few blame the engine when the prewarm was proven sent, else the client. `cache_hit.counters` shows the counters
 * beside the requests.
 */
export function cacheEvidence(view: PointView): Evidence[] {
  const told = fromRequests(view)
  const counted = fromCounters(view)
  const hits = told ?? counted
  const { cache } = view.facts.key
  const evidence = [cache === 'cold' ? coldEvidence(view, hits) : warmEvidence(view, hits)]
  if (counted && told) {
    evidence.push({
      probe: 'cache_hit.counters',
      state: 'pass',
      required: false,
      blames: 'engine',
      value: counted.share,
      unit: 'share',
      text: `${percent(counted.share)} by ${counted.source}, ${percent(told.share)} by ${told.source}`,
    })
  }
  return evidence
}

function coldEvidence({ manifest }: PointView, hits: HitShare | null): Evidence {
  const limit = manifest.cache?.cold?.hit_rate_max ?? 0.01
  const shared = { probe: 'cache_hit.cold', required: true, blames: 'client', limit, unit: 'share' } as const
  if (!hits) return { ...shared, state: 'unknown', text: 'neither the requests nor the counters tell cached tokens' }
  const text = `${percent(hits.share)} of the prompt tokens came from the cache, by ${hits.source}`
  return { ...shared, state: hits.share <= limit ? 'pass' : 'fail', value: hits.share, text }
}

function warmEvidence({ manifest, timeline }: PointView, hits: HitShare | null): Evidence {
  const limit = manifest.cache?.warm?.hit_rate_min
  const prewarm = timeline.evidence.find(({ probe }) => probe === 'cache_hit.prewarm')
  const proven = prewarm?.state === 'pass'
  const shared = {
    probe: 'cache_hit.warm',
    required: true,
    blames: proven ? 'engine' : 'client',
    unit: 'share',
  } as const
  if (limit === undefined) return { ...shared, state: 'unknown', text: 'the manifest declares no warm cache' }
  if (!hits)
    return { ...shared, state: 'unknown', limit, text: 'neither the requests nor the counters tell cached tokens' }
  const found = `${percent(hits.share)} of the prompt tokens came from the cache, by ${hits.source}`
  const lost = proven
    ? 'although every prefix was sent before'
    : 'and it is not proven that the prefixes were sent before'
  const pass = hits.share >= limit
  return {
    ...shared,
    state: pass ? 'pass' : 'fail',
    limit,
    value: hits.share,
    text: pass ? found : `${found}, ${lost}`,
  }
}

/** Over the requests that tell both their prompt's and their cached tokens. */
function fromRequests({ records }: PointView): HitShare | null {
  const successes = records.filter(({ status }) => status === 'ok')
  let told = 0
  let cached = 0
  let input = 0
  for (const { cachedTokens, inputTokens } of successes) {
    if (cachedTokens === null || inputTokens === null) continue
    told += 1
    cached += cachedTokens
    input += inputTokens
  }
  if (input === 0 || told < TOLD_MIN * successes.length) return null
  return { share: cached / input, source: `${told} requests` }
}

/**
 * Cached over prompt tokens where the engine counts them: queries and hits of the prefix cache are counted again each time that a
 * request is scheduled anew, and so are wrong just when the engine is full.
 */
function fromCounters({ dialect, facts, timeline }: PointView): HitShare | null {
  const sources = dialect.metrics?.sources
  if (!sources) return null
  const windows = cohortWindows(timeline.scrapes, facts.cohortUs)
  const pairs = [
    { part: sources.promptTokensCached, whole: sources.promptTokens, source: 'the counter of cached prompt tokens' },
    { part: sources.prefixHits, whole: sources.prefixQueries, source: 'the prefix cache’s hit counter' },
  ]
  for (const { part, whole, source } of pairs) {
    if (!part || !whole) continue
    const cached = totalRise(windows, part)
    const all = totalRise(windows, whole)
    if (cached.state === 'risen' && all.state === 'risen' && all.by > 0) return { share: cached.by / all.by, source }
  }
  return null
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`
}
