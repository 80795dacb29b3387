import type { Dialect } from './dialect.ts'

/** Evidence that a dialect cannot show, whatever the engine: the group that a manifest requires, and what is missing. */
export interface Unproven {
  group: 'identity' | 'stability' | 'cache_hit'
  what: 'version' | 'token counter' | 'cached tokens'
}

export function unprovenBy(dialect: Dialect): Unproven[] {
  const { sources } = dialect.metrics ?? { sources: null }
  const found: Unproven[] = []
  if (dialect.version.length === 0) found.push({ group: 'identity', what: 'version' })
  if (!sources?.generationTokens && !sources?.promptTokens) found.push({ group: 'stability', what: 'token counter' })
  if (dialect.answer.cachedTokens === null && !(sources?.promptTokensCached ?? sources?.prefixHits))
    found.push({ group: 'cache_hit', what: 'cached tokens' })
  return found
}
