import {
  bracketOf,
  isDecisive,
  majority,
  openMilliRps,
  pointsByRate,
  tallyBoots,
  votesOf,
} from '../capacity/by-rate.ts'
import type { PointReport } from '../capacity/record.ts'

/** What a state's points say about one rate. `points` are those that show it, the last one first to be shown. */
export type GuardDecision =
  | { kind: 'pass'; points: PointReport[] }
  | { kind: 'fail'; points: PointReport[] }
  | {
      kind: 'undecided'
      why:
        | 'boots_undecided'
        | 'boots_contradict'
        | 'point_invalid'
        | 'point_undersampled'
        | 'point_unknown'
        | 'drop_not_confirmed'
        | 'guard_not_tested'
      points: PointReport[]
    }

/**
 * Whether the points show that the guard rate is carried. At the guard rate the boots decide, but a pass above a rate that two boots
 * fail is a fluke (RFC 9971): then nothing is decided. A rate below it that two boots fail shows the loss as well; a rate above it that
 * passes shows that it is carried, if no rate up to there fails. Everything else is undecided, and says why.
 */
export function decideAt(guardMilliRps: number, points: readonly PointReport[]): GuardDecision {
  const byRate = pointsByRate(points)
  const atGuard = byRate.get(guardMilliRps) ?? []
  const tally = tallyBoots(atGuard)
  const failing = [...byRate].filter(([, repeats]) => majority(votesOf(repeats)) === 'fail')
  const firstFailing = failing[0]?.[0] ?? Infinity
  if (tally.decided === 'fail') return { kind: 'fail', points: withOutcome(atGuard, 'fail') }
  const confirmedBelow = failing.find(
    ([rate, repeats]) => rate < guardMilliRps && tallyBoots(repeats).decided === 'fail',
  )
  if (confirmedBelow !== undefined) {
    const failed = withOutcome(confirmedBelow[1], 'fail')
    return tally.passes >= 2
      ? { kind: 'undecided', why: 'boots_contradict', points: failed }
      : { kind: 'fail', points: failed }
  }
  if (tally.decided === 'pass' && (tally.passes >= 2 || firstFailing > guardMilliRps)) {
    return { kind: 'pass', points: withOutcome(atGuard, 'pass') }
  }
  const above = [...byRate].findLast(
    ([rate, repeats]) => rate > guardMilliRps && rate < firstFailing && majority(votesOf(repeats)) === 'pass',
  )
  if (above !== undefined && atGuard.filter(isDecisive).length === 0) {
    return { kind: 'pass', points: withOutcome(above[1], 'pass') }
  }
  return undecided(atGuard, [...byRate.values()].flat(), firstFailing <= guardMilliRps)
}

function withOutcome(points: readonly PointReport[], outcome: PointReport['outcome']): PointReport[] {
  return points.filter((point) => point.outcome === outcome)
}

function undecided(
  atGuard: readonly PointReport[],
  all: readonly PointReport[],
  dropSeen: boolean,
): GuardDecision & { kind: 'undecided' } {
  const decisive = atGuard.filter(isDecisive)
  if (decisive.length > 0 && !(dropSeen && decisive.every((point) => point.outcome === 'pass'))) {
    return { kind: 'undecided', why: 'boots_undecided', points: decisive }
  }
  const passed = bracketOf(all).pass ?? 0
  const open = atGuard.length > 0 ? atGuard : all.filter((point) => (openMilliRps(point) ?? 0) > passed)
  for (const outcome of ['invalid', 'undersampled', 'unknown'] as const) {
    const points = withOutcome(open, outcome)
    if (points.length > 0) return { kind: 'undecided', why: `point_${outcome}`, points }
  }
  return dropSeen
    ? { kind: 'undecided', why: 'drop_not_confirmed', points: withOutcome(all, 'fail') }
    : { kind: 'undecided', why: 'guard_not_tested', points: [] }
}
