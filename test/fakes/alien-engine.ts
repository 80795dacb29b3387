// An engine that no table of ours knows: the embedded engine behind routes, field names, metric names and answers of another make. It
// refuses every field that it does not know.
//   node alien-engine.ts --port N
import { createServer, request as forward } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { EngineServer } from '../../fixtures/engine/server/engine-server.ts'
import { parseOptions } from '../../fixtures/engine/server/options.ts'

const FIELDS: Readonly<Record<string, string>> = {
  model: 'model',
  prompt: 'prompt',
  messages: 'messages',
  stream: 'stream',
  temperature: 'temperature',
  n_out: 'max_tokens',
  exact: 'ignore_eos',
  floor: 'min_tokens',
  ids_back: 'return_token_ids',
  salt: 'cache_salt',
  stream_options: 'stream_options',
}
const STREAM_OPTIONS: Readonly<Record<string, string>> = {
  tally: 'include_usage',
  running_tally: 'continuous_usage_stats',
}

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
const options = parseOptions(['--port', '0', '--slots', '8'])
if (typeof options === 'string') throw new Error(options)
const inner = new EngineServer(options, (code) => process.exit(code))
const innerPort = await inner.start()

const json = (response: ServerResponse, status: number, value: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

async function ask(method: string, path: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${innerPort}${path}`, { method })).text()
}

/** The fields in the inner engine's words; null where one is not known. */
function translated(fields: unknown, names: Readonly<Record<string, string>>): Record<string, unknown> | null {
  const entries = Object.entries(fields as Record<string, unknown>)
  if (entries.some(([name]) => !Object.hasOwn(names, name))) return null
  return Object.fromEntries(entries.map(([name, value]) => [names[name], value]))
}

async function generate(message: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  const fields = translated(JSON.parse(await text(message)), FIELDS)
  const streamOptions = fields && translated(fields['stream_options'] ?? {}, STREAM_OPTIONS)
  if (!fields || !streamOptions || message.headers['x-request-id'] !== undefined) {
    return json(response, 422, { problem: 'a field or header that is not known here' })
  }
  const hasOptions = Object.keys(streamOptions).length > 0
  const body = JSON.stringify({ ...fields, stream_options: hasOptions ? streamOptions : undefined })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const outgoing = forward({ port: innerPort, method: 'POST', path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, { 'content-type': answer.headers['content-type'] ?? '' })
    answer.pipe(response)
  })
  response.on('close', () => outgoing.destroy())
  outgoing.on('error', () => response.destroy())
  outgoing.end(body)
}

const server = createServer({ keepAliveTimeout: 60_000 }, (message, response) => {
  void (async () => {
    switch (`${message.method} ${message.url}`) {
      case 'GET /status':
        return json(response, 200, { state: { now: 'ready' } })
      case 'GET /about':
        return json(response, 200, { build: { tag: '7.2' } })
      case 'GET /catalogue':
        return json(response, 200, JSON.parse(await ask('GET', '/v1/models')))
      case 'GET /stats':
        return response
          .writeHead(200, { 'content-type': 'text/plain; version=0.0.4' })
          .end((await ask('GET', '/metrics')).replaceAll('vllm:', 'acme_'))
      case 'POST /cache/wipe': {
        const { success } = JSON.parse(await ask('POST', '/reset_prefix_cache')) as { success: boolean }
        return response.writeHead(success ? 204 : 409).end()
      }
      case 'POST /infer':
        return generate(message, response, '/v1/completions')
      case 'POST /talk':
        return generate(message, response, '/v1/chat/completions')
      default:
        return json(response, 404, { problem: 'no such route' })
    }
  })()
})
server.listen(Number(values.port), '127.0.0.1')
