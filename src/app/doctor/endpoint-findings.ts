import { readHealth, readModels, readVersion } from '../../core/dialect/control-answers.ts'
import type { ModelCard } from '../../core/dialect/control-answers.ts'
import type { Dialect, MetricRole } from '../../core/dialect/dialect.ts'
import type { DialectFit } from '../../core/dialect/fit.ts'
import type { DoctorFinding } from '../doctor.ts'
import type { Lack, ProbeName } from './lacks-table.ts'
import { LACKS } from './lacks-table.ts'
import type { Seen } from './surface.ts'

/** One probe's answer: a text alone where it passes. */
export type Probed = { pass: string } | { fail: string } | { unknown: string }

/** A finding of a probe, with what its lack costs and the mend where it does not pass. */
export function found(dialect: Dialect, probe: ProbeName, probed: Probed, required?: boolean): DoctorFinding {
  const lack: Lack = LACKS[probe]
  const shared = { probe, required: required ?? lack.required }
  if ('pass' in probed) return { ...shared, state: 'pass', text: probed.pass, cost: null, mend: null }
  const own = lack.mendable === undefined ? undefined : dialect.mends[lack.mendable]
  const mend = own === undefined ? lack.mend : `Start it with ${own}.`
  if ('fail' in probed) return { ...shared, state: 'fail', text: probed.fail, cost: lack.cost, mend }
  return { ...shared, state: 'unknown', text: probed.unknown, cost: lack.cost, mend }
}

const said = (why: string, words: string): string => (words.trim() === '' ? why : `${why}: ${words.slice(0, 200)}`)

export function healthFinding(dialect: Dialect, seen: Seen): DoctorFinding {
  const { path } = dialect.health
  const answer = seen.answers.get(path)
  if (answer === undefined) {
    return found(dialect, 'endpoint.health', { fail: `${path}: ${seen.silences.get(path) ?? 'not asked'}` })
  }
  const told = readHealth(dialect, answer)
  const probed = 'value' in told ? { pass: `${path} says so` } : { fail: `${path} ${said(told.why, told.said)}` }
  return found(dialect, 'endpoint.health', probed)
}

/** What it serves; with a model that is wanted, whether that is among it. */
export function modelsFinding(
  dialect: Dialect,
  seen: Seen,
  wanted: string | null,
): { finding: DoctorFinding; cards: readonly ModelCard[] } {
  const { models: path } = dialect.paths
  const answer = seen.answers.get(path)
  const told = answer ? readModels(answer) : { why: seen.silences.get(path) ?? 'not asked', said: '' }
  if ('why' in told) {
    const finding = found(dialect, 'endpoint.models', { fail: `${path} ${said(told.why, told.said)}` })
    return { finding, cards: [] }
  }
  const cards = told.value
  const shown = cards.slice(0, 3).map((card) => {
    const more = [
      card.root !== null && card.root !== card.id ? `root ${card.root}` : '',
      card.maxModelLen === null ? '' : `at most ${card.maxModelLen} tokens`,
    ].filter((part) => part !== '')
    return more.length === 0 ? card.id : `${card.id} (${more.join(', ')})`
  })
  const served = `serves ${shown.join(', ')}`
  const isThere = wanted === null || cards.some(({ id }) => id === wanted)
  const probed: Probed = isThere ? { pass: served } : { fail: `${served}, and not ${wanted}` }
  const none: Probed = { fail: `${path} lists no model` }
  return { finding: found(dialect, 'endpoint.models', cards.length > 0 ? probed : none), cards }
}

export function versionFinding(dialect: Dialect, seen: Seen): { finding: DoctorFinding; version: string | null } {
  const reasons: string[] = []
  for (const place of dialect.version) {
    const answer = seen.answers.get(place.path)
    const told = answer
      ? readVersion(place, answer)
      : { why: seen.silences.get(place.path) ?? 'was not asked', said: '' }
    if ('value' in told) {
      const pass = `${place.path} says ${told.value}`
      return { finding: found(dialect, 'endpoint.version', { pass }), version: told.value }
    }
    reasons.push(`${place.path} ${told.why}`)
  }
  const unknown = reasons.length > 0 ? reasons.join('; ') : `${dialect.title} has no route that tells its version`
  return { finding: found(dialect, 'endpoint.version', { unknown }), version: null }
}

/** Whether the dialect that was asked for is the one that fits. */
export function dialectFinding(asked: Dialect, fits: readonly DialectFit[]): DoctorFinding {
  const best = fits[0]
  const base = asked.id.split('+', 1)[0]
  if (best === undefined || best.dialect.id === base) {
    return found(asked, 'endpoint.dialect', { pass: `${asked.id} fits best` })
  }
  const because = best.pro.join(', ')
  return found(asked, 'endpoint.dialect', { unknown: `${best.dialect.id} fits better: ${because}` })
}

/** Which quantities of the dialect its metrics page shows, after traffic. */
export function metricsFindings(
  dialect: Dialect,
  names: ReadonlySet<string> | null,
  hasTokens: boolean,
): DoctorFinding[] {
  const path = dialect.paths.metrics
  if (path === null || dialect.metrics === null) {
    return [found(dialect, 'metrics.page', { unknown: `${dialect.title} has no metrics page` })]
  }
  if (names === null || names.size === 0) {
    return [found(dialect, 'metrics.page', { fail: `${path} shows no Prometheus text` })]
  }
  const { sources } = dialect.metrics
  const missing = (roles: readonly MetricRole[]): string[] =>
    roles.flatMap((role) => {
      const source = sources[role]
      if (source === null) return [`${role} (${dialect.title} is not known to show it)`]
      const isShown = source.names.some((name) => names.has(name))
      const lacks = (source.plus ?? []).filter((name) => !names.has(name))
      if (isShown && lacks.length === 0) return []
      return [isShown ? lacks.join(', ') : source.names.join(' or ')]
    })
  const all = (probe: ProbeName, roles: readonly MetricRole[], required?: boolean): DoctorFinding => {
    const lacks = missing(roles)
    const probed: Probed =
      lacks.length === 0 ? { pass: roles.join(', ') } : { unknown: `not shown: ${lacks.join('; ')}` }
    return found(dialect, probe, probed, required)
  }
  const counters = (['generationTokens', 'promptTokens'] as const).filter((role) => missing([role]).length === 0)
  const restarts: Probed =
    counters.length > 0 ? { pass: `${counters.join(', ')} count up` } : { unknown: 'no counter of tokens is shown' }
  const pairs = [
    ['promptTokensCached', 'promptTokens'],
    ['prefixHits', 'prefixQueries'],
  ] as const
  const pair = pairs.find((roles) => missing(roles).length === 0)
  const cache: Probed = pair
    ? { pass: pair.join(' of ') }
    : { unknown: 'neither cached prompt tokens nor hits and queries' }
  // A gauge that the table names and the page lacks leaves the queue unknown; one that it does not name leaves it to the client.
  const needsWaiting = sources.waiting !== null && missing(['waiting']).length > 0
  return [
    found(dialect, 'metrics.page', { pass: `${path} shows ${names.size} names` }),
    found(dialect, 'metrics.restarts', restarts),
    all('metrics.queue', ['running', 'waiting'], needsWaiting),
    found(dialect, 'metrics.cache', cache, !hasTokens),
    all('metrics.kv', ['kvUsage', 'preemptions']),
  ]
}
