import type { Evidence } from '../kernel/evidence.ts'
import type { ScheduleRow } from '../schedule/schedule.ts'
import { expectedHit, liveClasses } from '../schedule/token-totals.ts'
import { blockEvidence, blockHit } from './cache-blocks.ts'
import { tierEvidence } from './cache-tiers.ts'
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
  /** What of its requests' tokens the schedule itself repeats: the history of sessions, which an engine reuses in any state. */
  inherent: number
}

type Verdict = (hits: HitShare) => Evidence['state']

/**
 * The point's prefix-cache hit rate against its state's limit (`cache_hit.cold`, `cache_hit.warm`), from the requests' own cached tokens,
 * else from the engine's counters; unknown where neither tells. A cold hit too many blames the client: the prompts or the reset were at
 * fault. What the schedule's own sessions repeat is added to the cold limit: reuse of a history is the workload, not a cache that was not
 * empty. Warm hits too few blame the engine when the prewarm was proven sent and its blocks can give as many, else the client.
 * `cache_hit.counters` shows the counters beside the requests, `cache_hit.blocks` what whole blocks can give, `cache_hit.tiers` whether
 * another cache may have served a cold point.
 */
export function cacheEvidence(view: PointView): Evidence[] {
  const told = fromRequests(view)
  const counted = fromCounters(view)
  const sources = [told, counted].filter((hits) => hits !== null)
  const { cache } = view.facts.key
  const evidence = [cache === 'cold' ? coldEvidence(view, sources) : warmEvidence(view, sources), ...tierEvidence(view)]
  const isRepeated = cache === 'warm' || view.manifest.workload.some(({ session }) => session)
  if (told && isRepeated) evidence.push(blockEvidence(told.share, blockHit(view)))
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
  const most = manifest.cache?.cold?.hit_rate_max ?? 0.01
  const shared = { probe: 'cache_hit.cold', required: true, blames: 'client', unit: 'share' } as const
  const limitOf = ({ inherent }: HitShare) => Math.min(1, most + inherent)
  const verdict: Verdict = (hits) =>
    hits.most <= limitOf(hits) ? 'pass' : hits.least > limitOf(hits) ? 'fail' : 'unknown'
  const hits = settling(sources, verdict)
  if (!hits) {
    return {
      ...shared,
      state: 'unknown',
      limit: most,
      text: 'neither the requests nor the counters tell cached tokens',
    }
  }
  const repeated = hits.inherent > 0 ? `, ${percent(hits.inherent)} can be what sessions repeat of themselves` : ''
  const text = `${percent(hits.share)} of the prompt tokens came from the cache, by ${hits.source}${repeated}`
  return {
    ...shared,
    state: verdict(hits),
    limit: limitOf(hits),
    value: hits.share,
    text: text + openText(hits, verdict),
  }
}

function warmEvidence(view: PointView, sources: readonly HitShare[]): Evidence {
  const { manifest, timeline } = view
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
  if (state !== 'fail') return { ...shared, state, limit, value: hits.share, text: found + openText(hits, verdict) }
  const blocks = blockHit(view)
  if (blocks === null || blocks.share >= limit)
    return { ...shared, state, limit, value: hits.share, text: `${found}, ${lost}` }
  const most = `${found}; the prefixes in whole blocks of ${blocks.blockTokens} tokens give no more than ${percent(blocks.share)}`
  return { ...shared, blames: 'client', state, limit, value: hits.share, text: most }
}

function openText(hits: HitShare, verdict: Verdict): string {
  if (verdict(hits) !== 'unknown') return ''
  return `; with those that do not tell between ${percent(hits.least)} and ${percent(hits.most)}`
}

/**
 * Over the successes that tell both their prompt's and their cached tokens. Some engines leave cached tokens out where there are none:
 * those that do not tell bound the share from both sides.
 */
function fromRequests(view: PointView): HitShare | null {
  const successes = view.records.filter(({ status }) => status === 'ok')
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
  const ids = new Set(successes.map(({ id }) => id))
  const inherent = inherentShare(view, ({ id }) => ids.has(id))
  return { share: cached / input, least, most, source: `${told} requests`, inherent }
}

/** The hit share by the engine's own counters; null where it does not count. */
export function countedHits(view: PointView): number | null {
  return fromCounters(view)?.share ?? null
}

/**
 * Cached over prompt tokens where the engine counts them: queries and hits of the prefix cache are counted again each time that a
 * request is scheduled anew, and so are wrong just when the engine is full.
 */
function fromCounters(view: PointView): HitShare | null {
  const { dialect, facts, timeline } = view
  const sources = dialect.metrics?.sources
  if (!sources) return null
  const windows = cohortWindows(timeline.scrapes, facts.cohortUs)
  const pairs = [
    { part: sources.promptTokensCached, whole: sources.promptTokens, source: 'the counter of cached prompt tokens' },
    { part: sources.prefixHits, whole: sources.prefixQueries, source: 'the prefix cache’s hit counter' },
  ]
  for (const { part, whole, source } of pairs) {
    // Blocks of tokens are no share.
    if (!part || !whole || part.unit !== whole.unit) continue
    const cached = totalRise(windows, part)
    const all = totalRise(windows, whole)
    if (cached.state !== 'risen' || all.state !== 'risen' || all.by === 0) continue
    const share = cached.by / all.by
    const cohort = new Set(view.schedule.rows.slice(0, facts.cohortRequests))
    return { share, least: share, most: share, source, inherent: inherentShare(view, (row) => cohort.has(row)) }
  }
  return null
}

/** At most, and so without rounding down to blocks, whose length the client does not know. Prefixes are no part of it. */
function inherentShare({ schedule, manifest }: PointView, isCounted: (row: ScheduleRow) => boolean): number {
  if (!manifest.workload.some(({ session }) => session)) return 0
  const bare = { ...schedule, header: { ...schedule.header, prefixes: [] } }
  return expectedHit(bare, schedule.rows.filter(isCounted), 1, liveClasses(manifest)).share
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`
}
