import type { Reason } from '../kernel/evidence.ts'
import type { Cache } from '../kernel/point.ts'
import type { Limiting } from '../slo/report.ts'

export type Outcome = 'held' | 'improved' | 'regressed' | 'inconclusive' | 'invalid' | 'recorded'

/** From the best to the worst: the worst of the states' outcomes is the verdict's. */
const OUTCOMES_BEST_FIRST = [
  'improved',
  'held',
  'recorded',
  'inconclusive',
  'invalid',
  'regressed',
] as const satisfies readonly Outcome[]

export const DELTA_METRICS = ['attainment', 'goodput_rps', 'p95_ttft_ms', 'p95_tpot_ms', 'error_rate'] as const
export type DeltaMetric = (typeof DELTA_METRICS)[number]

/** One metric at the baseline's point and at the candidate's. Class null: over all classes. Shown, and never deciding. */
export interface Delta {
  class: string | null
  metric: string
  base: number
  now: number
  /** It crossed the manifest's limit, left the baseline's interval, or grew by more than the tolerance. */
  regression: boolean
}

/** Which term of the guard rate was the highest. */
export type GuardSource = 'baseline' | 'anchor' | 'min_capacity'

/** The accepted loss under which a state is held. */
export interface AcceptedLossFacts {
  subjectSha256: string
  /** The guard rate against which it was accepted, and what must be carried instead: integer milli-requests a second. */
  guardMilliRps: number
  floorMilliRps: number
  reason: string
  acceptedBy: string
  /** The last day on which it holds, UTC. */
  expires: string
  /** Why the state would be regressed without it. */
  covers: Reason[]
}

export interface StateVerdict {
  cache: Cache
  outcome: Outcome
  baselineMilliRps: number | null
  anchorMilliRps: number | null
  guardMilliRps: number | null
  guardFrom: GuardSource | null
  /** What the candidate was seen to carry; null where nothing passed. */
  candidateMilliRps: number | null
  /** The lowest rate at which the candidate was seen to fail; null where it never was. */
  candidateFailMilliRps: number | null
  /**
   * (candidate − baseline) / baseline: negative is a loss. Null where it was not measured: a confirmation that held says only that
   * the capacity is no less than the guard rate.
   */
  changeShare: number | null
  /** Points replayed at the guard rate, all outcomes counted. */
  repeats: number
  minimumDetectableLoss: number | null
  /** The class and metric that failed first, at the point which shows it. */
  limiting: Limiting | null
  /** Why the outcome is what it is. */
  reasons: Reason[]
  /** What a reader should know, and what decided nothing. */
  notes: Reason[]
  /** The offered rates of the two points that `deltas` compares; null where no two are comparable. */
  deltaRates: { baseMilliRps: number; nowMilliRps: number } | null
  deltas: Delta[]
  /** The state lost capacity, and is held because that was accepted; left out of any other state. */
  acceptedLoss?: AcceptedLossFacts
}

/** verdict.json: the comparison of two capacity records. `outcome` is the worst of the states'. */
export interface Verdict {
  version: 1
  outcome: Outcome
  candidateSha256: string
  baselineSha256: string | null
  anchorSha256: string | null
  /** Reasons that hold for the whole run; each state has its own beside them. */
  reasons: Reason[]
  states: StateVerdict[]
}

/** The worst of some outcomes; null for none. */
export function worstOutcome(outcomes: readonly Outcome[]): Outcome | null {
  let worst: Outcome | null = null
  for (const outcome of outcomes) {
    if (worst === null || OUTCOMES_BEST_FIRST.indexOf(outcome) > OUTCOMES_BEST_FIRST.indexOf(worst)) worst = outcome
  }
  return worst
}

/** The state whose numbers stand for the verdict: the worst outcome, cold on a tie; null where there is no state. */
export function decidingState(verdict: Verdict): StateVerdict | null {
  const worst = worstOutcome(verdict.states.map((state) => state.outcome))
  const candidates = verdict.states.filter((state) => state.outcome === worst)
  return candidates.find((state) => state.cache === 'cold') ?? candidates[0] ?? null
}

/** Whether a verdict is held only because a loss was accepted. */
export function isUnderAcceptedLoss({ outcome, states }: Verdict): boolean {
  return outcome === 'held' && states.some(({ acceptedLoss }) => acceptedLoss !== undefined)
}

/** Every reason with the cache state it belongs to; null for the whole run's. */
export function allReasons(verdict: Verdict): (Reason & { cache: Cache | null })[] {
  return [
    ...verdict.reasons.map((item) => ({ ...item, cache: null })),
    ...verdict.states.flatMap((state) => state.reasons.map((item) => ({ ...item, cache: state.cache }))),
  ]
}
