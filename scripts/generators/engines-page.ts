// What each dialect proves and how, and which arguments the manifest owns of it: the tables of docs/engines.md.
import { markdownTable } from 'markdown-table'
import { DIALECTS } from '../../src/core/dialect/choose.ts'
import type { CacheTiers } from '../../src/core/dialect/cache-tier.ts'
import type { CacheReset, Dialect, MetricSource } from '../../src/core/dialect/dialect.ts'
import type { ArgumentValue, OwnedArgument } from '../../src/core/dialect/owned-argument.ts'
import type { GeneratedFile } from '../generate.ts'
import { replacePart } from '../generate.ts'

export function generate(): Promise<GeneratedFile> {
  return replacePart('docs/engines.md', 'dialects', [seenTable(), proofTable(), argumentLists()].join('\n\n'))
}

const UNKNOWN = '–'
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``
const codes = (texts: readonly string[]): string => (texts.length === 0 ? UNKNOWN : texts.map(code).join(', '))

/** A table with the dialects as its columns, so that a page holds what is told of each. */
function byDialect(
  rows: readonly (readonly [string, (dialect: Dialect) => string])[],
  shown: readonly Dialect[],
): string {
  const head = ['', ...shown.map(({ title, id }) => `${title}<br>${code(id)}`)]
  return markdownTable([head, ...rows.map(([name, cell]) => [name, ...shown.map(cell)])])
}

const HALF = Math.ceil(DIALECTS.length / 2)

/** Nine columns are more than a screen has. */
function inHalves(rows: readonly (readonly [string, (dialect: Dialect) => string])[]): string {
  return [DIALECTS.slice(0, HALF), DIALECTS.slice(HALF)].map((half) => byDialect(rows, half)).join('\n\n')
}

const SIGHTINGS = { live: 'live', records: 'from records', documents: '`unseen`: documents only' } as const

function seenTable(): string {
  const rows = DIALECTS.map(({ id, title, names, seen, defaultPort, health, version, stop }) => [
    title,
    codes([id, ...names]),
    `${SIGHTINGS[seen.how]}, ${seen.version}`,
    String(defaultPort),
    health.field === null ? code(health.path) : `${code(health.path)}, ${code(health.field)} ${codes(health.healthy)}`,
    codes(version.map(({ path, field }) => `${path} → ${field}`)),
    `${stop.signal}; ${drains(stop)}`,
  ])
  const head = ['engine', '`engine.dialect`', 'last held against', 'port', 'healthy by', 'version by', 'stopped by']
  return `### Which there are\n\n${markdownTable([head, ...rows])}`
}

function drains({ finishesInFlight, workersOutliveServer, drainSetting }: Dialect['stop']): string {
  const what =
    { true: 'finishes what runs', false: 'drops what runs' }[String(finishesInFlight)] ?? 'draining not known'
  const workers = workersOutliveServer ? '; workers outlive a killed server' : ''
  return `${what}${drainSetting === null ? '' : ` (${code(drainSetting)})`}${workers}`
}

function proofTable(): string {
  const sources = (dialect: Dialect) => dialect.metrics?.sources
  const rows: readonly (readonly [string, (dialect: Dialect) => string])[] = [
    ['exact lengths', ({ request }) => codes([request.ignoreEos, request.minTokens].filter((name) => name !== null))],
    ['prompts of token ids', ({ request }) => (request.promptTokenIds ? 'yes' : UNKNOWN)],
    ['output ids', ({ request }) => codes(request.returnTokenIds === null ? [] : [request.returnTokenIds])],
    ['usage', ({ request }) => codes(request.includeUsage === null ? [] : [request.includeUsage])],
    ['usage on each chunk', ({ request }) => codes(request.continuousUsage === null ? [] : [request.continuousUsage])],
    ['unknown fields', ({ request }) => request.unknownFields ?? UNKNOWN],
    ['request id', ({ requestIdHeader }) => (requestIdHeader === null ? 'refused' : code(requestIdHeader))],
    ['cached tokens, a request', ({ answer }) => (answer.cachedTokens === null ? UNKNOWN : 'usage')],
    ['cached tokens, counted', (dialect) => metric(sources(dialect)?.promptTokensCached)],
    ['prefix hits', (dialect) => metric(sources(dialect)?.prefixHits)],
    ['cache salt', ({ request }) => codes(request.cacheSalt === null ? [] : [request.cacheSalt])],
    ['cache reset', ({ reset }) => resetCell(reset)],
    ['other caches of prompts', ({ cacheTiers }) => tiersCell(cacheTiers)],
    ['metrics', ({ paths }) => codes(paths.metrics === null ? [] : [paths.metrics])],
    ['running', (dialect) => metric(sources(dialect)?.running)],
    ['waiting', (dialect) => metric(sources(dialect)?.waiting)],
    ['KV in use', (dialect) => metric(sources(dialect)?.kvUsage)],
    ['preemptions', (dialect) => metric(sources(dialect)?.preemptions)],
    ['restarts, by', (dialect) => metric(sources(dialect)?.generationTokens)],
    ['idle connection closed', ({ connection }) => idleCell(connection)],
    [
      'to have probes',
      ({ mends }) =>
        Object.entries(mends)
          .map(([what, how]) => `${what.replaceAll('_', ' ')}: ${how}`)
          .join('; ') || UNKNOWN,
    ],
  ]
  return `### What each proves, and by what\n\n${UNKNOWN} is not there, or not known to be there: the evidence is \`unknown\`.\n\n${inHalves(rows)}`
}

function metric(source: MetricSource | null | undefined): string {
  if (!source) return UNKNOWN
  const names = [...source.names.slice(0, 1), ...(source.plus ?? [])].map(code).join(' + ')
  return source.unit === 'blocks' ? `${names} (blocks)` : names
}

function resetCell(reset: CacheReset | null): string {
  if (reset === null) return `${UNKNOWN} (restarted)`
  const { reading } = reset
  const paths = reset.paths.map((path) => code(`${reset.method} ${path.split('?', 1)[0]}`)).join(' or ')
  if (reading.by === 'field') return `${paths}, body ${code(reading.field)}`
  if (reading.by === 'status')
    return `${paths}, status ${reading.done.join(', ')}; refused by ${reading.refused.join(', ')}`
  return `${paths}, ${code(reading.cleared)} and no ${code(reading.failed)}`
}

const CLEARED = { reset: 'emptied by the reset', restart: 'by a restart', nothing: 'outlives both' } as const

function tiersCell({ known, isSeen }: CacheTiers): string {
  const tiers = known.map((tier) => {
    const by = [
      ...tier.arguments.filter((name) => !name.startsWith('-')).map((name) => `--${name}`),
      ...tier.environment,
    ]
    return `${tier.title} (${codes(by)}): ${CLEARED[tier.clearedBy]}`
  })
  return [...tiers, ...(isSeen ? [] : ['not seen from here'])].join('; ') || UNKNOWN
}

function idleCell({ closesAfterMs, environmentSeconds }: Dialect['connection']): string {
  return `${closesAfterMs / 1000} s${environmentSeconds === null ? '' : `, or ${code(environmentSeconds)}`}`
}

function argumentLists(): string {
  const lists = DIALECTS.filter((dialect) => dialect.arguments.length > 0).map((dialect) => {
    const generated = dialect.arguments.filter(({ value }) => value !== null)
    const refusedOnly = dialect.arguments.filter(({ value }) => value === null)
    return [
      `#### ${dialect.title}`,
      `Generated: ${generated.map(generatedText).join(', ')}.`,
      `Refused in the subject's own: those, and ${refusedOnly.map(({ long }) => code(`--${long}`)).join(', ')}.`,
      environmentText(dialect),
    ].join('\n\n')
  })
  return `### Arguments that the manifest owns\n\n${lists.join('\n\n')}`
}

function generatedText({ long, value }: OwnedArgument): string {
  return value === null ? '' : `${code(`--${long}`)} (${valueText(value)})`
}

function valueText(value: ArgumentValue): string {
  if ('text' in value) return `always ${value.text}`
  if ('flag' in value) return 'always'
  if ('positional' in value) return `${code(value.positional)}, as a bare word`
  if ('of' in value) return value.of === 'port' ? 'the replica’s port' : code(value.of)
  const forms = Object.entries(value.prefixCache).map(([state, form]) => {
    if (form === null) return `nothing where ${state}`
    return `${form ? 'set' : 'its `no-` form'} where ${state}`
  })
  return `${code('engine.prefix_cache')}: ${forms.join(', ')}`
}

function environmentText({ environment, ownedEnvironment }: Dialect): string {
  const set = Object.entries(environment).map(([name, value]) => code(`${name}=${value}`))
  const kept = Object.keys(ownedEnvironment).map(code)
  return `Environment set: ${set.join(', ') || 'none'}. Refused in the subject's: ${kept.join(', ') || 'none'}.`
}
