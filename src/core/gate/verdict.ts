import type { Reason } from '../kernel/evidence.ts'
import type { Cache } from '../kernel/point.ts'

export type Outcome = 'held' | 'improved' | 'regressed' | 'inconclusive' | 'invalid' | 'recorded'

export interface Delta {
  class: string | null
  metric: string
  base: number
  now: number
  regression: boolean
}

export interface StateVerdict {
  cache: Cache
  outcome: Outcome
  baselineMilliRps: number | null
  guardMilliRps: number | null
  /** What the candidate was seen to carry; null where nothing passed. */
  candidateMilliRps: number | null
  repeats: number
  minimumDetectableLoss: number | null
  reasons: Reason[]
  deltas: Delta[]
}

/** verdict.json: the comparison of two capacity records. `outcome` is the worst of the states'. */
export interface Verdict {
  version: 1
  outcome: Outcome
  candidateSha256: string
  baselineSha256: string | null
  anchorSha256: string | null
  reasons: Reason[]
  states: StateVerdict[]
}
