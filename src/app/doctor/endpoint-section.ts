import type { Dialect } from '../../core/dialect/dialect.ts'
import type { DialectFit } from '../../core/dialect/fit.ts'
import { fitDialects } from '../../core/dialect/fit.ts'
import { OPENAI } from '../../core/dialect/openai-table.ts'
import type { DoctorFinding, DoctorReport, DoctorSection } from '../doctor.ts'
import type { EngineProbe } from '../ports/engine-probe.ts'
import {
  dialectFinding,
  found,
  healthFinding,
  metricsFindings,
  modelsFinding,
  versionFinding,
} from './endpoint-findings.ts'
import { lookAt, metricNamesNow } from './surface.ts'
import { tellsCachedTokens, trialFindings } from './trial-findings.ts'
import type { Trials } from './trials.ts'
import { tryGenerations } from './trials.ts'

export interface EndpointOrder {
  probe: EngineProbe
  /** For people. */
  url: string
  /** What the engine is spoken to as; null: as what fits best. */
  dialect: Dialect | null
  /** The model that is asked for; null: the first that it lists. */
  model: string | null
  keepsCache: boolean
}

/**
 * What of an engine that is up answers, as which dialect it is best spoken to, and what is missing. It sends at most ten small requests,
 * and resets the prefix cache unless that is to be kept.
 */
export function endpointSection(order: EndpointOrder): DoctorSection {
  return { examine: (signal) => examine(order, signal) }
}

async function examine(order: EndpointOrder, signal: AbortSignal): Promise<DoctorReport> {
  const { probe, url } = order
  const seen = await lookAt(probe, order.dialect, signal)
  const fits = fitDialects(seen)
  const dialect = order.dialect ?? fits[0]?.dialect ?? OPENAI
  const title = `endpoint ${url}`
  if (seen.answers.size === 0) return nobody(title, dialect, [...seen.silences.values()][0] ?? 'no answer')
  const { finding: models, cards } = modelsFinding(dialect, seen, order.model)
  const { finding: version, version: told } = versionFinding(dialect, seen)
  const findings: DoctorFinding[] = [healthFinding(dialect, seen), models, version, dialectFinding(dialect, fits)]
  // What serves another model must still be seen to generate.
  const model = cards.find(({ id }) => id === order.model)?.id ?? cards[0]?.id ?? order.model
  let trials: Trials | null = null
  if (model !== null) {
    trials = await tryGenerations({ probe, dialect, model, keepsCache: order.keepsCache }, signal)
    findings.push(...trialFindings(dialect, trials))
  }
  const names = await metricNamesNow(probe, dialect, signal)
  findings.push(...metricsFindings(dialect, names, trials !== null && tellsCachedTokens(trials)))
  return {
    title,
    summary: [spokenAs(order, dialect, fits), ...runnersUp(dialect, fits)],
    findings,
    facts: { url, dialect: dialect.id, version: told, models: cards, fits: fits.map(plainFit) },
  }
}

function nobody(title: string, dialect: Dialect, why: string): DoctorReport {
  const findings = [found(dialect, 'endpoint.reachable', { fail: why })]
  return { title, summary: [], findings, facts: { dialect: dialect.id } }
}

function spokenAs(order: EndpointOrder, dialect: Dialect, fits: readonly DialectFit[]): string {
  if (order.dialect !== null) return `spoken to as ${dialect.id} (${dialect.title}), as asked`
  const because = fits[0]?.pro.join('; ') ?? ''
  return `speaks ${dialect.id} (${dialect.title})${because === '' ? '' : `: ${because}`}`
}

/** How many others are shown beside the best. */
const RUNNERS_UP = 2

function runnersUp(dialect: Dialect, fits: readonly DialectFit[]): string[] {
  const others = fits.filter((one) => one.dialect.id !== dialect.id && one.score > 0).slice(0, RUNNERS_UP)
  return others.map(({ dialect: { id }, score, contra }) => {
    const because = contra.length === 0 ? '' : `: ${contra.join('; ')}`
    return `less likely ${id} (${score} against ${fits[0]?.score})${because}`
  })
}

function plainFit({ dialect, score, pro, contra }: DialectFit) {
  return { dialect: dialect.id, score, pro, contra }
}
