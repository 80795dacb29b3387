import { EVIDENCE_GROUPS, evidenceGroup, missingGroups } from '../kernel/evidence.ts'
import type { Evidence, Reason } from '../kernel/evidence.ts'
import type { Acceptance } from '../manifest/schema.ts'
import type { SloReport } from '../slo/report.ts'
import type { PointOutcome } from './record.ts'

/**
 * Probes whose failure is told and not judged. An engine that is not idle after the drain answered its cohort all the same: it is the
 * next point that must not use it. What a cache loses that is too small for the load, latencies show, and how few hits are too few the
 * manifest says. A GPU with a remap pending works as before until it is reset.
 */
const ADVICE = new Set(['tokens.input', 'tokens.output', 'cache_hit.blocks', 'stability.quiesce', 'host.remapped_rows'])
/** Probes whose absence is made good by another one: the hit rate proves what a reset would. */
const PROVEN_OTHERWISE = new Set(['cache_hit.reset'])

/** Marks the evidence that the manifest requires: a probe of a required group, unless it is advice by itself. */
export function markRequired(evidence: readonly Evidence[], acceptance: Acceptance): Evidence[] {
  const groups: readonly string[] = acceptance.required_evidence
  return evidence.map((item) => {
    const required = item.required && groups.includes(evidenceGroup(item.probe)) && !PROVEN_OTHERWISE.has(item.probe)
    return { ...item, required }
  })
}

/** A required group of which no probe is there: nobody asked, and that is unknown, never a pass. */
export function unaskedGroups(evidence: readonly Evidence[], acceptance: Acceptance): Evidence[] {
  return missingGroups(evidence, acceptance.required_evidence).map((group) => ({
    probe: group,
    state: 'unknown',
    required: true,
    blames: 'host',
    text: 'no probe told anything',
  }))
}

export interface OutcomeInput {
  slo: SloReport
  /** With `required` set. */
  evidence: readonly Evidence[]
  acceptance: Acceptance
  /** Why the point was stopped before its schedule ended. */
  stoppedEarly: string | null
  /** Why no completion of the schedule could have passed. */
  hopeless: string | null
}

/**
 * A point's outcome in the order of rule 6: invalid (the client's or the host's fault) > fail > undersampled > unknown > pass. A failed
 * probe decides whether it is required or not; an unknown one only where it is. The reasons are those of the outcome.
 */
export function pointOutcome(input: OutcomeInput): { outcome: PointOutcome; reasons: Reason[] } {
  const failed = input.evidence.filter((item) => item.state === 'fail' && decides(item))
  const steps: [PointOutcome, Reason[]][] = [
    ['invalid', failed.filter(({ blames }) => blames !== 'engine').map(evidenceReason)],
    ['fail', [...gateReasons(input), ...failed.filter(isEnginesOwn).map(evidenceReason)]],
    ['undersampled', sampleReasons(input)],
    ['unknown', unknownReasons(input)],
  ]
  const first = steps.find(([, reasons]) => reasons.length > 0)
  if (!first) return { outcome: 'pass', reasons: [] }
  return { outcome: first[0], reasons: first[1] }
}

function decides({ probe, required }: Evidence): boolean {
  const groups: readonly string[] = EVIDENCE_GROUPS
  return required || (groups.includes(evidenceGroup(probe)) && !ADVICE.has(probe))
}

/** What a point's evidence has against the engine itself, and decides by: the queue's trend apart, which is a gate of its own. */
export function engineFaults(evidence: readonly Evidence[]): Evidence[] {
  return evidence.filter((item) => item.state === 'fail' && decides(item) && isEnginesOwn(item))
}

/** The queue's trend is named by its own gate. */
function isEnginesOwn({ blames, probe }: Evidence): boolean {
  return blames === 'engine' && probe !== 'queue.trend'
}

/** What befell the engine is named by its own code: `exit`, `start_failed`, `restarts` … */
function evidenceReason({ probe, state, text, value, limit }: Evidence): Reason {
  const [group, detail] = probe.split('.', 2)
  const code = state === 'unknown' ? 'evidence_unknown' : group === 'stability' && detail ? detail : 'evidence_failed'
  return {
    code,
    text: `${probe}: ${text ?? state}`,
    ...(value === undefined ? {} : { value }),
    ...(limit === undefined ? {} : { limit }),
  }
}

function gateReasons({ slo, acceptance, hopeless }: OutcomeInput): Reason[] {
  const reasons: Reason[] = []
  const shortfalls: Reason[] = []
  const classes = Object.entries(slo.classes)
  for (const [name, report] of classes) {
    const { attainment, sample_adequate: adequate } = report
    const limit = acceptance.class_slo_attainment_min
    if (attainment === null || attainment >= limit) continue
    const text = `${name}: ${percent(attainment)} of ${report.successful_count} successes met their cutoffs`
    const reason = { code: 'class_attainment', text, class: name, value: attainment, limit }
    if (adequate) reasons.push(reason)
    else shortfalls.push(reason)
  }
  if (slo.error_rate !== null && slo.error_rate > acceptance.error_rate_max) {
    const text = `${slo.failed} of ${slo.attempted} requests failed (${percent(slo.error_rate)})`
    reasons.push({ code: 'error_rate', text, value: slo.error_rate, limit: acceptance.error_rate_max })
  }
  for (const [name, report] of classes) {
    const rate = report.error_rate ?? 0
    const limit = acceptance.class_error_rate_max
    if (limit !== undefined && rate > limit) {
      const text = `${name}: ${report.failed_count} of ${report.attempted_count} requests failed (${percent(rate)})`
      reasons.push({ code: 'class_error_rate', text, class: name, value: rate, limit })
    }
    const share = report.attempted_attainment
    const least = acceptance.attempted_attainment_min
    if (least !== undefined && share !== null && share < least) {
      const text = `${name}: ${percent(share)} of ${report.attempted_count} attempts met their cutoffs`
      reasons.push({ code: 'attempted_attainment', text, class: name, value: share, limit: least })
    }
  }
  if (slo.queue_trend === 'growing') {
    reasons.push({ code: 'queue_growing', text: 'the queue grew over the arrival window' })
  }
  if (hopeless === null) return reasons
  return [...reasons, ...shortfalls, { code: 'cannot_pass', text: hopeless }]
}

function sampleReasons({ slo, acceptance }: OutcomeInput): Reason[] {
  const limit = acceptance.min_successful_samples_per_class
  return Object.entries(slo.classes)
    .filter(([, report]) => !report.sample_adequate)
    .map(([name, { successful_count: value }]) => ({
      code: 'undersampled',
      text: `${name}: ${value} successes, fewer than ${limit}`,
      class: name,
      value,
      limit,
    }))
}

function unknownReasons({ slo, evidence, stoppedEarly }: OutcomeInput): Reason[] {
  const reasons = evidence.filter(({ required, state }) => required && state === 'unknown').map(evidenceReason)
  if (slo.queue_trend === 'unknown' && !reasons.some(({ text }) => text.startsWith('queue.trend'))) {
    reasons.push({ code: 'queue_unknown', text: 'the queue’s trend is not known' })
  }
  if (stoppedEarly !== null) reasons.push({ code: 'stopped_early', text: `stopped early: ${stoppedEarly}` })
  if (reasons.length === 0 && !slo.capacity_gate_pass) {
    reasons.push({ code: 'gate_not_passed', text: 'the report does not pass, and no gate says why' })
  }
  return reasons
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`
}
