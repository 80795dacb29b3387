import type { Evidence } from '../kernel/evidence.ts'
import { expectedHit, liveClasses } from '../schedule/token-totals.ts'
import type { PointView } from './point-view.ts'
import { parseSeriesKey } from './prometheus.ts'

/** How far the observed hit rate may lie from the one that the schedule and the engine's blocks give, in shares of the prompt tokens. */
const MARGIN = 0.02

/** What the schedule's repeated prompts give with blocks of the engine's own length. */
export interface BlockHit {
  blockTokens: number
  share: number
}

/**
 * The hit rate of the successes where the cache holds all that was sent before, in whole blocks: a full repeat of 512 tokens hits 384 in
 * blocks of 128, since the last token is always computed. Null where the engine does not tell its blocks.
 */
export function blockHit(view: PointView): BlockHit | null {
  const blockTokens = blockTokensOf(view)
  if (blockTokens === null) return null
  const { schedule, manifest, records } = view
  const ids = new Set(records.filter(({ status }) => status === 'ok').map(({ id }) => id))
  const rows = schedule.rows.filter(({ id }) => ids.has(id))
  return { blockTokens, share: expectedHit(schedule, rows, blockTokens, liveClasses(manifest)).share }
}

/** The longest block of any replica, by the newest scrapes. */
function blockTokensOf({ dialect, timeline }: Pick<PointView, 'dialect' | 'timeline'>): number | null {
  const config = dialect.metrics?.cacheConfig
  if (!config) return null
  const lengths = timeline.scrapes.flatMap((scrapes) =>
    Object.keys(scrapes.at(-1)?.values ?? {}).flatMap((key) => {
      const series = parseSeriesKey(key)
      const length = series?.name === config.name ? Number(series.labels[config.blockTokens]) : Number.NaN
      return Number.isSafeInteger(length) && length > 0 ? [length] : []
    }),
  )
  return lengths.length === 0 ? null : Math.max(...lengths)
}

/**
 * `cache_hit.blocks`: the observed hit rate against that of `blockHit`. Advice: an engine whose cache is too small for the load loses hits,
 * and what that costs its latencies show; how many are too few is the manifest's to say.
 */
export function blockEvidence(observed: number, expected: BlockHit | null): Evidence {
  const shared = {
    probe: 'cache_hit.blocks',
    required: false,
    blames: 'engine',
    unit: 'share',
    value: observed,
  } as const
  if (expected === null)
    return { ...shared, state: 'unknown', text: 'the engine does not tell how long its cache’s blocks are' }
  const away = observed - expected.share
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`
  const text =
    `${percent(observed)} of the prompt tokens came from the cache; ` +
    `whole blocks of ${expected.blockTokens} tokens give ${percent(expected.share)}, within ${percent(MARGIN)}`
  return { ...shared, state: Math.abs(away) <= MARGIN ? 'pass' : 'fail', limit: expected.share, text }
}
