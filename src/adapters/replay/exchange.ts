import { headFailure } from '../../core/stream/answer-head.ts'
import type { AnswerExpectation } from '../../core/stream/answer-reader.ts'
import { AnswerStream } from '../../core/stream/answer-stream.ts'
import type { ErrorCode } from '../../core/stream/error-codes.ts'
import type { Ending } from './ending.ts'
import { failedEnding } from './ending.ts'
import type { WireControl, WireHandler } from './transport.ts'

/** After its answer is decided, a body may trickle on for so long before its connection is given up. */
const LINGER_US = 1_000_000

/** A request's own deadlines, from when it was sent; until then from when it was handed to the transport. */
export interface Deadlines {
  wholeUs: number
  firstTokenUs: number | null
  stallUs: number | null
}

export interface ExchangeInit {
  expected: AnswerExpectation
  deadlines: Deadlines
  /** The answer is left as planned once it has so many output tokens; null: never. */
  cancelAfterTokens: number | null
  /** Microseconds on the clock of the record's times. */
  nowUs(): number
  onSent(): void
  /** Called once, when the request reached its terminal status. */
  onEnd(ending: Ending): void
  /** Called once, when its connection is free or gone; after `onEnd`. */
  onClosed(): void
}

/** One request's life on its connection. Whatever is thrown inside becomes its error. */
export class Exchange implements WireHandler {
  readonly #init: ExchangeInit
  readonly #openedUs: number
  #control: WireControl | null = null
  #stream: AnswerStream | null = null
  #httpStatus: number | null = null
  #handedUs: number | null = null
  #sentUs: number | null = null
  #endedUs: number | null = null
  #isGivenUp = false
  #isClosed = false

  constructor(init: ExchangeInit) {
    this.#init = init
    this.#openedUs = init.nowUs()
  }

  get sentUs(): number | null {
    return this.#sentUs
  }

  onOpen(control: WireControl): void {
    this.#control = control
    // Given up while its connection was being opened: nothing has been written yet, and nothing will be.
    if (this.#isGivenUp) control.cut()
  }

  onSent(): void {
    // An answer may be decided before the request is sent whole, which is then never said of it.
    // A stream of HTTP/2 that was refused unprocessed is opened once more: what it lost is the engine's time.
    if (this.#isGivenUp || this.#endedUs !== null || this.#sentUs !== null) return
    this.#sentUs = this.#init.nowUs()
    this.#init.onSent()
  }

  /** The client has done its part: a connection has the request, or is being opened for it. */
  noteHanded(): void {
    this.#handedUs = this.#sentUs ?? this.#init.nowUs()
  }

  onHead(status: number, contentType: string | undefined, contentEncoding: string | undefined): void {
    if (this.#endedUs !== null) return
    this.#httpStatus = status
    const failure = headFailure(status, contentType, contentEncoding)
    if (failure) return this.#end({ ...failedEnding(failure.errorCode, this.#init.nowUs()), status: failure.status })
    this.#stream = new AnswerStream(this.#init.expected)
  }

  onBody(bytes: Uint8Array): void {
    if (this.#endedUs !== null || !this.#stream) return
    const atUs = this.#init.nowUs()
    try {
      this.#stream.push(bytes, atUs)
    } catch {
      // Only bytes that nobody foresaw get here.
      return this.fail('malformed_event')
    }
    // No such token answers the request, and no time from its sending could be told.
    if (this.#sentUs === null && this.#stream.firstTokenUs !== null) return this.#endEarly(this.#stream, atUs)
    if (this.#stream.isDecided) return this.#end(this.#stream.finish('clean', atUs))
    const { cancelAfterTokens } = this.#init
    if (cancelAfterTokens !== null && this.#stream.tokens >= cancelAfterTokens) this.fail('planned_cancellation')
  }

  onEnd(): void {
    const atUs = this.#init.nowUs()
    if (this.#endedUs === null) this.#end(this.#stream?.finish('clean', atUs) ?? failedEnding('bad_http', atUs))
    this.#close()
  }

  onFailure(code: ErrorCode): void {
    if (this.#endedUs === null) {
      const atUs = this.#init.nowUs()
      const isCut = code === 'connection_reset'
      this.#end(this.#stream?.finish(isCut ? 'cut_body' : code, atUs) ?? failedEnding(code, atUs))
    }
    this.#close()
  }

  /** Ends the request as this error, if it has not ended, and leaves the connection. */
  fail(code: ErrorCode): void {
    if (this.#endedUs === null) {
      const atUs = this.#init.nowUs()
      this.#end(this.#stream?.finish(code, atUs) ?? failedEnding(code, atUs))
    }
    this.abandon()
  }

  /** Leaves the connection. What has not ended by now never ends. */
  abandon(): void {
    this.#endedUs ??= this.#init.nowUs()
    this.#isGivenUp = true
    this.#control?.cut()
    this.#close()
  }

  /** Gives the request up if one of its deadlines has passed: the one that passed first. */
  checkDeadlines(nowUs: number): void {
    if (this.#endedUs !== null) {
      if (nowUs - this.#endedUs > LINGER_US) this.abandon()
      return
    }
    const { wholeUs, firstTokenUs, stallUs } = this.#init.deadlines
    const sinceUs = this.#sentUs ?? this.#openedUs
    const lastUs = this.#stream?.lastTokenUs ?? null
    const tokenUs = lastUs === null ? firstTokenUs : stallUs
    const tokenDueUs = tokenUs === null ? Infinity : (lastUs ?? sinceUs) + tokenUs
    const wholeDueUs = sinceUs + wholeUs
    if (nowUs < Math.min(tokenDueUs, wholeDueUs)) return
    if (tokenDueUs < wholeDueUs) this.fail(lastUs === null ? 'first_token_deadline' : 'stall_deadline')
    else this.fail('whole_deadline')
  }

  #endEarly(stream: AnswerStream, atUs: number): void {
    this.#end({ ...stream.finish('answered_early', atUs), status: 'error', errorCode: 'answered_early' })
    this.abandon()
  }

  #end(answer: Omit<Ending, 'handedUs' | 'sentUs' | 'httpStatus'>): void {
    this.#endedUs = answer.endUs
    const [handedUs, sentUs, httpStatus] = [this.#handedUs, this.#sentUs, this.#httpStatus]
    this.#init.onEnd({ ...answer, handedUs, sentUs, httpStatus })
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#init.onClosed()
  }
}
