// A streaming server that knows the truth: for each request when it was received, and when its first and last token were written, on the
// machine's monotonic clock. Forked by the benchmarks; it takes { firstMs, everyMs, tokens } as JSON in its one argument.
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export interface TruthPlan {
  firstMs: number
  everyMs: number
  tokens: number
}

/** Nanoseconds of the monotonic clock divided by 1,000: microseconds. */
export interface Truth {
  id: string
  receivedUs: number
  firstUs: number
  lastUs: number
}

interface Stream {
  socket: Socket
  truth: Truth
  left: number
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const RING_MS = 1024
const nowUs = (): number => Number(process.hrtime.bigint() / 1000n)

function chunkOf(text: string): Buffer {
  return Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`)
}

function event(finish: boolean): string {
  const choice = { index: 0, text: ' word', logprobs: null, finish_reason: finish ? 'length' : null, token_ids: [1234] }
  const envelope = { id: 'cmpl-truth', object: 'text_completion', created: 1_700_000_000, model: 'truth' }
  return `data: ${JSON.stringify({ ...envelope, choices: [choice] })}\n\n`
}

function serve(plan: TruthPlan): void {
  const token = chunkOf(event(false))
  const counts = { prompt_tokens: 24, total_tokens: 24 + plan.tokens, completion_tokens: plan.tokens }
  const usage = `data: ${JSON.stringify({ choices: [], usage: counts })}\n\n`
  const last = Buffer.concat([chunkOf(event(true)), chunkOf(`${usage}data: [DONE]\n\n`), Buffer.from('0\r\n\r\n')])
  const log: Truth[] = []
  const ring: Stream[][] = Array.from({ length: RING_MS }, () => [])
  let tick = 0

  const write = (stream: Stream): void => {
    const { socket, truth } = stream
    stream.left -= 1
    socket.write(stream.left === 0 ? last : token)
    truth.lastUs = nowUs()
    if (truth.firstUs === 0) truth.firstUs = truth.lastUs
    if (stream.left > 0) ring[(tick + plan.everyMs) % RING_MS]?.push(stream)
    else log.push(truth)
  }
  const startMs = performance.now()
  setInterval(() => {
    while (tick < performance.now() - startMs) {
      tick += 1
      for (const stream of ring[tick % RING_MS]?.splice(0) ?? []) write(stream)
    }
  }, 1)

  const server = createServer((socket) => {
    let text = ''
    socket.setNoDelay(true).on('error', () => {})
    socket.on('data', (bytes) => {
      const receivedUs = nowUs()
      text += bytes.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (end < 0 || text.length < end + 4 + length) return
      const id = /x-request-id: (\S+)/i.exec(text)?.[1] ?? ''
      text = ''
      socket.write(HEAD)
      const stream = { socket, truth: { id, receivedUs, firstUs: 0, lastUs: 0 }, left: plan.tokens }
      ring[(tick + plan.firstMs) % RING_MS]?.push(stream)
    })
  })
  server.listen(0, '127.0.0.1', 4096, () => process.send?.({ port: (server.address() as AddressInfo).port }))
  process.on('message', () => void process.send?.({ log: log.splice(0) }))
  process.on('disconnect', () => process.exit(0))
}

if (import.meta.main) serve(JSON.parse(process.argv[2] ?? '') as TruthPlan)
