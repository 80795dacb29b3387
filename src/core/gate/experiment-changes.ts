import type { CapacityRecord } from '../capacity/record.ts'
import type { JsonValue } from '../kernel/canonical.ts'
import { differingFields } from '../manifest/identity.ts'
import type { FieldDifference } from '../manifest/identity.ts'
import type { ExperimentChange } from './promotion-schema.ts'
import { asRps } from './wording.ts'

/** Which way a limit becomes easier to keep. A limit that is missing is the easiest. */
const EASIER: readonly [RegExp, 'higher' | 'lower'][] = [
  [/^workload\..+\.request_(ttft|tpot|e2e)_cutoff_ms$/, 'higher'],
  [/^workload\..+\.(input|output)_tokens$/, 'lower'],
  [/^workload\..+\.session\.turns$/, 'lower'],
  [/^acceptance\.(class_slo_attainment_min|attempted_attainment_min)$/, 'lower'],
  [/^acceptance\.(min_successful_samples_per_class|min_capacity_rps)$/, 'lower'],
  [/^acceptance\.(error_rate_max|class_error_rate_max|capacity_tolerance)$/, 'higher'],
  [/^client\.(send_lag_p99_max_ms|calibration_error_max_share)$/, 'higher'],
  [/^client\.offered_rate_min_share$/, 'lower'],
  [/^client\.((request|first_token|stall)_timeout_seconds)$/, 'higher'],
  [/^client\.(minimum_duration_seconds|initial_scheduled_requests|burst\.height)$/, 'lower'],
  [/^client\.class_schedule_counts\..+$/, 'lower'],
  [/^cache\.cold\.hit_rate_max$/, 'higher'],
  [/^cache\.warm\.hit_rate_min$/, 'lower'],
]

/** What is easier by being gone, and not by its size. */
const EASIER_WITHOUT = [
  /^workload\.[^.]+$/,
  /^workload\["[^"]*"\]$/,
  /^cache\.(cold|warm)$/,
  /^acceptance\.required_evidence\./,
]

const EASIER_VALUES: Readonly<Record<string, JsonValue>> = {
  'acceptance.planned_cancellations': 'excluded',
  'acceptance.latency_origin': 'send',
}

const VALUE_MAX = 200

/**
 * The fields in which the candidate's experiment differs from the baseline's, classes told apart by name, those that loosen it first; then
 * the highest rate that each state was asked for, where it is lower than the baseline's. Empty for the same experiment.
 */
export function experimentChanges(baseline: CapacityRecord, candidate: CapacityRecord): ExperimentChange[] {
  if (baseline.experiment.sha256 === candidate.experiment.sha256) return []
  const fields = differingFields(byName(baseline.experiment.value), byName(candidate.experiment.value))
  const changes = [...fields.map(changeOf), ...lowerRates(baseline, candidate)]
  return [...changes.filter(({ loosens }) => loosens), ...changes.filter(({ loosens }) => !loosens)]
}

/** `acceptance.error_rate_max: 0.01 → 0.05 (loosens)` */
export function changeText({ path, from, to, loosens }: ExperimentChange): string {
  return `${path}: ${from} → ${to}${loosens ? ' (loosens)' : ''}`
}

function changeOf(field: FieldDifference): ExperimentChange {
  return { path: field.path, from: shown(field.base), to: shown(field.now), loosens: loosens(field) }
}

function loosens({ path, base, now }: FieldDifference): boolean {
  if (EASIER_WITHOUT.some((pattern) => pattern.test(path))) return now === undefined
  const easiest = EASIER_VALUES[path]
  if (easiest !== undefined) return now === easiest
  const easier = EASIER.find(([pattern]) => pattern.test(path))?.[1]
  if (easier === undefined) return false
  if (now === undefined || base === undefined) return now === undefined
  if (typeof base !== 'number' || typeof now !== 'number') return false
  return easier === 'higher' ? now > base : now < base
}

/** The workload's classes and the list of required evidence as mappings, so that one that is gone does not shift the rest. */
function byName(experiment: JsonValue): JsonValue {
  if (!isMapping(experiment)) return experiment
  const { workload, acceptance } = experiment
  return {
    ...experiment,
    ...(Array.isArray(workload) ? { workload: Object.fromEntries(workload.map(named)) } : {}),
    ...(isMapping(acceptance) ? { acceptance: withEvidenceByName(acceptance) } : {}),
  }
}

function named(entry: JsonValue, index: number): [string, JsonValue] {
  const name = isMapping(entry) ? entry['name'] : undefined
  return [typeof name === 'string' ? name : String(index), entry]
}

function withEvidenceByName(acceptance: Readonly<Record<string, JsonValue>>): JsonValue {
  const groups = acceptance['required_evidence']
  if (!Array.isArray(groups)) return acceptance
  return { ...acceptance, required_evidence: Object.fromEntries(groups.map((group) => [String(group), 'required'])) }
}

function isMapping(value: JsonValue | undefined): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function lowerRates(baseline: CapacityRecord, candidate: CapacityRecord): ExperimentChange[] {
  return candidate.capacity.flatMap(({ cache }) => {
    const [base, now] = [highestRate(baseline, cache), highestRate(candidate, cache)]
    if (base === null || now === null || now >= base) return []
    return [{ path: `highest ${cache} rate swept`, from: `${asRps(base)} RPS`, to: `${asRps(now)} RPS`, loosens: true }]
  })
}

function highestRate(record: CapacityRecord, cache: string): number | null {
  const points = record.capacity.filter((result) => result.cache === cache).flatMap((result) => result.points)
  const rates = points.flatMap(({ key }) => ('openMilliRps' in key.load ? [key.load.openMilliRps] : []))
  return rates.length === 0 ? null : rates.reduce((a, b) => Math.max(a, b))
}

function shown(value: JsonValue | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX - 1)}…` : text
}
