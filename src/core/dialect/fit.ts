import type { ControlAnswer, ModelCard } from './control-answers.ts'
import { readHealth, readModels, readVersion } from './control-answers.ts'
import { DIALECTS } from './choose.ts'
import type { Dialect } from './dialect.ts'

/** What an engine answered to the GET routes of all dialects. */
export interface Surface {
  /** By path; none where it did not answer. */
  answers: ReadonlyMap<string, ControlAnswer>
  /** Names of the series on each metrics page that could be read, by path. */
  metricNames: ReadonlyMap<string, ReadonlySet<string>>
}

/** How well one table fits what an engine answers. */
export interface DialectFit {
  dialect: Dialect
  score: number
  /** What speaks for it and against it, in lines. */
  pro: readonly string[]
  contra: readonly string[]
}

/** What a server calls itself outweighs any two routes, which many servers share. */
const WEIGHT = { owner: 4, stranger: -2, health: 1, version: 2, metrics: 3 } as const

/** Every table against what an engine answered, best first; of equal ones the more particular (the order of the tables). */
export function fitDialects(surface: Surface): DialectFit[] {
  const cards = [...new Set(DIALECTS.map(({ paths }) => paths.models))].flatMap((path) => modelsAt(surface, path))
  const known = new Set(DIALECTS.flatMap(({ ownedBy }) => ownedBy))
  return DIALECTS.map((dialect) => fit(dialect, surface, cards, known)).toSorted((a, b) => b.score - a.score)
}

/** The GET routes that tell dialects apart. */
export function surfacePaths(): { plain: string[]; metrics: string[] } {
  const plain = DIALECTS.flatMap(({ health, version, paths }) => [
    health.path,
    paths.models,
    ...version.map(({ path }) => path),
  ])
  const metrics = DIALECTS.flatMap(({ paths }) => paths.metrics ?? [])
  return { plain: [...new Set(plain)], metrics: [...new Set(metrics)] }
}

function modelsAt({ answers }: Surface, path: string): readonly ModelCard[] {
  const answer = answers.get(path)
  const models = answer ? readModels(answer) : null
  return models && 'value' in models ? models.value : []
}

function fit(dialect: Dialect, surface: Surface, cards: readonly ModelCard[], known: ReadonlySet<string>): DialectFit {
  const marks = [
    ownerMark(dialect, cards, known),
    healthMark(dialect, surface),
    versionMark(dialect, surface),
    metricsMark(dialect, surface),
  ].filter((mark) => mark !== null)
  return {
    dialect,
    score: Math.round(marks.reduce((sum, { score }) => sum + score, 0) * 100) / 100,
    pro: marks.filter(({ score }) => score > 0).map(({ text }) => text),
    contra: marks.filter(({ score }) => score <= 0).map(({ text }) => text),
  }
}

interface Mark {
  score: number
  text: string
}

function ownerMark({ ownedBy }: Dialect, cards: readonly ModelCard[], known: ReadonlySet<string>): Mark | null {
  const owners = new Set(cards.flatMap((card) => card.ownedBy ?? []))
  const own = ownedBy.find((owner) => owners.has(owner))
  if (own !== undefined) return { score: WEIGHT.owner, text: `its model cards say owned_by ${own}` }
  const other = [...owners].find((owner) => known.has(owner))
  return other === undefined ? null : { score: WEIGHT.stranger, text: `its model cards say owned_by ${other}` }
}

function healthMark(dialect: Dialect, { answers }: Surface): Mark {
  const { path } = dialect.health
  const answer = answers.get(path)
  const healthy = answer !== undefined && 'value' in readHealth(dialect, answer)
  return healthy
    ? { score: WEIGHT.health, text: `${path} answers as it should` }
    : { score: -WEIGHT.health, text: `${path} does not` }
}

function versionMark({ version }: Dialect, { answers }: Surface): Mark | null {
  if (version.length === 0) return null
  for (const place of version) {
    const answer = answers.get(place.path)
    if (answer && 'value' in readVersion(place, answer)) {
      return { score: WEIGHT.version, text: `${place.path} tells its version` }
    }
  }
  const paths = version.map(({ path }) => path).join(' and ')
  return { score: -WEIGHT.version, text: `${paths} do${version.length > 1 ? '' : 'es'} not tell a version` }
}

/** A page may be off, or show its series with the first request: its lack says less than its presence. */
function metricsMark({ metrics, paths }: Dialect, { metricNames }: Surface): Mark | null {
  if (metrics === null || paths.metrics === null) return null
  const names = metricNames.get(paths.metrics)
  if (names === undefined) return { score: -1, text: `${paths.metrics} shows no metrics` }
  const roles = Object.values(metrics.sources).filter((source) => source !== null)
  const shown = roles.filter((source) => source.names.some((name) => names.has(name))).length
  const text = `${paths.metrics} shows ${shown} of its ${roles.length} quantities`
  return { score: shown === 0 ? -1 : (WEIGHT.metrics * shown) / roles.length, text }
}
