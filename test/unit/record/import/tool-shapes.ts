/** A cohort as each tool would have written it: the inverse of the importers, from the formats' own descriptions. */
export interface Told {
  id: string
  /** From the run's start, in microseconds. */
  dueUs: number
  sentUs: number
  ttftUs: number
  gapsUs: number[]
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  failure: '' | 'Too Many Requests' | 'Service Unavailable'
}

export const endUs = (told: Told) => told.sentUs + told.ttftUs + told.gapsUs.reduce((sum, gap) => sum + gap, 0)

const EPOCH_US = 1_762_000_000_000_000
const PERF_SECONDS = 9_137.25
const isOk = ({ failure }: Told) => failure === ''
const code = ({ failure }: Told) => (failure === 'Too Many Requests' ? 429 : 503)
const e2eUs = (told: Told) => endUs(told) - told.sentUs

export function asAiperf(cohort: readonly Told[]): string {
  const metric = (value: unknown, unit = 'ms') => ({ value, unit })
  const line = (told: Told, i: number) => ({
    metadata: {
      session_num: i,
      x_request_id: told.id,
      turn_index: 0,
      request_start_ns: (EPOCH_US + told.sentUs) * 1000,
      request_end_ns: (EPOCH_US + endUs(told)) * 1000,
      worker_id: 'w',
      record_processor_id: 'r',
      benchmark_phase: 'profiling',
      was_cancelled: false,
    },
    metrics: isOk(told)
      ? {
          time_to_first_token: metric(told.ttftUs / 1000),
          request_latency: metric(e2eUs(told) / 1000),
          inter_token_latency: metric(12345),
          inter_chunk_latency: metric(told.gapsUs.map((gap) => gap / 1000)),
          input_sequence_length: metric(told.inputTokens, 'tokens'),
          output_sequence_length: metric(told.outputTokens, 'tokens'),
        }
      : { error_isl: metric(told.inputTokens, 'tokens') },
    error: isOk(told) ? null : { code: code(told), type: told.failure, message: 'refused' },
  })
  return cohort.map((told, i) => JSON.stringify(line(told, i))).join('\n')
}

export function asBench(cohort: readonly Told[], tool: 'vllm' | 'sglang'): string {
  const of = <T>(ok: (told: Told) => T, failed: T) => cohort.map((told) => (isOk(told) ? ok(told) : failed))
  const arrays = {
    input_lens: cohort.map(({ inputTokens }) => inputTokens),
    output_lens: of(({ outputTokens }) => outputTokens, 0),
    ttfts: of(({ ttftUs }) => ttftUs / 1e6, 0),
    itls: of<number[]>(({ gapsUs }) => gapsUs.map((gap) => gap / 1e6), []),
    generated_texts: cohort.map(() => ''),
    errors: cohort.map(({ failure }) => failure),
  }
  const run = { duration: 60, completed: cohort.filter(isOk).length, request_rate: Number.POSITIVE_INFINITY, ...arrays }
  const own =
    tool === 'vllm'
      ? {
          model_id: 'm',
          num_prompts: cohort.length,
          latencies: of((told) => e2eUs(told) / 1e6, 0),
          start_times: cohort.map(({ sentUs }) => PERF_SECONDS + sentUs / 1e6),
        }
      : { server_info: null, cached_tokens: of(({ cachedTokens }) => cachedTokens, 0) }
  const text = JSON.stringify({ ...run, ...own, request_rate: 'RATE' })
  return text.replace('"RATE"', tool === 'sglang' ? 'Infinity' : '"inf"')
}

export function asGuidellm(cohort: readonly Told[]): string {
  const at = (us: number) => (EPOCH_US + us) / 1e6
  const request = (told: Told) => {
    const first = isOk(told) ? at(told.sentUs + told.ttftUs) : null
    const timings = {
      targeted_start: at(told.dueUs),
      request_start: at(told.sentUs),
      first_token_iteration: first,
      first_output_token_iteration: first,
      last_token_iteration: isOk(told) ? at(endUs(told)) : null,
      token_iterations: isOk(told) ? told.gapsUs.length + 1 : 0,
      request_end: at(endUs(told)),
    }
    const error = isOk(told) ? null : `Server error '${code(told)} ${told.failure}'`
    return {
      request_id: told.id,
      info: { status: isOk(told) ? 'completed' : 'errored', error, turn_index: 0, timings },
      input_metrics: { total_tokens: told.inputTokens, cached_tokens: told.cachedTokens },
      output_metrics: { total_tokens: isOk(told) ? told.outputTokens : null },
      time_per_output_token_ms: 99,
    }
  }
  const requests = {
    successful: cohort.filter(isOk).map(request),
    errored: cohort.filter((told) => !isOk(told)).map(request),
    incomplete: [],
  }
  return JSON.stringify({ metadata: { guidellm_version: '0.8.1' }, benchmarks: [{ requests }] })
}

export function asInferencePerf(cohort: readonly Told[]): string {
  const at = (us: number) => PERF_SECONDS + us / 1e6
  const request = (told: Told) => {
    let time = told.sentUs + told.ttftUs
    const chunks = [time, ...told.gapsUs.map((gap) => (time += gap))].map(at)
    const usage = {
      prompt_tokens: told.inputTokens,
      completion_tokens: told.outputTokens,
      prompt_tokens_details: { cached_tokens: told.cachedTokens },
    }
    return {
      start_time: at(told.sentUs),
      end_time: at(endUs(told)),
      request: '',
      response: '',
      info: {
        request_metrics: { text: { input_tokens: told.inputTokens } },
        response_metrics: isOk(told) ? { output_tokens: 1, server_usage: usage, chunk_times: chunks } : null,
      },
      error: isOk(told) ? null : { error_type: `HTTP Error ${code(told)}`, error_msg: '{}' },
    }
  }
  return JSON.stringify(cohort.map(request), null, 1)
}
