import type { TierHits } from '../dialect/cache-tier.ts'
import { tiersSwitchedOn } from '../dialect/cache-tier.ts'
import type { Evidence } from '../kernel/evidence.ts'
import type { PointView } from './point-view.ts'
import { parseSeriesKey } from './prometheus.ts'
import { cohortWindows, totalRise } from './series.ts'
import type { Scrape } from './timeline.ts'

type Found = Pick<Evidence, 'state' | 'required' | 'text'>

/**
 * `cache_hit.tiers` of a cold point: whether a cache beside the one in the GPUs' memory may have served it. One that the subject switches on
 * must be emptied before the point, or declared in `cache.tiers`; else that the point was cold is not known, whatever its hits say: the
 * prompts of a baseline are its candidate's. What cannot be seen at all is unknown and decides nothing. Nothing where the engine is known
 * to have none.
 */
export function tierEvidence(view: PointView): Evidence[] {
  const { cacheTiers } = view.dialect
  const isWithout = cacheTiers.known.length === 0 && cacheTiers.hits === null
  if (view.facts.key.cache !== 'cold' || isWithout) return []
  const gave = tierRise(view, cacheTiers.hits)
  const value = gave === null ? {} : { value: gave, unit: 'counts' }
  return [{ probe: 'cache_hit.tiers', blames: 'host', ...value, ...judged(view, gave) }]
}

function judged(view: PointView, gave: number | null): Found {
  const { dialect, manifest } = view
  const declared = manifest.cache?.tiers
  const deploy = manifest.engine.deploy
  const isOurs = deploy !== undefined && deploy.kind !== 'endpoint'
  const on = isOurs ? tiersSwitchedOn(dialect, deploy) : []
  const hasGiven = gave !== null && gave > 0
  const titles = on.map(({ title }) => title).join(', ')
  if (declared !== undefined && declared.length > 0) {
    return { state: 'pass', required: true, text: `declared in cache.tiers: ${declared.join(', ')}` }
  }
  const left = on.filter((tier) => !isCleared(view, tier.clearedBy))
  if (left.length > 0) {
    const text = `${left.map(({ title }) => title).join(', ')} is on, and nothing proves that it was emptied: declare it in cache.tiers`
    return { state: 'unknown', required: true, text }
  }
  if (hasGiven && on.length === 0) {
    const text =
      'a cache beside the GPUs’ memory served prompts, and it is not known that it was emptied: declare it in cache.tiers'
    return { state: 'unknown', required: true, text }
  }
  if (on.length > 0) return { state: 'pass', required: true, text: `${titles}: emptied before the point` }
  if (declared !== undefined) return { state: 'pass', required: true, text: 'cache.tiers says that there is none' }
  if (gave === 0) return { state: 'pass', required: true, text: 'no cache beside the GPUs’ memory gave anything' }
  if (isOurs && dialect.cacheTiers.isSeen) {
    return { state: 'pass', required: true, text: 'no cache beside the GPUs’ memory is switched on' }
  }
  const text = 'whether a cache beside the GPUs’ memory is on cannot be seen from here: cache.tiers can say so'
  return { state: 'unknown', required: false, text }
}

/** By the reset, where it worked; by a start, where each cold point has one. */
function isCleared({ dialect, manifest, timeline }: PointView, by: 'reset' | 'restart' | 'nothing'): boolean {
  const isRestarted = dialect.reset === null || manifest.cache?.cold?.restart === 'per_point'
  if (by === 'restart') return isRestarted
  const reset = timeline.evidence.find(({ probe }) => probe === 'cache_hit.reset')
  return by === 'reset' && (isRestarted || reset?.state === 'pass')
}

/** What the tiers gave during the cohort; null where the engine does not count it. A series of theirs may come with its first hit. */
function tierRise({ facts, timeline }: PointView, hits: TierHits | null): number | null {
  if (hits === null) return null
  const windows = cohortWindows(timeline.scrapes, facts.cohortUs)
  const all = totalRise(windows, hits)
  if (all.state !== 'risen') return null
  const own = totalRise(
    windows.map(({ before, after }) => ({ before: without(before, hits), after: without(after, hits) })),
    hits,
  )
  return own.state === 'risen' ? own.by : own.state === 'absent' ? 0 : null
}

function without(scrape: Scrape | undefined, { except }: TierHits): Scrape | undefined {
  const labels = Object.entries(except)
  if (!scrape || labels.length === 0) return scrape
  const kept = Object.entries(scrape.values).filter(([key]) => {
    const told = parseSeriesKey(key)?.labels ?? {}
    return !labels.some(([label, values]) => values.includes(told[label] ?? ''))
  })
  return { ...scrape, values: Object.fromEntries(kept) }
}
