import type { Reason } from '../kernel/evidence.ts'
import type { Cache } from '../kernel/point.ts'
import { isDecisive, openMilliRps } from '../capacity/by-rate.ts'
import type { BootRecord, CapacityResult } from '../capacity/record.ts'
import { KV_SPREAD_MAX, kvSpread } from './boots.ts'
import { clockReasons } from './clocks.ts'
import { compareAtPassRate } from './deltas.ts'
import { minimumDetectableLoss } from './detectable.ts'
import { guardFor } from './guard.ts'
import type { Guard } from './guard.ts'
import { judgeAgainst, judgeAlone } from './judge.ts'
import type { Judgement } from './judge.ts'
import type { Terms } from './terms.ts'
import type { StateVerdict } from './verdict.ts'
import { asPercent, asRps, reason } from './wording.ts'

/** What a state is compared with: a baseline's result; or none, with the reasons, or null where a first record is asked for. */
export type Comparison =
  | { kind: 'baseline'; result: CapacityResult; boots: readonly BootRecord[] }
  | { kind: 'none'; otherwise: readonly Reason[] | null }

/** One cache state of a run. `result` is null where the candidate does not hold the state. */
export interface StateInput {
  cache: Cache
  terms: Terms
  result: CapacityResult | null
  boots: readonly BootRecord[]
  comparison: Comparison
  /** The last release's capacity; null where there is none to compare with. It holds with or without a baseline. */
  anchorMilliRps: number | null
  notes: readonly Reason[]
}

/** One state's verdict, by rules 2, 3, 6 and 10 of the judgement. */
export function judgeState(input: StateInput): StateVerdict {
  const { result, comparison } = input
  const base = comparison.kind === 'baseline' ? comparison : null
  const passMilliRps = base?.result.passMilliRps ?? null
  const guard = guardFor(passMilliRps, input.anchorMilliRps, input.terms)
  const judged = judge(input, guard)
  const both = result !== null && base !== null && guard !== null ? { now: result, base: base.result, guard } : null
  const compared =
    both === null
      ? { deltas: [], deltaRates: null }
      : compareAtPassRate(both.base, both.now, both.guard.milliRps, input.terms)
  const notes = [...input.notes, ...judged.notes, ...notesOn(result, guard)]
  if (both !== null && compared.deltaRates === null) {
    notes.push(reason('deltas_not_comparable', 'no decisive point within the tolerance of the baseline’s pass rate'))
  }
  return {
    cache: input.cache,
    outcome: judged.outcome,
    baselineMilliRps: passMilliRps,
    anchorMilliRps: input.anchorMilliRps,
    guardMilliRps: guard?.milliRps ?? null,
    guardFrom: guard?.from ?? null,
    candidateMilliRps: carriedMilliRps(result, judged),
    candidateFailMilliRps: result?.failMilliRps ?? null,
    changeShare: changeShare(result, passMilliRps, judged),
    repeats: atGuard(result, guard).length,
    minimumDetectableLoss: both && minimumDetectableLoss(both.base, both.guard.milliRps, judged.deciding),
    limiting: limitingOf(result, judged),
    reasons: judged.reasons,
    notes,
    ...compared,
  }
}

function judge({ cache, terms, result, boots, comparison }: StateInput, guard: Guard | null): Judgement {
  if (result === null) {
    const why = reason('candidate_state_missing', `the candidate holds no ${cache} result`)
    return inconclusive([why])
  }
  const apart = [
    ...apartReasons('candidate', result, boots),
    ...(comparison.kind === 'baseline' ? apartReasons('baseline', comparison.result, comparison.boots) : []),
    ...(comparison.kind === 'baseline' ? clockReasons(result, comparison.result) : []),
  ]
  if (apart.length > 0) return inconclusive(apart)
  if (comparison.kind === 'none') return judgeAlone(result, guard, comparison.otherwise)
  // A baseline without a pass rate was turned away before: it leaves no guard rate but the minimum's.
  if (guard === null) return inconclusive([reason('baseline_without_capacity', 'no rate passed in the baseline')])
  return judgeAgainst(comparison.result, result, guard, terms)
}

function inconclusive(reasons: Reason[]): Judgement {
  return { outcome: 'inconclusive', reasons, notes: [], deciding: null }
}

function apartReasons(whose: string, result: CapacityResult, boots: readonly BootRecord[]): Reason[] {
  const spread = kvSpread(result, boots)
  if (spread === null || spread <= KV_SPREAD_MAX) return []
  const why = reason('boots_incomparable', `KV tokens of the ${whose}’s boots are ${asPercent(spread)} apart`)
  return [{ ...why, value: spread, limit: KV_SPREAD_MAX }]
}

function atGuard(result: CapacityResult | null, guard: Guard | null) {
  return result?.points.filter((point) => guard !== null && openMilliRps(point) === guard.milliRps) ?? []
}

function notesOn(result: CapacityResult | null, guard: Guard | null): Reason[] {
  if (result === null) return []
  const repeats = atGuard(result, guard)
  const idle = repeats.filter((point) => !isDecisive(point))
  const notes: Reason[] = []
  if (idle.length > 0 && idle.length < repeats.length) {
    const list = idle.map((point) => `repeat ${point.key.repeat} ${point.outcome}`).join(', ')
    notes.push(reason('repeats_not_counted', `at the guard rate: ${list}`))
  }
  if (result.flukeMilliRps.length > 0) {
    const rates = result.flukeMilliRps.slice(0, 5).map(asRps).join(', ')
    notes.push(reason('flukes_not_used', `passed above a failing rate: ${rates} RPS`))
  }
  return notes
}

/** The record's pass rate, or the rate by whose boots it is held, where that is higher. */
function carriedMilliRps(result: CapacityResult | null, { outcome, deciding }: Judgement): number | null {
  const pass = result?.passMilliRps ?? null
  const shown = outcome === 'held' && deciding !== null ? openMilliRps(deciding) : null
  return shown !== null && shown > (pass ?? 0) ? shown : pass
}

function changeShare(result: CapacityResult | null, baseMilliRps: number | null, judged: Judgement): number | null {
  if (result === null || result.passMilliRps === null || baseMilliRps === null) return null
  if (judged.outcome === 'inconclusive' || judged.outcome === 'invalid') return null
  if (result.plan === 'confirm' && judged.outcome !== 'regressed') return null
  // Held by the boots at the guard rate, above a rate that failed once: no change was measured.
  if (carriedMilliRps(result, judged) !== result.passMilliRps) return null
  return (result.passMilliRps - baseMilliRps) / baseMilliRps
}

/** From the point that decided where it failed, else from the lowest failing rate. */
function limitingOf(result: CapacityResult | null, judged: Judgement): StateVerdict['limiting'] {
  if (judged.deciding?.outcome === 'fail') return judged.deciding.limiting
  const failing = result?.points.findLast(
    (point) => openMilliRps(point) === result.failMilliRps && point.outcome === 'fail',
  )
  return failing?.limiting ?? null
}
