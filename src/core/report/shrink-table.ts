/** How much of each list a report shows. Whatever is cut says so where it was cut. */
export interface Limits {
  reasons: number
  /** What else changed beside the capacity. */
  explanations: number
  classes: number
  evidence: number
  points: number
  /** Classes of each state whose latencies are drawn against the rate. */
  latencies: number
  /** Rows of attainment by rate and class. */
  attainments: number
  /** Rows of gaps between tokens by rate and class. */
  gaps: number
  deltas: number
  notes: number
  boots: number
  /** Identity, subject, hardware: rows each. */
  facts: number
  /** Earlier heads of the pull request. */
  heads: number
}

export interface ShrinkStep {
  /** What this step leaves out, beside what the steps before it did. */
  leftOut: string
  limits: Limits
}

const full: Limits = {
  reasons: 30,
  explanations: 10,
  classes: 30,
  evidence: 100,
  points: 300,
  latencies: 3,
  attainments: 600,
  gaps: 0,
  deltas: 160,
  notes: 20,
  boots: 30,
  facts: 60,
  heads: 20,
}
const noFacts: Limits = { ...full, boots: 0, facts: 0 }
const noAttainments: Limits = { ...noFacts, latencies: 0, attainments: 0, deltas: 0 }
const fewPoints: Limits = { ...noAttainments, points: 20, notes: 5 }
const noPoints: Limits = { ...fewPoints, points: 0, notes: 0, evidence: 20, classes: 12, explanations: 5, heads: 10 }
const noEvidence: Limits = { ...noPoints, evidence: 0, classes: 5, reasons: 10 }
const headOnly: Limits = { ...noEvidence, classes: 0, reasons: 3, explanations: 0, heads: 5 }

/** Details first, then rows. The last step's size does not depend on how much there is. */
export const SHRINK_STEPS: readonly ShrinkStep[] = [
  { leftOut: '', limits: full },
  { leftOut: 'boots, identity and hardware', limits: noFacts },
  { leftOut: 'latencies and attainment by rate, and deltas', limits: noAttainments },
  { leftOut: 'most rates', limits: fewPoints },
  { leftOut: 'all rates, notes and part of the evidence', limits: noPoints },
  { leftOut: 'the evidence and part of the classes and reasons', limits: noEvidence },
  { leftOut: 'the classes and most reasons', limits: headOnly },
]

/** A job summary and report.md have room for sixteen times a comment. */
export const SUMMARY_STEPS: readonly ShrinkStep[] = [
  {
    leftOut: '',
    limits: {
      reasons: 200,
      explanations: 20,
      classes: 200,
      evidence: 400,
      points: 1000,
      latencies: 12,
      attainments: 3000,
      gaps: 0,
      deltas: 1000,
      notes: 100,
      boots: 200,
      facts: 400,
      heads: 0,
    },
  },
  ...SHRINK_STEPS,
]
