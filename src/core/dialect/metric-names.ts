import type { Dialect } from './dialect.ts'

/**
 * The wire names of every series that a point's evidence reads: sources, finished requests, stability counters, the KV cache's size, what
 * other tiers gave. An engine shows hundreds more, a second and replica for hours.
 */
export function metricNames({ metrics, stability, cacheTiers }: Dialect): ReadonlySet<string> {
  const sources = Object.values(metrics?.sources ?? {}).flatMap((source) => [
    ...(source?.names ?? []),
    ...(source?.plus ?? []),
  ])
  const counters = stability.flatMap(({ names }) => names)
  const config = metrics?.cacheConfig ? [metrics.cacheConfig.name] : []
  const finished = metrics?.finished?.names ?? []
  return new Set([...sources, ...finished, ...counters, ...config, ...(cacheTiers.hits?.names ?? [])])
}
