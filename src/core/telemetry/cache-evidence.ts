import type { Evidence } from '../kernel/evidence.ts'
import type { PointView } from './point-view.ts'
import { cohortWindows, totalRise } from './series.ts'

/** Least share of the successes that must tell their cached tokens for the requests to be the source. */
const TOLD_MIN = 0.9

/** A hit rate: Σ cached / Σ input tokens, and where it was read. */
interface HitShare {
  share: number
  /** What it is at least and at most, whatever the successes that do not tell would have said. */
  least: number
  most: number
  source: string
}

type Verdict = (hits: HitShare) => Evidence['state']

/**
 * The point's prefix-cache hit rate against its state's limit (`cache_hit.cold`, `cache_hit.warm`), from the requests' own cached tokens,
 * else from the engine's counters; unknown where neither tells. A cold hit too many blames the client: the prompts or the reset were at
 * fault. Warm hits too few blame the engine when the prewarm was proven sent, else the client. `cache_hit.counters` shows the counters
 * beside the requests.
 */
export function cacheEvidence(view: PointView): Evidence[] {
  const told = fromRequests(view)
  const counted = fromCounters(view)
  const sources = [told, counted].filter((hits) => hits !== null)
  const { cache } = view.facts.key
  const evidence = [cache === 'cold' ? coldEvidence(view, sources) : warmEvidence(view, sources)]
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

/** The first source that settles it, else the first there is. */
function settling(sources: readonly HitShare[], verdict: Verdict): HitShare | null {
  return sources.find((hits) => verdict(hits) !== 'unknown') ?? sources[0] ?? null
}

function coldEvidence({ manifest }: PointView, sources: readonly HitShare[]): Evidence {
  const limit = manifest.cache?.cold?.hit_rate_max ?? 0.01
  const shared = { probe: 'cache_hit.cold', required: true, blames: 'client', limit, unit: 'share' } as const
  const verdict: Verdict = ({ least, most }) => (most <= limit ? 'pass' : least > limit ? 'fail' : 'unknown')
  const hits = settling(sources, verdict)
  if (!hits) return { ...shared, state: 'unknown', text: 'neither the requests nor the counters tell cached tokens' }
  const text = `${percent(hits.share)} of the prompt tokens came from the cache, by ${hits.source}`
  return { ...shared, state: verdict(hits), value: hits.share, text: text + openText(hits, verdict) }
}

function warmEvidence({ manifest, timeline }: PointView, sources: readonly HitShare[]): Evidence {
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
  const verdict: Verdict = ({ least, most }) => (least >= limit ? 'pass' : most < limit ? 'fail' : 'unknown')
  const hits = settling(sources, verdict)
  if (!hits)
    return { ...shared, state: 'unknown', limit, text: 'neither the requests nor the counters tell cached tokens' }
  const found = `${percent(hits.share)} of the prompt tokens came from the cache, by ${hits.source}`
  const lost = proven
    ? 'although every prefix was sent before'
    : 'and it is not proven that the prefixes were sent before'
  const state = verdict(hits)
  const text = state === 'fail' ? `${found}, ${lost}` : found + openText(hits, verdict)
  return { ...shared, state, limit, value: hits.share, text }
}

function openText(hits: HitShare, verdict: Verdict): string {
  if (verdict(hits) !== 'unknown') return ''
  return `; with those that do not tell between ${percent(hits.least)} and ${percent(hits.most)}`
}

/**
 * Over the successes that tell both their prompt's and their cached tokens. Some engines leave cached tokens out where there are none:
 * those that do not tell bound the share from both sides.
 */
function fromRequests({ records }: PointView): HitShare | null {
  const successes = records.filter(({ status }) => status === 'ok')
  let told = 0
  let cached = 0
  let input = 0
  let open = 0
  for (const { cachedTokens, inputTokens } of successes) {
    if (cachedTokens === null || inputTokens === null) {
      open += inputTokens ?? 0
      continue
    }
    told += 1
    cached += cachedTokens
    input += inputTokens
  }
  if (input === 0 || told < TOLD_MIN * successes.length) return null
  const [least, most] = [cached / (input + open), (cached + open) / (input + open)]
  return { share: cached / input, least, most, source: `${told} requests` }
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
    if (cached.state !== 'risen' || all.state !== 'risen' || all.by === 0) continue
    const share = cached.by / all.by
    return { share, least: share, most: share, source }
  }
  return null
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`
}
