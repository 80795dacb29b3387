import type { JsonValue } from '../kernel/canonical.ts'
import type { Evidence, Reason } from '../kernel/evidence.ts'
import type { Cache, PointKey } from '../kernel/point.ts'
import type { Limiting, RatesRps, SloReport } from '../slo/report.ts'
import type { EngineWork } from '../telemetry/engine-work.ts'

export type PointOutcome = 'pass' | 'fail' | 'undersampled' | 'unknown' | 'invalid'

/** point.json: one judged point. */
export interface PointReport {
  schema: 1
  key: PointKey
  epoch: number
  scheduleSha256: string
  deployId: string
  arrivalSeconds: number
  cohortSeconds: number
  slo: SloReport
  ratesRps: RatesRps
  evidence: Evidence[]
  outcome: PointOutcome
  stoppedEarly: boolean
  limiting: Limiting | null
  reasons: Reason[]
  /** Left out where no request was sent, and by reports older than it. */
  work?: EngineWork
}

export type Plan = 'sweep' | 'confirm'

export interface CapacityResult {
  cache: Cache
  plan: Plan
  passMilliRps: number | null
  /** Null: no ceiling was found. */
  failMilliRps: number | null
  perReplicaRps: number | null
  perGpuRps: number | null
  points: PointReport[]
  flukeMilliRps: number[]
  /** Lowest and highest class attainment over the repeats at the pass rate: the worst class of each. */
  attainmentSpread: [number, number] | null
  /** Relative standard deviation of the capacity from boot to boot; null where it was not measured. */
  bootSpread: number | null
  gpuMinutes: number
  /** Why the stepper ended where it did. */
  reasons: Reason[]
}

export interface BootRecord {
  deployId: string
  seconds: number
  firstRequestMs: number
  compileCache: 'hit' | 'miss' | 'unknown'
  kvTokens: number | null
}

export interface SubjectRecord {
  sha256: string
  /** What was hashed: so that it can be deployed again. Records of the first versions do not hold it. */
  value?: JsonValue
  name: string
  version: string
  image: string | null
  argv: string[]
  /** Values of names that look like secrets are masked before they come here. */
  env: Record<string, string>
}

/**
 * What the baseline's own revision carried on this run's machine, which is not the baseline's: measured before the candidate, so that a loss
 * is not blamed on the revision that the machine brought about.
 */
export interface HostProof {
  /** Of the baseline's record. */
  baselineSha256: string
  /** A confirmation at the baseline's own guard rate, state after state up to the first that does not hold. */
  capacity: CapacityResult[]
  boots: BootRecord[]
  /** Why it could not be measured, or not whole: its revision cannot be deployed here, the budget. */
  reasons: Reason[]
}

/** capacity.json: the facts of one run. */
export interface CapacityRecord {
  schema: 1
  /** Imported: another tool sent the requests. It is shown beside others, and neither gated nor promoted. */
  kind: 'measured' | 'simulated' | 'imported'
  layer: 'service'
  gateId: string
  tool: { version: string; replayProtocol: 1 }
  createdAt: string
  commit: string | null
  /** `value` is what was hashed: so that a differing field can be named. */
  experiment: { sha256: string; value: JsonValue }
  schedules: Partial<Record<Cache, string>>
  subject: SubjectRecord
  identity: Evidence[]
  hardware: { mustEqual: Record<string, string>; recorded: Record<string, string> }
  boots: BootRecord[]
  capacity: CapacityResult[]
  /** Only where the machine differs from the baseline's in what is recorded, and was to be proven. */
  hostProof?: HostProof
  /** Name of the point whose files stand at the pack's root; null where no point was measured. */
  selected: string | null
  evidence: Evidence[]
}
