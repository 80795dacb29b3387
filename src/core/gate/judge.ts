import type { Reason } from '../kernel/evidence.ts'
import { pointName } from '../kernel/point.ts'
import { bracketOf, isDecisive, openMilliRps, tallyBoots } from '../capacity/by-rate.ts'
import type { CapacityResult, PointReport } from '../capacity/record.ts'
import { decideAt } from './decide.ts'
import type { GuardDecision } from './decide.ts'
import type { Guard } from './guard.ts'
import type { Terms } from './terms.ts'
import { GATE_REASONS } from './reason-table.ts'
import type { Outcome } from './verdict.ts'
import { asPercent, asRps, evidenceText, reason } from './wording.ts'

/** Reasons of deciding points that come along, at most. */
const POINT_REASONS = 8

/** A judgement of one state: the outcome, why, and the point that shows it. */
export interface Judgement {
  outcome: Outcome
  reasons: Reason[]
  notes: Reason[]
  deciding: PointReport | null
}

/** Against a baseline: rule 3 at the guard rate, and `improved` as a sweep's word. */
export function judgeAgainst(base: CapacityResult, now: CapacityResult, guard: Guard, terms: Terms): Judgement {
  const decision = decideAt(guard.milliRps, now.points)
  if (decision.kind === 'fail') return lost(now, guard, decision.points, base.passMilliRps)
  if (decision.kind === 'undecided') return undecided(decision, guard)
  const deciding = decision.points.at(-1) ?? null
  const [before, after] = [base.passMilliRps ?? 0, now.passMilliRps ?? 0]
  const notes = refutedDrop(now, guard)
  if (now.plan === 'sweep' && after > before * (1 + terms.toleranceShare)) {
    if (base.failMilliRps !== null && after >= base.failMilliRps) {
      const text = `carries ${asRps(after)} RPS, where the baseline’s ${asRps(base.failMilliRps)} failed`
      const why = { ...reason('above_baseline', text), value: after / 1000, limit: base.failMilliRps / 1000 }
      return { outcome: 'improved', reasons: [why], notes, deciding }
    }
    const ceiling = base.failMilliRps === null ? 'found no failing rate' : `failed only at ${asRps(base.failMilliRps)}`
    notes.push(reason('improvement_unproven', `carries ${asRps(after)} RPS, but the baseline ${ceiling}`))
  }
  const rate = deciding === null ? guard.milliRps : (openMilliRps(deciding) ?? guard.milliRps)
  const { passes, fails } = tallyBoots(now.points.filter((point) => openMilliRps(point) === rate))
  const on = fails === 0 ? '' : ` on ${passes} of ${passes + fails} boots`
  const text = `passes at ${asRps(rate)} RPS${on}; the guard rate is ${asRps(guard.milliRps)}`
  const why = { ...reason('guard_held', text), value: rate / 1000, limit: guard.milliRps / 1000 }
  return { outcome: 'held', reasons: [why], notes, deciding }
}

/** A note on a rate below the guard rate that failed once, where the guard rate itself passes on two boots. */
function refutedDrop(now: CapacityResult, guard: Guard): Reason[] {
  const { fail } = bracketOf(now.points)
  if (fail === null || fail >= guard.milliRps) return []
  const { passes } = tallyBoots(now.points.filter((point) => openMilliRps(point) === guard.milliRps))
  return [reason('drop_refuted', `${asRps(fail)} RPS failed, and the guard rate above it passes on ${passes} boots`)]
}

/**
 * Without a baseline to compare with: the anchor's guard rate and the declared minimum can be missed, and what passed can be recorded.
 * `guard` is null where there is neither. `otherwise` is what stands in the way of a comparison; null where a first record is asked for.
 */
export function judgeAlone(now: CapacityResult, guard: Guard | null, otherwise: readonly Reason[] | null): Judgement {
  // Any rate at all passes at or above one milli-request a second.
  const decision = decideAt(guard?.milliRps ?? 1, now.points)
  const rest = otherwise ?? []
  // Where nothing was measured for want of a baseline, that is the one thing to say.
  if (now.points.length === 0 && rest.length > 0) {
    return { outcome: 'inconclusive', reasons: [...rest], notes: [], deciding: null }
  }
  if (decision.kind === 'fail' && guard !== null) {
    const judged = lost(now, guard, decision.points, null)
    return { ...judged, reasons: [...judged.reasons, ...rest] }
  }
  if (decision.kind !== 'pass' || now.passMilliRps === null) {
    const nothing = decision.kind !== 'undecided' || (guard === null && decision.why === 'guard_not_tested')
    const judged = nothing ? nothingPassed(now) : undecided(decision, guard)
    return { ...judged, reasons: [...judged.reasons, ...rest] }
  }
  const deciding = decision.points.at(-1) ?? null
  if (otherwise !== null) return { outcome: 'inconclusive', reasons: [...rest], notes: [], deciding }
  const text = `carries ${asRps(now.passMilliRps)} RPS; there is no baseline, so nothing was gated`
  const why = { ...reason('first_record', text), value: now.passMilliRps / 1000 }
  return { outcome: 'recorded', reasons: [why], notes: [], deciding }
}

function lost(now: CapacityResult, guard: Guard, points: PointReport[], baseMilliRps: number | null): Judgement {
  const deciding = points.at(-1) ?? null
  const rate = deciding === null ? guard.milliRps : (openMilliRps(deciding) ?? guard.milliRps)
  const tally = tallyBoots(now.points.filter((point) => openMilliRps(point) === rate))
  const failed = `${asRps(rate)} RPS failed on ${tally.fails} of ${tally.fails + tally.passes} boots`
  const carries = carriesText(now, baseMilliRps)
  const seen = now.passMilliRps ?? 0
  const codes = { baseline: 'below_baseline', anchor: 'below_anchor', min_capacity: 'below_min_capacity' } as const
  const reasons = guard.terms
    .filter((term) => term.from === guard.from || seen < term.milliRps)
    .map((term) => ({
      ...reason(
        codes[term.from],
        `${failed}; ${carries}; ${term.from.replace('_', ' ')} asks for ${asRps(term.milliRps)}`,
      ),
      value: seen / 1000,
      limit: term.milliRps / 1000,
    }))
  return { outcome: 'regressed', reasons: [...reasons, ...reasonsOf(deciding)], notes: [], deciding }
}

function carriesText(now: CapacityResult, baseMilliRps: number | null): string {
  const change = (rate: number) =>
    baseMilliRps === null || rate >= baseMilliRps ? '' : `, a loss of ${asPercent(1 - rate / baseMilliRps)}`
  if (now.passMilliRps !== null) return `carries ${asRps(now.passMilliRps)} RPS${change(now.passMilliRps)}`
  const lowest = bracketOf(now.points).fail
  if (lowest === null || baseMilliRps === null) return 'no tested rate passed'
  return `no tested rate passed, a loss of more than ${asPercent(Math.max(0, 1 - lowest / baseMilliRps))}`
}

function undecided(decision: GuardDecision & { kind: 'undecided' }, guard: Guard | null): Judgement {
  const { why, points } = decision
  const rate = guard === null ? 'any rate' : `the guard rate ${asRps(guard.milliRps)} RPS`
  const names = points.slice(0, 3).map((point) => pointName(point.key))
  const tally = tallyBoots(points.filter(isDecisive))
  const texts = {
    boots_contradict: `two boots pass at ${rate}, and two fail below it (${names.join(', ')})`,
    boots_undecided: `${tally.fails} of ${tally.fails + tally.passes} boots fail at ${rate}: two must agree`,
    drop_not_confirmed: `a rate up to ${rate} failed (${names.join(', ')}), and no second boot confirms it`,
    guard_not_tested: `no point shows whether ${rate} is carried`,
    point_invalid: `nothing valid was measured at ${rate} (${names.join(', ')})`,
    point_undersampled: `a class is short of its samples at ${rate} (${names.join(', ')})`,
    point_unknown: `required evidence is unknown at ${rate} (${names.join(', ')})`,
  } as const
  const { outcome } = GATE_REASONS[why]
  const deciding = points.at(-1) ?? null
  return {
    outcome,
    reasons: [reason(why, texts[why]), ...reasonsOf(deciding), ...evidenceOf(deciding)],
    notes: [],
    deciding,
  }
}

function nothingPassed({ points, reasons }: CapacityResult): Judgement {
  const unexplored = reasons.find(({ code }) => code === 'saturation_not_found')
  if (unexplored) return nothingExplored(points.at(-1) ?? null, unexplored.text)
  const deciding = points.findLast((point) => point.outcome === 'fail') ?? null
  const why = reason('no_passing_rate', 'no tested rate passed')
  return { outcome: 'inconclusive', reasons: [why, ...reasonsOf(deciding)], notes: [], deciding }
}

/** A sweep that was to find its rates, and found none. */
function nothingExplored(deciding: PointReport | null, text: string): Judgement {
  const code = deciding?.outcome === 'invalid' ? 'point_invalid' : 'saturation_not_found'
  const { outcome } = GATE_REASONS[code]
  return { outcome, reasons: [reason(code, text), ...reasonsOf(deciding)], notes: [], deciding }
}

function reasonsOf(point: PointReport | null): Reason[] {
  return point === null ? [] : point.reasons.slice(0, POINT_REASONS)
}

/** Required evidence that did not pass, where the point's own reasons do not name it already. */
function evidenceOf(point: PointReport | null): Reason[] {
  if (point === null || point.reasons.length > 0) return []
  return point.evidence
    .filter((item) => item.required && item.state !== 'pass')
    .slice(0, POINT_REASONS)
    .map((item) => ({
      code: item.state === 'fail' ? 'evidence_failed' : 'evidence_unknown',
      text: evidenceText(item),
      ...(item.value === undefined ? {} : { value: item.value }),
      ...(item.limit === undefined ? {} : { limit: item.limit }),
    }))
}
