import { manifestSchema } from '../../../src/core/manifest/schema.ts'
import { OPENAI } from '../../../src/core/dialect/openai-table.ts'
import { dueUs } from '../../../src/core/kernel/point.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import { buildSchedule, type ScheduleOptions } from '../../../src/core/schedule/build-schedule.ts'
import type { PointView } from '../../../src/core/telemetry/point-view.ts'
import { readTimeline } from '../../../src/core/telemetry/timeline.ts'
import type { ScheduleRow } from '../../../src/core/schedule/schedule.ts'

const MILLI_RPS = 2_000_000
const cutoffs = { request_ttft_cutoff_ms: 500, request_tpot_cutoff_ms: 40 }

interface Parts {
  client?: object
  workload?: object
  /** The warm state's prefixes: the cohort is then a warm one. */
  warm?: object
  options?: ScheduleOptions
  /** What the engine told of each. */
  told: (row: ScheduleRow) => Partial<Pick<RequestRecord, 'inputTokens' | 'cachedTokens' | 'status'>>
}

/** A cohort of one class, cold unless it has prefixes, whose requests all succeed, as the engine tells of their prompts. */
export function promptCohort({ client = {}, workload = {}, warm, options = {}, told }: Parts): PointView {
  const manifest = manifestSchema.parse({
    model: { id: 'm', revision: 'r', tokenizer_revision: 'r', precision: 'bf16', prompt_token_ids: [1000, 100_000] },
    engine: { name: 'other', version: '1', placement: { tp: 1, pp: 1, dp: 1, replicas: 1, gpus: 0 } },
    client: {
      streaming: true,
      arrival_pattern: 'poisson',
      minimum_duration_seconds: 1,
      initial_scheduled_requests: 200,
      request_schedule_seed: 7,
      class_schedule_counts: { chat: 200 },
      warmup_seconds: 1,
      maximum_duration_seconds: 600,
      request_timeout_seconds: 60,
      automatic_retries: false,
      ...client,
    },
    workload: [{ name: 'chat', mix: 1, input_tokens: 100, output_tokens: 20, ...cutoffs, ...workload }],
    cache: { cold: { hit_rate_max: 0.01 }, warm },
    acceptance: {
      class_slo_attainment_min: 0.95,
      min_successful_samples_per_class: 10,
      error_rate_max: 0.01,
      queue_trend_required: 'flat',
      target_utilization: 0.75,
    },
  })
  const { schedule } = buildSchedule(manifest, warm ? 'warm' : 'cold', options)
  const records = schedule.rows.map((row): RequestRecord => {
    const due = dueUs(row.offsetUs, MILLI_RPS)
    return { ...success(row, due), ...told(row) }
  })
  return {
    manifest,
    dialect: OPENAI,
    schedule,
    facts: {
      key: { cache: warm ? 'warm' : 'cold', load: { openMilliRps: MILLI_RPS }, repeat: 1 },
      cohortRequests: schedule.rows.length,
      arrivalUs: records.at(-1)?.dueUs ?? 0,
      cohortUs: (records.at(-1)?.dueUs ?? 0) + 1_000_000,
      maximumReached: false,
      stoppedEarly: null,
      replicas: 1,
      warmupRequests: 0,
    } as PointView['facts'],
    records,
    timeline: readTimeline([], 1),
  }
}

function success(row: ScheduleRow, due: number): RequestRecord {
  return {
    id: row.id,
    class: row.class,
    status: 'ok',
    errorCode: null,
    dueUs: due,
    handedUs: due,
    sentUs: due,
    firstTokenUs: due + 10,
    firstContentUs: due + 10,
    lastTokenUs: due + 100,
    endUs: due + 100,
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    cachedTokens: 0,
    chunks: row.outputTokens,
    gapUs: null,
    httpStatus: 200,
    finishReason: 'length',
    replica: 0,
    session: row.session ?? null,
    turn: row.turn ?? null,
  }
}
