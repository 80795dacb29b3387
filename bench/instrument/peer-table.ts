import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PeerPlan {
  url: string
  /** Where prompts and a tokenizer are, and where the peer's files go. */
  folder: string
  rateRps: number
  requests: number
  inputTokens: number
  tokens: number
}

/** One request as a peer reports it. */
export interface PeerRequest {
  /** As sent in `x-request-id`, or null where it sends none. */
  id: string | null
  /** On whatever clock: only the order counts. */
  startedAt: number
  ttftMs: number
  e2eMs: number
}

/** Another load generator: how it is asked for Poisson arrivals, and how its file is read. */
export interface Peer {
  name: string
  program: string
  arguments(plan: PeerPlan): string[]
  read(folder: string): PeerRequest[]
}

/** Files of a plan's folder. */
export const TOKENIZER = 'tokenizer'
export const PROMPTS = 'prompts.jsonl'

interface AiperfLine {
  metadata: { x_request_id: string; request_start_ns: number; benchmark_phase: string }
  metrics: { time_to_first_token: { value: number }; request_latency: { value: number } }
}

const aiperf: Peer = {
  name: 'AIPerf',
  program: 'aiperf',
  arguments: ({ url, folder, rateRps, requests, inputTokens, tokens }) =>
    [
      ['profile', '--model', 'truth', '--url', url, '--endpoint-type', 'completions', '--streaming'],
      ['--request-rate', String(rateRps), '--arrival-pattern', 'poisson', '--request-count', String(requests)],
      ['--isl', String(inputTokens), '--osl', String(tokens), '--extra-inputs', 'ignore_eos:true'],
      ['--num-dataset-entries', '100', '--tokenizer', join(folder, TOKENIZER), '--use-server-token-count'],
      ['--ui', 'none', '--artifact-dir', join(folder, 'aiperf')],
    ].flat(),
  read(folder) {
    const lines = readFileSync(join(folder, 'aiperf', 'profile_export.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
    const all = lines.map((line) => JSON.parse(line) as AiperfLine)
    return all
      .filter(({ metadata }) => metadata.benchmark_phase === 'profiling')
      .map(({ metadata, metrics }) => ({
        id: metadata.x_request_id,
        startedAt: metadata.request_start_ns,
        ttftMs: metrics.time_to_first_token.value,
        e2eMs: metrics.request_latency.value,
      }))
  },
}

interface GuidellmFile {
  benchmarks: { requests: { successful: GuidellmRequest[] } }[]
}

interface GuidellmRequest {
  info: { timings: { request_start: number } }
  time_to_first_token_ms: number
  /** Seconds. */
  request_latency: number
}

const guidellm: Peer = {
  name: 'GuideLLM',
  program: 'guidellm',
  arguments: ({ url, folder, rateRps, requests }) =>
    [
      ['run', '--backend', `kind=openai_http,target=${url},model=truth,request_format=/v1/completions`],
      ['--profile', `kind=poisson,rate=${rateRps}`, '--constraint', `kind=max_requests,count=${requests}`],
      ['--tokenizer', `kind=hf_auto,model=${join(folder, TOKENIZER)}`],
      ['--data', `kind=json_file,path=${join(folder, PROMPTS)}`],
      ['--output', `kind=json,path=${join(folder, 'guidellm.json')}`, '--disable-console'],
    ].flat(),
  read(folder) {
    const file = JSON.parse(readFileSync(join(folder, 'guidellm.json'), 'utf8')) as GuidellmFile
    return file.benchmarks.flatMap(({ requests }) =>
      requests.successful.map(({ info, time_to_first_token_ms: ttftMs, request_latency: seconds }) => {
        return { id: null, startedAt: info.timings.request_start, ttftMs, e2eMs: seconds * 1000 }
      }),
    )
  },
}

/** Arrays by request, seconds. */
interface VllmFile {
  start_times: number[]
  ttfts: number[]
  itls: number[][]
  errors: string[]
}

const vllm: Peer = {
  name: 'vLLM bench serve',
  program: 'vllm',
  arguments: ({ url, folder, rateRps, requests, inputTokens, tokens }) =>
    [
      ['bench', 'serve', '--backend', 'openai', '--base-url', url, '--endpoint', '/v1/completions'],
      ['--model', 'truth', '--tokenizer', join(folder, TOKENIZER), '--dataset-name', 'random', '--ignore-eos'],
      ['--random-input-len', String(inputTokens), '--random-output-len', String(tokens)],
      ['--num-prompts', String(requests), '--request-rate', String(rateRps), '--disable-tqdm'],
      ['--save-result', '--save-detailed', '--result-dir', folder, '--result-filename', 'vllm.json'],
    ].flat(),
  read(folder) {
    const file = JSON.parse(readFileSync(join(folder, 'vllm.json'), 'utf8')) as VllmFile
    return file.ttfts.flatMap((ttft, index) => {
      if (file.errors[index] !== '') return []
      const gaps = file.itls[index] ?? []
      const seconds = gaps.reduce((sum, gap) => sum + gap, ttft)
      return [{ id: null, startedAt: file.start_times[index] ?? index, ttftMs: ttft * 1000, e2eMs: seconds * 1000 }]
    })
  },
}

export const PEERS: readonly Peer[] = [vllm, aiperf, guidellm]
