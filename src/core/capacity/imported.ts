import type { Evidence } from '../kernel/evidence.ts'
import { pointEpoch } from '../kernel/point.ts'
import type { PointKey } from '../kernel/point.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { CohortTable } from '../record/table.ts'
import { analyzeManifest } from '../slo/analyze.ts'
import { importedReason } from '../slo/imported-reason.ts'
import { pointOutcome } from './outcome.ts'
import type { CapacityResult, PointReport } from './record.ts'

export interface ImportedPoint {
  manifest: Manifest
  table: CohortTable
  /** Under which load and cache state the other tool says, or its user, that it ran. */
  key: PointKey
  /** The digest of requests.csv: there is no schedule whose digest it could be. */
  cohortSha256: string
  /** Drain included. */
  cohortSeconds: number
  /** Null: not told. */
  arrivalSeconds: number | null
}

/**
 * The one point of an imported cohort. Its outcome is never `pass` and never `fail`: what it shows of the engine may as well be the
 * client's doing. The gates that it misses are among its reasons.
 */
export function importedPoint(input: ImportedPoint): PointReport {
  const { manifest, table, key, cohortSha256, cohortSeconds } = input
  const slo = analyzeManifest(table, manifest, { durationSeconds: cohortSeconds, queueTrend: 'unknown' })
  const why = importedReason(table.origin ?? 'another tool')
  const evidence: Evidence[] = [
    { probe: 'client.open_loop', state: 'unknown', required: true, blames: 'client', text: why.text },
  ]
  const { acceptance } = manifest
  const judged = pointOutcome({ slo, evidence: [], acceptance, stoppedEarly: null, hopeless: null })
  return {
    schema: 1,
    key,
    epoch: pointEpoch(key),
    scheduleSha256: cohortSha256,
    deployId: 'imported',
    // Not told: the whole cohort's at most.
    arrivalSeconds: input.arrivalSeconds ?? cohortSeconds,
    cohortSeconds,
    slo,
    ratesRps: slo.rates_rps,
    evidence,
    outcome: judged.outcome === 'undersampled' ? 'undersampled' : 'unknown',
    stoppedEarly: false,
    limiting: slo.limiting,
    reasons: [why, ...judged.reasons],
  }
}

/** A state's result of one imported point: it found no capacity. */
export function importedResult(point: PointReport): CapacityResult {
  return {
    cache: point.key.cache,
    plan: 'confirm',
    passMilliRps: null,
    failMilliRps: null,
    perReplicaRps: null,
    perGpuRps: null,
    points: [point],
    flukeMilliRps: [],
    attainmentSpread: null,
    bootSpread: null,
    gpuMinutes: 0,
    reasons: point.reasons.slice(0, 1),
  }
}
