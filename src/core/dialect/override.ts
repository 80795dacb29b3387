import { canonicalSha256, type JsonValue } from '../kernel/canonical.ts'
import type { CacheTiers } from './cache-tier.ts'
import { METRIC_ROLES } from './dialect.ts'
import type { CacheReset, Dialect, EngineMetrics, MetricRole, MetricSource, RequestFields } from './dialect.ts'
import { NO_SOURCES } from './metric-source.ts'
import type { ArgumentValue, OwnedArgument } from './owned-argument.ts'
import { dialectOverrideSchema, snake } from './override-schema.ts'
import type { DialectOverride } from './override-schema.ts'

/** Hexadecimal digits of the override's digest in the dialect's id. */
const ID_DIGITS = 8

/** What parts an overridden dialect's id. */
export const OVERRIDE_MARK = '+'

/** A value as an override, where it is a good one. */
export function readOverride(value: unknown): DialectOverride | null {
  const parsed = dialectOverrideSchema.safeParse(value)
  return parsed.success ? parsed.data : null
}

/**
 * The base with what a manifest states of it. Mappings are merged, lists and single things (a metric, the reset, the health check) are
 * replaced. Whether its capacity is simulated is the base's to say.
 */
export function overridden(base: Dialect, override: DialectOverride): Dialect {
  const { paths, health, version, request, connection, environment, precisions } = override
  const digest = canonicalSha256(override as unknown as JsonValue).slice(0, ID_DIGITS)
  return {
    ...base,
    id: `${base.id}${OVERRIDE_MARK}${digest}`,
    title: override.title ?? `${base.title}, as the manifest overrides it`,
    names: [],
    paths: { ...base.paths, ...given(paths ?? {}) },
    health: health ?? base.health,
    version: version ?? base.version,
    reset: override.reset === undefined ? base.reset : resetOf(override.reset),
    cacheTiers: override.cache_tiers === undefined ? base.cacheTiers : tiersOf(override.cache_tiers),
    requestIdHeader: override.request_id_header === undefined ? base.requestIdHeader : override.request_id_header,
    connection: {
      closesAfterMs: connection?.closes_after_ms ?? base.connection.closesAfterMs,
      environmentSeconds:
        connection?.environment_seconds === undefined
          ? base.connection.environmentSeconds
          : connection.environment_seconds,
    },
    request: requestOf(base.request, request ?? {}),
    precisions: precisions ?? base.precisions,
    arguments: argumentsOf(base.arguments, override.arguments),
    environment: { ...base.environment, ...environment },
    ownedEnvironment: { ...base.ownedEnvironment, ...override.owned_environment },
    metrics: metricsOf(base.metrics, override.metrics),
    stability:
      override.stability?.map(({ on_rise: onRise, ...counter }) => ({ ...counter, onRise, blames: 'engine' })) ??
      base.stability,
    stop: { ...base.stop, ...override.stop },
  }
}

/** Without what is not stated: it would hide the base's. */
function given<T extends object>(mapping: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const stated = Object.entries(mapping).filter(([, value]) => value !== undefined)
  return Object.fromEntries(stated) as { [Key in keyof T]?: Exclude<T[Key], undefined> }
}

function resetOf(reset: NonNullable<DialectOverride['reset']> | null): CacheReset | null {
  if (reset === null) return null
  const { reading } = reset
  if (reading.by !== 'field') return { ...reset, reading }
  return { ...reset, reading: { by: 'field', field: reading.field, emptyBody: reading.empty_body } }
}

function tiersOf({ known, is_seen: isSeen, hits }: NonNullable<DialectOverride['cache_tiers']>): CacheTiers {
  return { isSeen, hits, known: known.map(({ cleared_by: clearedBy, ...tier }) => ({ ...tier, clearedBy })) }
}

function requestOf(base: RequestFields, now: NonNullable<DialectOverride['request']>): RequestFields {
  const or = <T>(stated: T | undefined, otherwise: T): T => (stated === undefined ? otherwise : stated)
  return {
    ...base,
    promptTokenIds: or(now.prompt_token_ids, base.promptTokenIds),
    maxTokens: {
      completions: or(now.max_tokens, base.maxTokens.completions),
      chat: or(now.chat_max_tokens, base.maxTokens.chat),
    },
    minTokens: or(now.min_tokens, base.minTokens),
    ignoreEos: or(now.ignore_eos, base.ignoreEos),
    returnTokenIds: or(now.return_token_ids, base.returnTokenIds),
    includeUsage: or(now.include_usage, base.includeUsage),
    continuousUsage: or(now.continuous_usage, base.continuousUsage),
    cacheSalt: or(now.cache_salt, base.cacheSalt),
    seed: or(now.seed, base.seed),
  }
}

/** An argument that is added replaces the base's of the same name. */
function argumentsOf(base: readonly OwnedArgument[], change: DialectOverride['arguments']): readonly OwnedArgument[] {
  if (change === undefined) return base
  const plain = (name: string): string => name.replaceAll('_', '-')
  const gone = new Set([...change.remove, ...change.add.map(({ long }) => long)].map(plain))
  const added = change.add.map((argument): OwnedArgument => {
    const { takes_value: takesValue, left_to_subject: leftToSubject, value, ...rest } = argument
    return { ...rest, takesValue, leftToSubject, value: value === null ? null : valueOf(value) }
  })
  return [...base.filter(({ long }) => !gone.has(plain(long))), ...added]
}

type StatedValue = NonNullable<NonNullable<DialectOverride['arguments']>['add'][number]['value']>

function valueOf(value: StatedValue): ArgumentValue {
  if ('prefix_cache' in value) return { prefixCache: value.prefix_cache }
  if (!('of' in value)) return value
  return {
    of: value.of,
    ...(value.words === undefined ? {} : { words: value.words }),
    ...(value.except === undefined ? {} : { except: value.except }),
  }
}

const ROLE_UNITS: Readonly<Record<MetricRole, MetricSource['unit']>> = {
  running: 'requests',
  waiting: 'requests',
  kvUsage: 'share',
  prefixQueries: 'tokens',
  prefixHits: 'tokens',
  promptTokens: 'tokens',
  promptTokensCached: 'tokens',
  generationTokens: 'tokens',
  preemptions: 'events',
}

function metricsOf(base: EngineMetrics | null, now: DialectOverride['metrics']): EngineMetrics | null {
  if (now === undefined) return base
  if (now === null) return null
  const before: EngineMetrics = base ?? { sources: NO_SOURCES, finished: null, cacheConfig: null }
  const stated: Readonly<Record<string, unknown>> = now
  const sources = METRIC_ROLES.map((role) => {
    const change = stated[snake(role)] as StatedSource | null | undefined
    if (change === undefined) return [role, before.sources[role]] as const
    return [role, change === null ? null : sourceOf(role, before.sources[role], change)] as const
  })
  const config = now.cache_config
  return {
    sources: Object.fromEntries(sources) as EngineMetrics['sources'],
    finished: before.finished,
    cacheConfig:
      config === undefined
        ? before.cacheConfig
        : config && {
            name: config.name,
            blockTokens: config.block_tokens,
            blocks: config.blocks,
            tokens: config.tokens,
          },
  }
}

type StatedSource = NonNullable<NonNullable<DialectOverride['metrics']>['running']>

function sourceOf(role: MetricRole, base: MetricSource | null, now: StatedSource): MetricSource {
  const isGauge = role === 'running' || role === 'waiting' || role === 'kvUsage'
  const unit = now.unit ?? base?.unit ?? ROLE_UNITS[role]
  return {
    names: now.names,
    kind: now.kind ?? base?.kind ?? (isGauge ? 'gauge' : 'counter'),
    unit,
    across: now.across ?? base?.across ?? (unit === 'share' ? 'max' : 'sum'),
    ...(now.plus === undefined ? {} : { plus: now.plus }),
  }
}
