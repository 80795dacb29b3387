import type { RatesRps, SloReport } from '../slo/report.ts'
import type { PointReport } from './record.ts'

/** What the steppers read of a judged point. */
export type StepPoint = Pick<PointReport, 'key' | 'outcome' | 'deployId' | 'stoppedEarly' | 'evidence'> & {
  slo: Pick<SloReport, 'queue_trend' | 'successful'>
  ratesRps: Pick<RatesRps, 'completed' | 'good'>
}

/** The open-loop rate of a point in milli-requests a second; null for a closed-loop one, which never enters a bracket. */
export function openMilliRps(point: Pick<StepPoint, 'key'>): number | null {
  return 'openMilliRps' in point.key.load ? point.key.load.openMilliRps : null
}

/** Only a pass or a fail says something of a rate. */
export function isDecisive(point: Pick<StepPoint, 'outcome'>): boolean {
  return point.outcome === 'pass' || point.outcome === 'fail'
}

/** Open-loop points by their rate, lowest first; a rate's points stay in the order in which they were measured. */
export function pointsByRate<T extends Pick<StepPoint, 'key'>>(points: readonly T[]): Map<number, T[]> {
  const open = points.filter((point) => openMilliRps(point) !== null)
  const rates = Map.groupBy(open, (point) => openMilliRps(point) ?? 0)
  return new Map([...rates].toSorted(([a], [b]) => a - b))
}

/** How the decisive repeats at one rate came out. */
export interface Votes {
  passes: number
  fails: number
}

export function votesOf(points: readonly Pick<StepPoint, 'outcome'>[]): Votes {
  const passes = points.filter(({ outcome }) => outcome === 'pass').length
  return { passes, fails: points.filter(isDecisive).length - passes }
}

/** The majority of a rate's decisive repeats; a tie fails; null without any. */
export function majority({ passes, fails }: Votes): 'pass' | 'fail' | null {
  if (passes + fails === 0) return null
  return passes > fails ? 'pass' : 'fail'
}

/** How the boots at one rate came out, and what they decide. */
export interface BootTally extends Votes {
  decided: 'pass' | 'fail' | null
}

/**
 * One vote a boot, since boots differ more than repeats on one boot do; within a boot the majority, and a tie fails. A first boot that
 * passes decides, and so do two of three (rule 3).
 */
export function tallyBoots(points: readonly Pick<StepPoint, 'outcome' | 'deployId'>[]): BootTally {
  const boots = Map.groupBy(points.filter(isDecisive), ({ deployId }) => deployId)
  const outcomes = [...boots.values()].map((repeats) => majority(votesOf(repeats)))
  const passes = outcomes.filter((outcome) => outcome === 'pass').length
  const fails = outcomes.length - passes
  if (passes > fails) return { passes, fails, decided: 'pass' }
  return { passes, fails, decided: fails >= 2 && fails > passes ? 'fail' : null }
}

export interface Bracket {
  /** The highest passing rate below which no tested rate fails. */
  pass: number | null
  /** The lowest failing rate. */
  fail: number | null
  /** Rates that passed above a failing one: reported, never used (RFC 9971). */
  flukes: number[]
}

export function bracketOf(points: readonly StepPoint[]): Bracket {
  const outcomes = [...pointsByRate(points)].map(([rate, repeats]) => ({ rate, outcome: majority(votesOf(repeats)) }))
  const fail = outcomes.find(({ outcome }) => outcome === 'fail')?.rate ?? null
  const passing = outcomes.filter(({ outcome }) => outcome === 'pass').map(({ rate }) => rate)
  return {
    pass: passing.findLast((rate) => fail === null || rate < fail) ?? null,
    fail,
    flukes: passing.filter((rate) => fail !== null && rate > fail),
  }
}

/** Repeats in a row, the latest, that decided nothing. */
export function voidsInARow(points: readonly StepPoint[]): number {
  return points.length - 1 - points.findLastIndex(isDecisive)
}
