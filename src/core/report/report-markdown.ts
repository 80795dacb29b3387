import { fittedBody } from './body.ts'
import type { ReportInput } from './context.ts'

const ALL = 100_000

/** report.md of the pack: everything, nothing folded away for size. */
export function renderReportMarkdown(input: ReportInput): string {
  const limits = {
    reasons: ALL,
    explanations: ALL,
    classes: ALL,
    evidence: ALL,
    points: ALL,
    latencies: ALL,
    attainments: ALL,
    gaps: ALL,
    deltas: ALL,
    notes: ALL,
    boots: ALL,
    facts: ALL,
    heads: 0,
  }
  return fittedBody(input, '', [{ leftOut: '', limits }], Infinity)
}
