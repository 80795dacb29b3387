import type { CapacityRecord, CapacityResult, PointReport } from '../capacity/record.ts'
import { isDecisive, openMilliRps } from '../capacity/by-rate.ts'
import type { Reason } from '../kernel/evidence.ts'
import type { ClassReport } from '../slo/report.ts'
import type { StateVerdict } from '../gate/verdict.ts'
import { markdownCode, markdownText } from './escape.ts'
import { explanationSection } from './explanations.ts'
import { carriedRps, METRIC_NAMES } from './headline.ts'
import { milliRps, NONE, percent, plural, rps, signed, signedPercent } from './numbers.ts'
import type { Limits } from './shrink-table.ts'
import { columns, cut, table } from './table.ts'

const REASON_TEXT_MAX = 300

/** One cache state: its reasons, the rates in one narrow row, and its classes at the rate that decided. */
export function stateSection(
  state: StateVerdict,
  record: CapacityRecord,
  baseline: CapacityRecord | null,
  limits: Limits,
): string[] {
  const result = record.capacity.find((item) => item.cache === state.cache) ?? null
  const point = result === null ? null : shownPoint(state, result)
  const title =
    state.acceptedLoss !== undefined
      ? 'held (accepted loss)'
      : state.outcome === 'recorded'
        ? 'NOT GATED, recorded'
        : state.outcome
  const cache = state.cache === 'cold' ? 'Cold cache' : 'Warm cache'
  return [
    `### ${cache}: ${title}`,
    reasonList(state.reasons, limits.reasons),
    rateTable(state, point),
    facts(state),
    ...(point === null || limits.classes === 0 ? [] : classTable(state, point, limits.classes)),
    ...explanationSection(state, record, baseline, limits.explanations),
  ]
}

/** Reasons as a list; empty for none. */
export function reasonList(reasons: readonly Reason[], max: number): string {
  const { shown, rest } = cut(reasons, max, 'reasons')
  const lines = shown.map((item) => `- ${markdownCode(item.code, 60)}: ${markdownText(item.text, REASON_TEXT_MAX)}`)
  return [...lines, ...(rest === '' ? [] : [`- ${rest}`])].join('\n')
}

function rateTable(state: StateVerdict, point: PointReport | null): string {
  const row = [
    milliRps(state.baselineMilliRps),
    carriedRps(state),
    signedPercent(state.changeShare),
    milliRps(state.guardMilliRps),
    rps(point?.slo.observed_goodput_rps ?? null),
  ]
  // A phone shows three columns or four.
  return table(columns('baseline RPS:', 'carries RPS:', 'Δ %:', 'guard RPS:', 'good RPS:'), [row])
}

function facts(state: StateVerdict): string {
  const { limiting, minimumDetectableLoss: smallest } = state
  const guards = { baseline: 'the baseline', anchor: 'the anchor', min_capacity: 'the declared minimum' } as const
  const parts = [
    state.anchorMilliRps === null ? '' : `anchor ${milliRps(state.anchorMilliRps)} RPS`,
    state.guardFrom === null ? '' : `guard rate set by ${guards[state.guardFrom]}`,
    state.repeats === 0 ? '' : `${plural(state.repeats, 'repeat')} there`,
    limiting === null
      ? ''
      : `limited by ${markdownCode(limiting.class, 60)} (${METRIC_NAMES.get(limiting.metric) ?? markdownText(limiting.metric)})`,
    smallest === null ? '' : `a loss of ${percent(smallest)} % or more was sure to be seen`,
  ]
  const text = parts.filter((part) => part !== '').join(' · ')
  return text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}.`
}

function classTable(state: StateVerdict, point: PointReport, max: number): string[] {
  const rate = openMilliRps(point)
  const against =
    state.deltaRates !== null && rate === state.deltaRates.nowMilliRps
      ? `; Δ against the baseline at ${milliRps(state.deltaRates.baseMilliRps)}`
      : ''
  const { shown, rest } = cut(worstFirst(point), max, 'classes')
  const rows = shown.map(([name, report]) => [
    markdownCode(name, 60),
    percent(report.attainment),
    against === '' ? NONE : attainmentDelta(state, name),
    String(report.successful_count),
    rps(report.good_rps),
  ])
  const heads = columns('class', 'attained %:', 'Δ points:', 'n:', 'good RPS:')
  const repeat = point.key.repeat === 1 ? '' : `, repeat ${point.key.repeat}`
  return [`At ${milliRps(rate)} RPS${repeat} (${point.outcome})${against}:`, table(heads, rows), rest]
}

/** The class nearest to its limit stands first: a phone shows three rows. */
function worstFirst(point: PointReport): [string, ClassReport][] {
  return Object.entries(point.slo.classes).toSorted(([, a], [, b]) => (a.attainment ?? -1) - (b.attainment ?? -1))
}

function attainmentDelta(state: StateVerdict, name: string): string {
  const delta = state.deltas.find((item) => item.class === name && item.metric === 'attainment')
  return delta === undefined ? NONE : signed((delta.now - delta.base) * 100, 1)
}

/** The last decisive point at the guard rate; else at the pass rate, at the fail rate; else the last open-loop point. */
function shownPoint(state: StateVerdict, result: CapacityResult): PointReport | null {
  for (const rate of [state.guardMilliRps, result.passMilliRps, result.failMilliRps]) {
    const found = result.points.findLast((point) => openMilliRps(point) === rate && isDecisive(point))
    if (rate !== null && found !== undefined) return found
  }
  return result.points.findLast((point) => openMilliRps(point) !== null) ?? null
}
