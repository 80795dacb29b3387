import type { Dialect } from './dialect.ts'

/**
 * The wire names of every series that a point's evidence reads: sources, finished requests, stability counters, the KV cache's size. An
 * engine shows hundreds more, a second and replica for hours.
 */
export function metricNames({ metrics, stability }: Dialect): ReadonlySet<string> {
  const sources = Object.values(metrics?.sources ?? {}).flatMap((source) => [
    ...(source?.names ?? []),
    ...(source?.plus ?? []),
  ])
  const counters = stability.flatMap(({ names }) => names)
  const config = metrics?.cacheConfig ? [metrics.cacheConfig.name] : []
  return new Set([...sources, ...(metrics?.finished?.names ?? []), ...counters, ...config])
}
