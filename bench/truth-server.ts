// The truth server where no C compiler is: the same options, orders and log as native/truth-server.c, at the price of a Node event loop's
// own lateness. Times are whole milliseconds; connections are kept alive for as long as their client wants.
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    'first-us': { type: 'string', default: '50000' },
    'every-us': { type: 'string', default: '10000' },
    'stall-after-us': { type: 'string', default: '0' },
    'stall-us': { type: 'string', default: '0' },
  },
})
const firstMs = Math.max(1, Math.ceil(Number(values['first-us']) / 1000))
const everyMs = Math.ceil(Number(values['every-us']) / 1000)
const [stallAfterMs, stallMs] = [Number(values['stall-after-us']) / 1000, Number(values['stall-us']) / 1000]

interface Asked {
  return_token_ids?: boolean
  max_tokens: number
  prompt: unknown
  stream_options?: { continuous_usage_stats?: boolean }
}

interface Stream {
  id: string
  socket: Socket
  asked: Asked
  promptTokens: number
  done: number
  receivedNs: bigint
  firstNs: bigint
  lastNs: bigint
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const WHEEL_MS = 4096
const wheel: Stream[][] = Array.from({ length: WHEEL_MS }, () => [])
let log: string[] = []
let stallLine: string | null = null
let isStallPlanned = false
let tick = 0

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

function usage({ promptTokens, done }: Stream) {
  return { prompt_tokens: promptTokens, total_tokens: promptTokens + done, completion_tokens: done }
}

function tokenEvent(stream: Stream): string {
  const { id, asked, done } = stream
  const ids = asked.return_token_ids ? { token_ids: [1000 + (done % 1000)] } : {}
  const finish = done === asked.max_tokens ? 'length' : null
  const choice = {
    index: 0,
    text: ` w${done % 1000}`,
    logprobs: null,
    finish_reason: finish,
    stop_reason: null,
    ...ids,
  }
  const counted = asked.stream_options?.continuous_usage_stats ? { usage: usage(stream) } : {}
  const envelope = { id: `cmpl-${id}`, object: 'text_completion', created: 1_795_974_580, model: 'truth' }
  return chunk(`data: ${JSON.stringify({ ...envelope, choices: [choice], ...counted })}\n\n`)
}

function sendDue(stream: Stream): void {
  let text = ''
  do {
    stream.done += 1
    text += tokenEvent(stream)
  } while (everyMs === 0 && stream.done < stream.asked.max_tokens)
  const isLast = stream.done === stream.asked.max_tokens
  if (isLast) {
    const last = JSON.stringify({ id: `cmpl-${stream.id}`, choices: [], usage: usage(stream) })
    text += `${chunk(`data: ${last}\n\ndata: [DONE]\n\n`)}0\r\n\r\n`
  }
  stream.lastNs = process.hrtime.bigint()
  if (stream.firstNs === 0n) stream.firstNs = stream.lastNs
  stream.socket.write(text)
  if (!isLast) wheel[(tick + everyMs) % WHEEL_MS]?.push(stream)
  else log.push(`r ${stream.id} ${stream.receivedNs} ${stream.firstNs} ${stream.lastNs} ${stream.done}`)
}

/** Blocks the event loop, and with it every read and write. */
function stall(): void {
  const fromNs = process.hrtime.bigint()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs)
  stallLine = `s ${fromNs} ${process.hrtime.bigint()}`
}

function begin(socket: Socket, head: string, body: string, receivedNs: bigint): void {
  const id = /x-request-id: (\S+)/i.exec(head)?.[1] ?? 'unnamed'
  const asked = JSON.parse(body) as Asked
  const promptTokens = Array.isArray(asked.prompt) ? asked.prompt.length : 1
  socket.write(HEAD)
  const stream = { id, socket, asked, promptTokens, done: 0, receivedNs, firstNs: 0n, lastNs: 0n }
  wheel[(tick + firstMs) % WHEEL_MS]?.push(stream)
  if (stallMs > 0 && !isStallPlanned) setTimeout(stall, stallAfterMs)
  isStallPlanned = true
}

const server = createServer((socket) => {
  let text = ''
  socket.setNoDelay(true).on('error', () => {})
  socket.on('data', (bytes) => {
    const receivedNs = process.hrtime.bigint()
    text += bytes.toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (end < 0 || text.length < end + 4 + length) return
    const [head, body] = [text.slice(0, end), text.slice(end + 4)]
    text = ''
    begin(socket, head, body, receivedNs)
  })
})

const startMs = performance.now()
setInterval(() => {
  while (tick < performance.now() - startMs) {
    tick += 1
    for (const stream of wheel[tick % WHEEL_MS]?.splice(0) ?? []) sendDue(stream)
  }
}, 1)
createInterface({ input: process.stdin })
  .on('line', () => {
    const lines = stallLine === null ? log : [...log, stallLine]
    process.stdout.write(`${[...lines, '.'].join('\n')}\n`)
    log = []
  })
  .on('close', () => process.exit(0))
server.listen(0, '127.0.0.1', 4096, () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`))
