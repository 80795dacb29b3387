import { EngineServer } from '../../../fixtures/engine/server/engine-server.ts'
import { parseOptions } from '../../../fixtures/engine/server/options.ts'

/** Flags of an engine that answers in a few milliseconds. */
const quick = ['--port', '0', '--base-us', '1000', '--per-prefill-token-us', '1', '--per-decode-sequence-us', '10']

export interface StartedEngine extends AsyncDisposable {
  url: string
  /** The exit code that a crash asked for, or null. */
  exited: () => number | null
  stop(drainSeconds?: number): Promise<void>
}

/** An engine on a free port, in this process; later flags win. */
export async function startEngine(...flags: string[]): Promise<StartedEngine> {
  const options = parseOptions([...quick, ...flags])
  if (typeof options === 'string') throw new Error(options)
  let code: number | null = null
  const server = new EngineServer(options, (wanted) => (code ??= wanted))
  const port = await server.start()
  const stop = (drainSeconds = 0) => server.stop(drainSeconds)
  return { url: `http://127.0.0.1:${port}`, exited: () => code, stop, [Symbol.asyncDispose]: () => stop() }
}

export function post(url: string, path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...init.headers }
  return fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), ...init, headers })
}

export function complete(url: string, body: Record<string, unknown>, init: RequestInit = {}): Promise<Response> {
  return post(url, '/v1/completions', { prompt: 'one two three', ignore_eos: true, max_tokens: 4, ...body }, init)
}

export interface Chunk {
  id: string
  object: string
  model: string
  choices: {
    index: number
    text?: string
    delta?: { role?: string; content?: string }
    finish_reason: string | null
    prompt_token_ids?: number[] | null
    token_ids?: number[] | null
  }[]
  usage?: {
    prompt_tokens: number
    total_tokens: number
    completion_tokens: number
    prompt_tokens_details?: { cached_tokens: number }
  }
  prompt_token_ids?: number[] | null
  system_fingerprint?: string
  error?: { message: string; type: string; param: string | null; code: number }
}

/** The events of a stream that only has `data:` lines; the last one's raw text apart. */
export async function readEvents(response: Response): Promise<{ chunks: Chunk[]; last: string }> {
  const frames = (await response.text()).split('\n\n').filter((frame) => frame.length > 0)
  const data = frames.map((frame) => {
    if (!frame.startsWith('data: ')) throw new Error(`no event: ${frame}`)
    return frame.slice('data: '.length)
  })
  const chunks = data.filter((text) => text !== '[DONE]').map((text) => JSON.parse(text) as Chunk)
  return { chunks, last: data.at(-1) ?? '' }
}

/** A series' value on the metrics page; NaN when it is not there. */
export async function readMetric(url: string, series: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${series}{`) || one.startsWith(`${series} `))
  return line === undefined ? NaN : Number(line.split(' ').at(-1))
}

/** Polls until a series has this value; fails the test by its timeout otherwise. */
export async function untilMetric(url: string, series: string, wanted: number): Promise<void> {
  while ((await readMetric(url, series)) !== wanted) await new Promise((resolve) => setTimeout(resolve, 5))
}
