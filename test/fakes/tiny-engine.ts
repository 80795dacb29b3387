// A very small engine for tests of the deployer: it answers the control calls and misbehaves as its flags say.
//   node tiny-engine.ts --port N [--version V] [--model ID] [--flag …]
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'

const flag = { type: 'boolean' } as const
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    port: text,
    version: { ...text, default: '1.0' },
    model: { ...text, default: 'fixture' },
    say: text,
    // Found again in the process table.
    tag: { ...text, default: 'none' },
    // Exit code of a death before listening; milliseconds until a death afterwards.
    'die-at-start': text,
    // A worker in a session of its own, which outlives its parent; with the port or with nothing.
    worker: flag,
    'forgetful-worker': flag,
    'ignore-signals': flag,
    'never-healthy': flag,
    // Only where its value is 1: of several replicas one.
    'never-healthy-at': text,
    'never-generate': flag,
    'no-such-model': flag,
    'close-connections': flag,
    html: flag,
    'refuse-resets': text,
    'empty-reset': flag,
    'is-worker': flag,
  },
})

if (values.say !== undefined) process.stdout.write(`${values.say}\n`)
if (values['die-at-start'] !== undefined) {
  process.stderr.write('cannot load the model: no such tensor\n')
  process.exit(Number(values['die-at-start']))
}
if (values['ignore-signals']) for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined)
if (values['is-worker']) {
  process.stdout.write('worker up\n')
  setInterval(() => undefined, 1000)
} else main()

function startWorker(): void {
  const environment = values['forgetful-worker'] ? { PATH: process.env['PATH'] ?? '' } : process.env
  const args = [import.meta.filename, '--is-worker', '--ignore-signals', '--tag', values.tag]
  spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'], env: environment })
}

function main(): void {
  let refusals = Number(values['refuse-resets'] ?? 0)
  if (values.worker || values['forgetful-worker']) startWorker()
  const server = createServer((request, response) => {
    const json = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value))
    request.resume()
    if (values['close-connections']) return request.socket.destroy()
    if (values.html) {
      return response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Welcome to nginx!</title>')
    }
    switch (request.url?.split('?', 1)[0]) {
      case '/health':
        return response.writeHead(values['never-healthy'] || values['never-healthy-at'] === '1' ? 503 : 200).end()
      case '/version':
        return json(200, { version: values.version })
      case '/v1/models':
        return json(200, { data: [{ id: values.model }] })
      case '/v1/completions':
        if (values['no-such-model']) return json(404, { error: { message: 'the model does not exist' } })
        return values['never-generate']
          ? json(500, { error: 'no\u001B[31m way' })
          : json(200, { choices: [{ text: 'a' }] })
      case '/metrics':
        return response.end(
          `vllm:cache_config_info{block_size="16",num_gpu_blocks="100",kv_cache_size_tokens="1600"} 1\n`,
        )
      case '/die':
        return process.exit(7)
      case '/reset_prefix_cache':
        refusals -= 1
        return values['empty-reset'] ? response.end() : json(200, { success: refusals < 0 })
      default:
        return json(404, { detail: 'Not Found' })
    }
  })
  server.listen(Number(values.port), '127.0.0.1', () => process.stdout.write('listening\n'))
}
