import type { EngineMetrics, MetricSource, StabilityCounter } from './dialect.ts'

/** A counter, added up over its series. */
export function counter(unit: MetricSource['unit'], ...names: string[]): MetricSource {
  return { names, kind: 'counter', unit, across: 'sum' }
}

/** A gauge of requests, added up over its series. */
export function requestGauge(...names: string[]): MetricSource {
  return { names, kind: 'gauge', unit: 'requests', across: 'sum' }
}

/** A share in use, of which the fullest rank's counts. */
export function shareGauge(...names: string[]): MetricSource {
  return { names, kind: 'gauge', unit: 'share', across: 'max' }
}

/** What an engine shows where nothing else is said. */
export const NO_SOURCES: EngineMetrics['sources'] = {
  running: null,
  waiting: null,
  kvUsage: null,
  prefixQueries: null,
  prefixHits: null,
  promptTokens: null,
  promptTokensCached: null,
  generationTokens: null,
  preemptions: null,
}

/** A counter that the engine is asked about before and after a point. */
export function watched(
  id: string,
  names: readonly string[],
  title: string,
  rest: Partial<Pick<StabilityCounter, 'labels' | 'onRise' | 'countsLate'>> = {},
): StabilityCounter {
  return { id, names, labels: {}, onRise: 'record', blames: 'engine', title, ...rest }
}
