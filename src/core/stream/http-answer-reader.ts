import type { ErrorCode } from './error-codes.ts'
import { HttpChunks } from './http-chunks.ts'
import type { HttpHead } from './http-head.ts'
import { beginsAnswer, isTrailer, parseHead } from './http-head.ts'
import { HttpLines } from './http-lines.ts'

/** 64 KiB of headers, informational ones included, and a status line. The trailer has as much again. */
const MAX_HEAD_BYTES = 65 * 1024

export interface HttpAnswerSink {
  /** The answer's head; informational ones (1xx) are passed over. */
  onHead(head: HttpHead): void
  /** Bytes of the body without framing: a part of the bytes that were pushed, to be used before returning. */
  onBody(bytes: Uint8Array): void
}

type State = 'head' | 'length' | 'until_close' | 'chunks' | 'trailer' | 'ended' | 'failed' | 'stopped'

/**
 * Reads the answers of an HTTP/1.1 connection, one after the other, from reads that may be split anywhere; any split gives the same. It is
 * strict where two readers could differ (see `parseHead` and `HttpChunks`), keeps nothing of a body, and at most 64 KiB of a head.
 */
export class HttpAnswerReader {
  readonly #sink: HttpAnswerSink
  readonly #lines = new HttpLines(MAX_HEAD_BYTES)
  readonly #chunks = new HttpChunks()
  #state: State = 'head'
  #left = 0
  #hasMore = false
  #keepsAlive = false
  #keepAliveSeconds: number | null = null
  #failure: ErrorCode | null = null

  constructor(sink: HttpAnswerSink) {
    this.#sink = sink
  }

  /** The answer is whole by its framing. */
  get isEnded(): boolean {
    return this.#state === 'ended'
  }

  /** Why there will be no whole answer; null where nothing speaks against it. */
  get failure(): ErrorCode | null {
    return this.#failure
  }

  /** The answer is whole, nothing came after it, and the connection may carry another request. */
  get isReusable(): boolean {
    return this.isEnded && this.#keepsAlive && !this.#hasMore
  }

  /** How long the server says that it keeps the connection idle; null where it says nothing. */
  get keepAliveSeconds(): number | null {
    return this.#keepAliveSeconds
  }

  /** Makes ready for the answer to the next request. */
  restart(): void {
    this.#lines.restart()
    this.#state = 'head'
    this.#hasMore = false
    this.#failure = null
  }

  /** Reads no more of this answer. */
  stop(): void {
    this.#state = 'stopped'
  }

  /** Takes the first `length` bytes of a read. What is thrown by the sink passes through. */
  push(bytes: Uint8Array, length: number = bytes.length): void {
    let at = 0
    while (at < length) {
      switch (this.#state) {
        case 'head':
          at = this.#readHead(bytes, at, length)
          break
        case 'chunks':
          at = this.#readChunks(bytes, at, length)
          break
        case 'trailer':
          at = this.#readTrailer(bytes, at, length)
          break
        case 'length':
        case 'until_close':
          at = this.#readPlain(bytes, at, length)
          break
        case 'ended':
          this.#hasMore = true
          return
        case 'failed':
        case 'stopped':
          return
      }
    }
  }

  /** The server closed its side: the end of a body without another one, a failure in the middle of anything else. */
  close(): void {
    if (this.#state === 'until_close') this.#state = 'ended'
    else if (this.#state !== 'ended' && this.#state !== 'stopped') this.#fail('connection_reset')
  }

  #fail(code: ErrorCode): void {
    this.#failure ??= code
    this.#state = 'failed'
  }

  #readHead(bytes: Uint8Array, from: number, to: number): number {
    const lines = this.#lines
    const isAnswer = beginsAnswer(bytes, from, to, lines.pendingBytes)
    const state = isAnswer ? lines.take(bytes, from, to) : 'bare'
    if (state === 'more') return to
    const head = state === 'whole' ? parseHead(lines.lines.bytes, lines.lines.from, lines.lines.to) : null
    if (!head) {
      this.#fail(state === 'long' ? 'headers_too_large' : 'bad_http')
      return to
    }
    lines.next()
    if (head.status >= 200) this.#beginBody(head)
    return lines.nextAt
  }

  #beginBody(head: HttpHead): void {
    this.#keepsAlive = head.keepsAlive
    this.#keepAliveSeconds = head.keepAliveSeconds
    this.#left = head.contentLength
    if (head.framing === 'chunked') {
      this.#chunks.restart()
      this.#state = 'chunks'
    } else if (head.framing === 'until_close') this.#state = 'until_close'
    else this.#state = this.#left > 0 ? 'length' : 'ended'
    this.#sink.onHead(head)
  }

  #readPlain(bytes: Uint8Array, from: number, to: number): number {
    const end = this.#state === 'length' ? Math.min(to, from + this.#left) : to
    if (this.#state === 'length') {
      this.#left -= end - from
      if (this.#left === 0) this.#state = 'ended'
    }
    this.#sink.onBody(bytes.subarray(from, end))
    return end
  }

  #readChunks(bytes: Uint8Array, from: number, to: number): number {
    const chunks = this.#chunks
    if (chunks.left > 0) {
      const end = Math.min(to, from + chunks.left)
      chunks.left -= end - from
      this.#sink.onBody(bytes.subarray(from, end))
      return end
    }
    const at = chunks.skip(bytes, from, to)
    if (chunks.isBad) this.#fail('bad_http')
    else if (chunks.isLast) {
      this.#lines.restart()
      this.#state = 'trailer'
    }
    return at
  }

  #readTrailer(bytes: Uint8Array, from: number, to: number): number {
    const lines = this.#lines
    const state = lines.take(bytes, from, to)
    if (state === 'more') return to
    if (state !== 'whole' || !isTrailer(lines.lines.bytes, lines.lines.from, lines.lines.to)) {
      this.#fail(state === 'long' ? 'headers_too_large' : 'bad_http')
      return to
    }
    this.#state = 'ended'
    return lines.nextAt
  }
}
