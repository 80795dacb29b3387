import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { freePorts } from '../fakes/free-port.ts'

/** What `main.ts` made ready. */
interface VllmSetting {
  python: string
  model: string
  /** SHA-256 of the model's files, as `model.revision` names it. */
  revision: string
}

export interface VllmOptions {
  /** Sequences that the engine runs at a time: 16. */
  sequences?: number
  /** Further arguments of the engine. */
  args?: readonly string[]
  model?: Record<string, unknown>
  engine?: Record<string, unknown>
  client?: Record<string, unknown>
  sweep?: Record<string, unknown>
  acceptance?: Record<string, unknown>
  /** `prefixes`: prompts that a warm prefix is most of. `answers`: many steps, which the engine shares among its sequences; cold alone. */
  load?: keyof typeof LOADS
}

export interface VllmManifest {
  path: string
  port: number
  /** The override of a subject that differs in its engine's arguments alone. */
  subject(name: string, args: readonly string[]): string
}

/** Both of whole blocks (128 tokens on a CPU) that a warm prefix fills, and of a rest that no cache has. */
export const PREFIX_TOKENS = 256

/** The setting, where `main.ts` started the tests. */
function vllmSetting(): VllmSetting {
  const text = process.env['ENGINES_VLLM']
  if (text === undefined) throw new Error('run these tests by npm run test:engines')
  return JSON.parse(text) as VllmSetting
}

/**
 * One replica of vLLM on the CPUs that the client has too. What the client may be late by is stated accordingly (a second, a tenth of a
 * cutoff), and the cutoffs are ten times that.
 */
export async function vllmManifest(folder: string, options: VllmOptions = {}): Promise<VllmManifest> {
  const port = await freePorts(1)
  const setting = vllmSetting()
  const path = join(folder, `vllm-${port}.yaml`)
  writeFileSync(path, stringify(manifestOf(setting, port, options)))
  return {
    path,
    port,
    subject(name, args) {
      const file = join(folder, `${name}.yaml`)
      writeFileSync(file, stringify({ engine: { deploy: { argv: argvOf(setting, args) } } }))
      return file
    },
  }
}

/** How much less than the client's the engine's priority is, in steps of `nice`: a ninth of its share of a core that both want. */
const NICER = 10

/** Niced, since the client that measures it has no other cores. */
function argvOf({ python }: VllmSetting, args: readonly string[]): string[] {
  const engine = ['nice', '-n', String(NICER), python, '-m', 'vllm.entrypoints.openai.api_server', '--enforce-eager']
  // Where Linux schedules sessions as groups, a process's own niceness counts only against others of its session: the session's must rise.
  const script = `{ echo ${sessionNice() + NICER} > /proc/self/autogroup; } 2>/dev/null; exec "$@"`
  return ['sh', '-c', script, 'niced', ...engine, ...args]
}

/** The niceness of our own session, where sessions have one. */
function sessionNice(): number {
  try {
    return Number(/nice (-?\d+)/.exec(readFileSync('/proc/self/autogroup', 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** One gigabyte of KV cache and one thread, wherever the scheduler puts it. */
const VLLM_ENVIRONMENT = {
  VLLM_CPU_KVCACHE_SPACE: '1',
  VLLM_CPU_OMP_THREADS_BIND: 'nobind',
  OMP_NUM_THREADS: '1',
}

/** In the environment of whatever the engine at a port starts. */
export const markOf = (port: number) => ({ name: 'ENGINES_TEST', value: `port-${port}` })

const LOADS = {
  prefixes: { short: { input: 272, output: 24 }, long: { input: 320, output: 32 } },
  answers: { short: { input: 64, output: 48 }, long: { input: 96, output: 80 } },
}

const WARM = { prefix_set: 'v1', count: 4, tokens: PREFIX_TOKENS, law: 'uniform', hit_rate_min: 0.8 }
const cutoffs = { request_ttft_cutoff_ms: 10_000, request_tpot_cutoff_ms: 250 }

function manifestOf(setting: VllmSetting, port: number, options: VllmOptions) {
  const { sequences = 16, args = [], model, engine, client, sweep, acceptance, load = 'prefixes' } = options
  const { revision } = setting
  return {
    gate: { id: 'tiny-llama' },
    model: {
      id: setting.model,
      revision,
      tokenizer_revision: revision,
      precision: 'fp32',
      max_model_len: 2048,
      prompt_token_ids: [300, 1900],
      ...model,
    },
    engine: {
      name: 'vllm',
      version: '0.32.0',
      placement: { tp: 1, pp: 1, dp: 1, replicas: 1, gpus: 0 },
      ...engine,
      deploy: {
        kind: 'process',
        argv: argvOf(setting, ['--max-num-seqs', String(sequences), ...args]),
        env: { ...VLLM_ENVIRONMENT, [markOf(port).name]: markOf(port).value },
        first_port: port,
        ready_timeout_seconds: 400,
      },
    },
    client: {
      streaming: true,
      arrival_pattern: 'constant',
      minimum_duration_seconds: 2,
      initial_scheduled_requests: 128,
      request_schedule_seed: 7,
      class_schedule_counts: { short: 64, long: 64 },
      warmup_seconds: 1,
      maximum_duration_seconds: 64,
      request_timeout_seconds: 40,
      // Whoever waits for longer has missed the cutoff: a hopeless point ends there instead of draining for a minute.
      first_token_timeout_seconds: 11,
      automatic_retries: false,
      send_lag_p99_max_ms: 1000,
      offered_rate_min_share: 0.9,
      calibration_error_max_share: 0.1,
      ...client,
    },
    workload: (['short', 'long'] as const).map((name) => ({
      name,
      mix: 0.5,
      input_tokens: LOADS[load][name].input,
      output_tokens: LOADS[load][name].output,
      ...cutoffs,
    })),
    cache: {
      cold: { isolate: 'unique_tokens', restart: 'per_state', hit_rate_max: 0.01 },
      ...(load === 'prefixes' ? { warm: WARM } : {}),
    },
    sweep: { rates_rps: [3, 4.7, 7.4, 11.5, 18, 28, 44], refine_step: 0.6, repeats: 1, ...sweep },
    acceptance: {
      class_slo_attainment_min: 0.95,
      min_successful_samples_per_class: 55,
      error_rate_max: 0.01,
      class_error_rate_max: 0.05,
      queue_trend_required: 'flat',
      target_utilization: 0.75,
      capacity_tolerance: 0.6,
      ...acceptance,
    },
  }
}
