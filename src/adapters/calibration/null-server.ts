import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tokenChunks } from './null-stream.ts'
import type { NullForm } from './null-stream.ts'
import { RequestFraming } from './request-framing.ts'

/** What a null server is started with. */
export interface NullServerPlan {
  /** All streams get a token at the same steps, so far apart, as an engine's do. */
  stepMs: number
  form: NullForm
}

/** What parent and server say to each other. */
export type NullServerOrder = { answers: readonly (readonly [id: string, tokens: number])[] } | { ask: 'log' }
export type NullServerReply = { port: number } | { accepted: number } | { log: readonly Truth[] }

/** One request as the server saw it, in microseconds of the monotonic clock that all processes of a machine share. */
export interface Truth {
  id: string
  tokens: number
  /** When the last byte of the request was read. */
  receivedUs: number
  /** When the first and the last token were about to be handed to the socket. */
  firstUs: number
  lastUs: number
}

interface Stream {
  socket: Socket
  truth: Truth
  next: number
}

/** From a request to its first token. */
const WAIT_STEPS = 2
const HEAD = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n',
)
const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'

const nowUs = (): number => Number(process.hrtime.bigint() / 1000n)

/** Streams as many tokens as were ordered for a request's id, at steady steps, and knows when. */
export class NullServer {
  readonly #plan: NullServerPlan
  readonly #tokens = new Map<string, number>()
  readonly #chunks = new Map<number, readonly Buffer[]>()
  #waiting: { stream: Stream; step: number }[] = []
  #running: Stream[] = []
  #log: Truth[] = []
  #step = 0

  constructor(plan: NullServerPlan) {
    this.#plan = plan
  }

  order(answers: readonly (readonly [id: string, tokens: number])[]): void {
    for (const [id, tokens] of answers) this.#tokens.set(id, tokens)
  }

  /** Of the requests that ended since it was asked last. */
  takeLog(): Truth[] {
    const log = this.#log
    this.#log = []
    return log
  }

  /** Resolves to the port on the loopback interface. */
  listen(): Promise<number> {
    const server = createServer({ noDelay: true }, (socket) => this.#serve(socket))
    this.#tick(performance.now())
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', 4096, () => resolve((server.address() as AddressInfo).port))
    })
  }

  /** Steps are due on a fixed grid: one that is late does not move those after it. */
  #tick(startMs: number): void {
    const dueMs = startMs + (this.#step + 1) * this.#plan.stepMs
    setTimeout(() => {
      if (performance.now() >= dueMs) this.#advance()
      this.#tick(startMs)
    }, dueMs - performance.now())
  }

  #advance(): void {
    this.#step += 1
    const due = this.#waiting.filter(({ step }) => step <= this.#step)
    this.#waiting = this.#waiting.filter(({ step }) => step > this.#step)
    for (const { stream } of due) this.#running.push(stream)
    for (const stream of this.#running) this.#write(stream)
    this.#running = this.#running.filter(({ next, truth }) => next < truth.tokens)
  }

  #write(stream: Stream): void {
    const { socket, truth } = stream
    const chunk = this.#chunksOf(truth.tokens)[stream.next]
    const isFirst = stream.next === 0
    stream.next += 1
    const isLast = stream.next === truth.tokens
    // Before the write: a server that is held up behind it would say that it wrote what the client has read already.
    if (isFirst) truth.firstUs = nowUs()
    if (isLast) truth.lastUs = isFirst ? truth.firstUs : nowUs()
    if (chunk) socket.write(chunk)
    if (isLast) this.#log.push(truth)
  }

  #serve(socket: Socket): void {
    const framing = new RequestFraming()
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes) => {
      const id = framing.push(bytes)
      if (id === null) return
      const receivedUs = nowUs()
      const tokens = id === 'refused' ? undefined : this.#tokens.get(id.requestId)
      if (id === 'refused' || tokens === undefined) return void socket.end(NOT_FOUND)
      socket.write(HEAD)
      const truth = { id: id.requestId, tokens, receivedUs, firstUs: 0, lastUs: 0 }
      this.#waiting.push({ stream: { socket, truth, next: 0 }, step: this.#step + WAIT_STEPS })
    })
  }

  #chunksOf(tokens: number): readonly Buffer[] {
    const known = this.#chunks.get(tokens)
    if (known) return known
    const made = tokenChunks(this.#plan.form, tokens)
    this.#chunks.set(tokens, made)
    return made
  }
}
