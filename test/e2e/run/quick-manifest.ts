import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { freePorts } from '../../fakes/free-port.ts'

/** One replica of the embedded engine that prefill runs out of at about 24 of these requests a second. */
const ENGINE = ['--port', '{port}', '--slots', '24', '--token-budget', '256']
const STEP_COSTS = ['--base-us', '20000', '--per-prefill-token-us', '115', '--per-decode-sequence-us', '100']

export interface QuickOptions {
  /** The engine's program; its sources by default. */
  program?: string
  /** Further flags of the engine. */
  flags?: readonly string[]
  client?: Record<string, unknown>
  sweep?: Record<string, unknown>
  acceptance?: Record<string, unknown>
  deploy?: Record<string, unknown>
  ttftCutoffMs?: number
}

export interface QuickManifest {
  path: string
  port: number
  /** The override of a subject that differs in its engine's flags. */
  subject(name: string, flags: readonly string[]): string
}

const GATE_ID = 'quick'

/** Passes at 12 RPS and fails at 60, far from the capacity on both sides: for tests that are not about it. */
export const FAR = {
  client: {
    minimum_duration_seconds: 1,
    initial_scheduled_requests: 72,
    class_schedule_counts: { short: 36, long: 36 },
  },
  sweep: { rates_rps: [12, 60], refine_step: 0 },
  ttftCutoffMs: 1000,
}

/**
 * Passes at 20 RPS and fails at 28, cold and warm alike, which is narrow enough for a baseline; the guard rate of that is 12 RPS. A point
 * lasts six seconds or less.
 */
export async function quickManifest(folder: string, options: QuickOptions = {}): Promise<QuickManifest> {
  const port = await freePorts(1)
  const path = join(folder, `manifest-${port}.yaml`)
  writeFileSync(path, stringify(manifestOf(port, options)))
  return {
    path,
    port,
    subject(name, flags) {
      const file = join(folder, `${name}.yaml`)
      writeFileSync(file, stringify({ engine: { deploy: { argv: argvOf(flags, options.program) } } }))
      return file
    },
  }
}

/** The engine's own flags: what a container of it is started with after its program. */
export function quickFlags(flags: readonly string[]): string[] {
  return [...ENGINE, ...STEP_COSTS, '--drain-seconds', '0.2', ...flags]
}

function argvOf(flags: readonly string[], program = 'fixtures/engine/main.ts'): string[] {
  return ['{node}', program, ...quickFlags(flags)]
}

function manifestOf(port: number, options: QuickOptions) {
  const { flags = [], program, client, sweep, acceptance, deploy, ttftCutoffMs = 500 } = options
  const cutoffs = { request_ttft_cutoff_ms: ttftCutoffMs, request_tpot_cutoff_ms: 300 }
  return {
    gate: { id: GATE_ID },
    model: {
      id: 'fixture',
      revision: 'fixture-r1',
      tokenizer_revision: 'fixture-r1',
      precision: 'bf16',
      prompt_token_ids: [1000, 30_000],
    },
    engine: {
      name: 'fixture',
      version: '1.0',
      placement: { tp: 1, pp: 1, dp: 1, replicas: 1, gpus: 0 },
      deploy: { kind: 'process', argv: argvOf(flags, program), first_port: port, ready_timeout_seconds: 30, ...deploy },
    },
    client: {
      streaming: true,
      arrival_pattern: 'constant',
      minimum_duration_seconds: 2,
      initial_scheduled_requests: 120,
      request_schedule_seed: 7,
      class_schedule_counts: { short: 60, long: 60 },
      warmup_seconds: 0.3,
      maximum_duration_seconds: 6,
      request_timeout_seconds: 10,
      automatic_retries: false,
      // What these tests are about must not hang on how busy the machine is.
      send_lag_p99_max_ms: 1000,
      offered_rate_min_share: 0.9,
      calibration_error_max_share: 1,
      ...client,
    },
    workload: [
      { name: 'short', mix: 0.5, input_tokens: 128, output_tokens: 3, ...cutoffs },
      { name: 'long', mix: 0.5, input_tokens: 304, output_tokens: 2, ...cutoffs },
    ],
    cache: {
      cold: { isolate: 'unique_tokens', restart: 'per_state', hit_rate_max: 0.01 },
      // Few enough tokens that the capacity is about the cold one.
      warm: { prefix_set: 'v1', count: 2, tokens: 16, law: 'uniform', hit_rate_min: 0.05 },
    },
    sweep: { rates_rps: [20, 28], refine_step: 0.4, repeats: 1, ...sweep },
    acceptance: {
      class_slo_attainment_min: 0.95,
      min_successful_samples_per_class: 30,
      error_rate_max: 0.01,
      class_error_rate_max: 0.05,
      queue_trend_required: 'flat',
      target_utilization: 0.75,
      capacity_tolerance: 0.4,
      ...acceptance,
    },
  }
}
