import { z } from 'zod'
import type { JsonValue } from '../kernel/canonical.ts'
import type { Evidence, Reason } from '../kernel/evidence.ts'
import type { CapacityRecord, PointReport } from '../capacity/record.ts'
import type { EngineWork } from '../telemetry/engine-work.ts'
import type { AcceptedLossFacts, Verdict } from './verdict.ts'

/**
 * The shapes of capacity.json, point.json and verdict.json as they come back from disk: hostile input. Unknown keys are let through
 * (a later tool of the same schema may add some); what is known must be of its type and in its range. Nothing is transformed.
 */
const LIST_MAX = 100_000
/** Cold and warm: a record with a result more is not read for minutes, but refused. */
const STATES = 2
const line = z.string().max(100_000)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')
const number = z.number()
const atLeastZero = z.number().min(0)
const count = z.int().min(0)
const share = z.number().min(0).max(1)
const milliRps = z.int().min(1)
const cache = z.enum(['cold', 'warm'])
const list = <T extends z.ZodType>(item: T) => z.array(item).max(LIST_MAX)
const strings = z.record(z.string().max(1000), line)

const reasonSchema: z.ZodType<Reason> = z.looseObject({
  code: line,
  text: line,
  class: z.exactOptional(line),
  value: z.exactOptional(number),
  limit: z.exactOptional(number),
})

const evidenceSchema: z.ZodType<Evidence> = z.looseObject({
  probe: line,
  state: z.enum(['pass', 'fail', 'unknown']),
  required: z.boolean(),
  blames: z.enum(['engine', 'client', 'host']),
  value: z.exactOptional(number),
  limit: z.exactOptional(number),
  unit: z.exactOptional(line),
  text: z.exactOptional(line),
  file: z.exactOptional(line),
  sha256: z.exactOptional(line),
})

const limitingSchema = z.looseObject({
  class: line,
  metric: z.enum(['ttft', 'tpot', 'e2e', 'errors', 'queue', 'samples']),
})

const ratesSchema = z.looseObject({
  offered: atLeastZero,
  sent: atLeastZero.nullable(),
  accepted: atLeastZero.nullable(),
  completed: atLeastZero,
  good: atLeastZero,
})

const distributionShape = {
  n: count,
  p50: number.nullable(),
  p90: number.nullable(),
  p95: number.nullable(),
  p99: number.nullable(),
}
const distributionSchema = z.looseObject(distributionShape)
const intervalSchema = z.tuple([number, number])

const classReportSchema = z.looseObject({
  successful_count: count,
  passing_count: count,
  request_ttft_cutoff_ms: atLeastZero,
  request_tpot_cutoff_ms: atLeastZero,
  attainment: share.nullable(),
  sample_adequate: z.boolean(),
  p99_sample_adequate: z.boolean(),
  class_slo_pass: z.boolean(),
  p50_ttft_ms: number.nullable(),
  p95_ttft_ms: number.nullable(),
  p99_ttft_ms: number.nullable(),
  p50_tpot_ms: number.nullable(),
  p95_tpot_ms: number.nullable(),
  p99_tpot_ms: number.nullable(),
  p95_e2e_ms: number.nullable(),
  output_tokens: count,
  attempted_count: count,
  failed_count: count,
  error_rate: share.nullable(),
  request_e2e_cutoff_ms: number.nullable(),
  attempted_attainment: share.nullable(),
  attainment_wilson95: intervalSchema.nullable(),
  attainment_block_bootstrap95: intervalSchema.nullable(),
  miss_share: z.looseObject({ ttft: share, tpot: share, e2e: share }).nullable(),
  good_rps: atLeastZero,
  ttft_ms: distributionSchema,
  tpot_ms: distributionSchema,
  e2e_ms: distributionSchema,
  ttft_from_due_ms: distributionSchema,
  e2e_from_due_ms: distributionSchema,
  itl_ms: distributionSchema.nullable(),
  tokens_per_chunk: z
    .looseObject({
      n: count,
      unknown: count,
      mean: number.nullable(),
      p50: number.nullable(),
      p95: number.nullable(),
      max: number.nullable(),
    })
    .nullable()
    .exactOptional(),
})

const sloReportSchema = z.looseObject({
  attempted: count,
  successful: count,
  failed: count,
  error_rate: share.nullable(),
  overall_attainment: share.nullable(),
  observed_goodput_rps: atLeastZero,
  request_throughput_rps: atLeastZero,
  output_throughput_tps: atLeastZero,
  queue_trend: z.enum(['flat', 'growing', 'unknown']),
  all_class_slos_pass: z.boolean(),
  capacity_gate_pass: z.boolean(),
  classes: z.record(z.string(), classReportSchema),
  schema: z.literal(1),
  duration_seconds: atLeastZero,
  arrival_seconds: number.nullable(),
  percentile: z.literal('nearest-rank'),
  latency_origin: z.enum(['send', 'due']),
  status_counts: z.looseObject({ ok: count, error: count, timeout: count, rejected: count, cancelled: count }),
  error_codes: z.record(z.string(), count),
  rates_rps: ratesSchema,
  arrival_window_rates_rps: ratesSchema.nullable(),
  input_tokens: count.nullable(),
  cached_tokens: count.nullable(),
  output_tokens: count,
  send_lag_ms: z.looseObject({ ...distributionShape, max: number.nullable() }).nullable(),
  mean_terminal_seconds: number.nullable(),
  class_error_rate_pass: z.boolean().nullable(),
  attempted_attainment_pass: z.boolean().nullable(),
  limiting: limitingSchema.nullable(),
  origin: z.exactOptional(line),
  reasons: z.exactOptional(list(reasonSchema)),
})

const engineWorkSchema: z.ZodType<EngineWork> = z.looseObject({
  replicas: count,
  cost: z.looseObject({ stepUs: atLeastZero, sequenceUs: atLeastZero, prefillTokenUs: atLeastZero }).nullable(),
  batch: atLeastZero.nullable(),
  prefillPerStep: atLeastZero.nullable(),
  hitsTold: z.enum(['answers', 'counters']).nullable(),
  computedTokens: z.record(z.string(), atLeastZero),
  runningMax: atLeastZero.nullable(),
  queueWaitMs: atLeastZero.nullable(),
  standstill: z.looseObject({ share, waitMs: atLeastZero }).nullable(),
  intakeMs: atLeastZero.nullable(),
})

export const pointReportSchema: z.ZodType<PointReport> = z.looseObject({
  schema: z.literal(1),
  key: z.looseObject({
    cache,
    load: z.union([z.strictObject({ openMilliRps: milliRps }), z.strictObject({ closedConcurrency: z.int().min(1) })]),
    repeat: z.int().min(1),
  }),
  epoch: count,
  scheduleSha256: sha256,
  deployId: line,
  arrivalSeconds: atLeastZero,
  cohortSeconds: atLeastZero,
  slo: sloReportSchema,
  ratesRps: ratesSchema,
  evidence: list(evidenceSchema),
  outcome: z.enum(['pass', 'fail', 'undersampled', 'unknown', 'invalid']),
  stoppedEarly: z.boolean(),
  limiting: limitingSchema.nullable(),
  reasons: list(reasonSchema),
  work: z.exactOptional(engineWorkSchema),
})

const capacityResultSchema = z.looseObject({
  cache,
  plan: z.enum(['sweep', 'confirm']),
  passMilliRps: milliRps.nullable(),
  failMilliRps: milliRps.nullable(),
  perReplicaRps: atLeastZero.nullable(),
  perGpuRps: atLeastZero.nullable(),
  points: list(pointReportSchema),
  flukeMilliRps: list(milliRps),
  attainmentSpread: intervalSchema.nullable(),
  bootSpread: atLeastZero.nullable(),
  gpuMinutes: atLeastZero,
  reasons: list(reasonSchema),
})

const bootSchema = z.looseObject({
  deployId: line,
  seconds: atLeastZero,
  firstRequestMs: atLeastZero,
  compileCache: z.enum(['hit', 'miss', 'unknown']),
  kvTokens: count.nullable(),
})

const hostProofSchema = z.looseObject({
  baselineSha256: sha256,
  capacity: z.array(capacityResultSchema).max(STATES),
  boots: list(bootSchema),
  reasons: list(reasonSchema),
})

export const capacityRecordSchema: z.ZodType<CapacityRecord> = z.looseObject({
  schema: z.literal(1),
  kind: z.enum(['measured', 'simulated', 'imported']),
  layer: z.literal('service'),
  gateId: line,
  tool: z.looseObject({ version: line, replayProtocol: z.literal(1) }),
  createdAt: line,
  commit: line.nullable(),
  experiment: z.looseObject({ sha256, value: z.json() as z.ZodType<JsonValue> }),
  schedules: z.looseObject({ cold: z.exactOptional(sha256), warm: z.exactOptional(sha256) }),
  subject: z.looseObject({
    sha256,
    value: z.exactOptional(z.json() as z.ZodType<JsonValue>),
    name: line,
    version: line,
    image: line.nullable(),
    argv: list(line),
    env: strings,
  }),
  identity: list(evidenceSchema),
  hardware: z.looseObject({ mustEqual: strings, recorded: strings }),
  boots: list(bootSchema),
  capacity: z.array(capacityResultSchema).max(STATES),
  hostProof: z.exactOptional(hostProofSchema),
  selected: line.nullable(),
  evidence: list(evidenceSchema),
})

export const acceptedLossSchema: z.ZodType<AcceptedLossFacts> = z.looseObject({
  subjectSha256: sha256,
  guardMilliRps: milliRps,
  floorMilliRps: milliRps,
  reason: line,
  acceptedBy: line,
  expires: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  covers: list(reasonSchema),
})

const outcome = z.enum(['held', 'improved', 'regressed', 'inconclusive', 'invalid', 'recorded'])

export const verdictSchema: z.ZodType<Verdict> = z.looseObject({
  version: z.literal(1),
  outcome,
  candidateSha256: sha256,
  baselineSha256: sha256.nullable(),
  anchorSha256: sha256.nullable(),
  reasons: list(reasonSchema),
  states: list(
    z.looseObject({
      cache,
      outcome,
      baselineMilliRps: milliRps.nullable(),
      anchorMilliRps: milliRps.nullable(),
      guardMilliRps: milliRps.nullable(),
      guardFrom: z.enum(['baseline', 'anchor', 'min_capacity']).nullable(),
      candidateMilliRps: milliRps.nullable(),
      candidateFailMilliRps: milliRps.nullable(),
      changeShare: number.nullable(),
      repeats: count,
      minimumDetectableLoss: number.nullable(),
      limiting: limitingSchema.nullable(),
      reasons: list(reasonSchema),
      notes: list(reasonSchema),
      deltaRates: z.looseObject({ baseMilliRps: milliRps, nowMilliRps: milliRps }).nullable(),
      deltas: list(
        z.looseObject({ class: line.nullable(), metric: line, base: number, now: number, regression: z.boolean() }),
      ),
      acceptedLoss: acceptedLossSchema.exactOptional(),
    }),
  ),
})
