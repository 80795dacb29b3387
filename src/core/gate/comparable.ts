import type { JsonValue } from '../kernel/canonical.ts'
import type { Reason } from '../kernel/evidence.ts'
import type { Cache } from '../kernel/point.ts'
import { knownFact } from '../capacity/host-change.ts'
import type { CapacityRecord } from '../capacity/record.ts'
import { differingFields } from '../manifest/identity.ts'

/** Differing fields and facts named at most; the rest are counted. */
const NAMED = 20

/** What decides, before anything is measured, whether a run can be compared. */
export type Comparable = Pick<CapacityRecord, 'kind' | 'experiment' | 'hardware'>

/**
 * Why two records may not be compared at all: another kind, another experiment (each differing field with both values), or
 * hardware that is not known to be equal. Empty where they may.
 */
export function incomparabilities(candidate: Comparable, baseline: CapacityRecord): Reason[] {
  const reasons: Reason[] = []
  if (candidate.kind !== baseline.kind) {
    reasons.push({
      code: 'kind_differs',
      text: `the baseline is ${baseline.kind}, the candidate ${candidate.kind}`,
    })
  }
  return [...reasons, ...experimentReasons(candidate, baseline), ...hardwareReasons(candidate, baseline)]
}

/** Why the schedules of one cache state may not be compared; empty where they are the same bytes. */
export function scheduleReasons(candidate: CapacityRecord, baseline: CapacityRecord, cache: Cache): Reason[] {
  const [base, now] = [baseline.schedules[cache], candidate.schedules[cache]]
  if (base !== undefined && base === now) return []
  const short = (sha256: string | undefined) => (sha256 === undefined ? 'none' : sha256.slice(0, 12))
  return [{ code: 'schedule_differs', text: `${cache} schedule: baseline ${short(base)}, candidate ${short(now)}` }]
}

/** The fields in which the experiments of two records differ; empty where they are the same. */
export function experimentReasons(candidate: Comparable, baseline: CapacityRecord): Reason[] {
  if (candidate.experiment.sha256 === baseline.experiment.sha256) return []
  const fields = differingFields(baseline.experiment.value, candidate.experiment.value)
  const named = fields.slice(0, NAMED).map((field): Reason => {
    const text = `${field.path}: baseline ${valueText(field.base)}, candidate ${valueText(field.now)}`
    return { code: 'experiment_differs', text }
  })
  if (fields.length > NAMED) {
    named.push({ code: 'experiment_differs', text: `and ${fields.length - NAMED} more fields` })
  }
  if (named.length === 0) named.push({ code: 'experiment_differs', text: 'the experiments have different hashes' })
  return named
}

function hardwareReasons(candidate: Comparable, baseline: CapacityRecord): Reason[] {
  const [base, now] = [baseline.hardware.mustEqual, candidate.hardware.mustEqual]
  const keys = [...new Set([...Object.keys(base), ...Object.keys(now)])].toSorted()
  if (keys.length === 0 && candidate.kind === 'measured') {
    return [{ code: 'hardware_unknown', text: 'neither record names any hardware' }]
  }
  const reasons = keys.flatMap((key): Reason[] => {
    const [was, is] = [knownFact(base, key), knownFact(now, key)]
    const text = `${key}: baseline ${was ?? 'unknown'}, candidate ${is ?? 'unknown'}`
    if (was === null || is === null) return [{ code: 'hardware_unknown', text }]
    return was === is ? [] : [{ code: 'hardware_differs', text }]
  })
  return reasons.slice(0, NAMED)
}

function valueText(value: JsonValue | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

/** A note naming every recorded fact that differs, also those that do not make another machine. */
export function recordedDifferences(candidate: CapacityRecord, baseline: CapacityRecord): Reason[] {
  const [base, now] = [baseline.hardware.recorded, candidate.hardware.recorded]
  const keys = [...new Set([...Object.keys(base), ...Object.keys(now)])].toSorted()
  const differing = keys.filter((key) => knownFact(base, key) !== knownFact(now, key)).slice(0, NAMED)
  return differing.length === 0
    ? []
    : [{ code: 'recorded_hardware_differs', text: `differs from the baseline’s machine: ${differing.join(', ')}` }]
}
