import { dialectFor } from '../../../src/core/dialect/choose.ts'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { manifestSchema } from '../../../src/core/manifest/schema.ts'
import type { ScheduleHeader, ScheduleRow } from '../../../src/core/schedule/schedule.ts'
import { requestId } from '../../../src/core/schedule/schedule.ts'
import type { RequestShape } from '../../../src/app/ports/replay.ts'

type Raw = Record<string, unknown>

export interface ShapeParts {
  client?: Raw
  model?: Raw
  cache?: Raw
  engine?: Raw
  /** Of the one class. */
  session?: Raw
  header?: Partial<ScheduleHeader>
}

/** A small manifest: one class, 24 tokens in, 4 out. */
function testManifest(parts: ShapeParts = {}): Manifest {
  return manifestSchema.parse({
    model: {
      id: 'fixture',
      revision: 'fixture-r1',
      tokenizer_revision: 'fixture-r1',
      precision: 'bf16',
      prompt_token_ids: [1000, 30000],
      ...parts.model,
    },
    engine: {
      name: 'fixture',
      version: '1.0',
      placement: { tp: 1, pp: 1, dp: 1, replicas: 1, gpus: 0 },
      ...parts.engine,
    },
    client: {
      streaming: true,
      arrival_pattern: 'constant',
      minimum_duration_seconds: 1,
      initial_scheduled_requests: 20,
      request_schedule_seed: 7,
      class_schedule_counts: { small: 20 },
      warmup_seconds: 0,
      maximum_duration_seconds: 60,
      request_timeout_seconds: 20,
      automatic_retries: false,
      ...parts.client,
    },
    workload: [
      {
        name: 'small',
        mix: 1,
        input_tokens: 24,
        output_tokens: 4,
        request_ttft_cutoff_ms: 500,
        request_tpot_cutoff_ms: 50,
        ...(parts.session ? { session: parts.session } : {}),
      },
    ],
    cache: parts.cache ?? { cold: {} },
    acceptance: {
      class_slo_attainment_min: 0.95,
      min_successful_samples_per_class: 10,
      error_rate_max: 0.01,
      queue_trend_required: 'flat',
      target_utilization: 0.75,
    },
  })
}

export function testShape(parts: ShapeParts = {}): RequestShape {
  const manifest = testManifest(parts)
  return {
    manifest,
    dialect: dialectFor(manifest),
    header: {
      version: 1,
      cache: 'cold',
      generator: 'constant-1',
      seed: 7,
      initialRequests: 20,
      extensionRequests: 0,
      blockRequests: 0,
      warmupSeed: 8,
      prefixes: [],
      ...parts.header,
    },
    epoch: 3,
  }
}

/** Rows one second apart at one request a second, numbered from `from`. */
export function testRows(count: number, from = 1, kind = 'r', parts: Partial<ScheduleRow> = {}): ScheduleRow[] {
  return Array.from({ length: count }, (_, index) => ({
    id: requestId(kind, from + index),
    class: 'small',
    offsetUs: (from + index) * 1_000_000,
    inputTokens: 24,
    outputTokens: 4,
    ...parts,
  }))
}

export interface SessionParts {
  sessions: number
  turns: number
  thinkUs: number
  /** How many rows in all: those that no session takes stand between. */
  among: number
  kind?: string
}

/** Sessions of class `small`, all begun at once, a turn of each after a turn of each; the rows that are left over have none. */
export function testSessions({ sessions, turns, thinkUs, among, kind = 'r' }: SessionParts): ScheduleRow[] {
  return testRows(among, 1, kind).map((row, index): ScheduleRow => {
    const turn = Math.floor(index / sessions)
    if (turn >= turns) return row
    const session = `small-${kind === 'w' ? 'w' : ''}${String((index % sessions) + 1).padStart(5, '0')}`
    const inputTokens = (turn + 1) * 24 + turn * 4
    return { ...row, session, turn, inputTokens, ...(turn === 0 ? {} : { thinkUs }) }
  })
}
