import { z } from 'zod'
import { milliRps } from '../capacity/guard-rate.ts'
import type { CapacityRecord } from '../capacity/record.ts'

/** What the gate needs to know of the frozen experiment. Shares are 0..1, rates integer milli-requests a second. */
export interface Terms {
  toleranceShare: number
  minCapacityMilliRps: number | null
  attainmentMin: number
  samplesMin: number
  errorRateMax: number
  classErrorRateMax: number | null
  attemptedAttainmentMin: number | null
  classes: string[]
  /** Groups of probes that a passing point must have asked. */
  requiredEvidence: string[]
}

const share = z.number().min(0).max(1)
const experimentSchema = z.looseObject({
  workload: z.array(z.looseObject({ name: z.string() })).min(1),
  acceptance: z.looseObject({
    class_slo_attainment_min: share,
    min_successful_samples_per_class: z.int().min(1),
    error_rate_max: share,
    capacity_tolerance: share.default(0.04),
    min_capacity_rps: z.number().positive().nullish(),
    class_error_rate_max: share.nullish(),
    attempted_attainment_min: share.nullish(),
    required_evidence: z.array(z.string()).default([]),
  }),
})

/** The terms inside a record's own experiment, by which it was judged; null where the record does not hold them. */
export function readTerms(record: CapacityRecord): Terms | null {
  const parsed = experimentSchema.safeParse(record.experiment.value)
  if (!parsed.success) return null
  const { acceptance, workload } = parsed.data
  const minRps = acceptance.min_capacity_rps ?? null
  return {
    toleranceShare: acceptance.capacity_tolerance,
    minCapacityMilliRps: minRps === null ? null : milliRps(minRps),
    attainmentMin: acceptance.class_slo_attainment_min,
    samplesMin: acceptance.min_successful_samples_per_class,
    errorRateMax: acceptance.error_rate_max,
    classErrorRateMax: acceptance.class_error_rate_max ?? null,
    attemptedAttainmentMin: acceptance.attempted_attainment_min ?? null,
    classes: workload.map((entry) => entry.name),
    requiredEvidence: acceptance.required_evidence,
  }
}
