import { errors } from 'undici'
import type { Dispatcher } from 'undici'
import { headFailure } from '../../core/stream/answer-head.ts'
import type { AnswerExpectation } from '../../core/stream/answer-reader.ts'
import { AnswerStream } from '../../core/stream/answer-stream.ts'
import type { ErrorCode } from '../../core/stream/error-codes.ts'
import { transportErrorCode } from '../../core/stream/error-codes.ts'
import type { Ending } from './ending.ts'
import { failedEnding } from './ending.ts'

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
  /** Microseconds on the clock of the record's times. */
  nowUs(): number
  onSent(): void
  /** Called once, when the request reached its terminal status. */
  onEnd(ending: Ending): void
  /** Called once, when its connection is free or gone; after `onEnd`. */
  onClosed(): void
}

/** One request's life on its connection. Whatever is thrown inside becomes its error. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #init: ExchangeInit
  readonly #openedUs: number
  #controller: Dispatcher.DispatchController | null = null
  #stream: AnswerStream | null = null
  #httpStatus: number | null = null
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

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Given up while its connection was being opened: nothing has been written yet, and nothing will be.
    if (this.#isGivenUp) controller.abort(new Error('given up before it was sent'))
  }

  /** Header and body were written to the socket. */
  onRequestSent(): void {
    if (this.#isGivenUp) return
    this.#sentUs = this.#init.nowUs()
    this.#init.onSent()
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // 1xx announce an answer and are none.
    if (status < 200 || this.#endedUs !== null) return
    this.#httpStatus = status
    const failure = headFailure(status, firstOf(headers['content-type']), firstOf(headers['content-encoding']))
    if (failure) return this.#end({ ...failedEnding(failure.errorCode, this.#init.nowUs()), status: failure.status })
    this.#stream = new AnswerStream(this.#init.expected)
  }

  onResponseData(_: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.#endedUs !== null || !this.#stream) return
    const atUs = this.#init.nowUs()
    try {
      this.#stream.push(bytes, atUs)
    } catch {
      // Only bytes that nobody foresaw get here.
      return this.fail('malformed_event')
    }
    if (this.#stream.isDecided) this.#end(this.#stream.finish('clean', atUs))
  }

  onResponseEnd(): void {
    const atUs = this.#init.nowUs()
    if (this.#endedUs === null) this.#end(this.#stream?.finish('clean', atUs) ?? failedEnding('bad_http', atUs))
    this.#close()
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#endedUs === null) {
      const code = failureCode(error)
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
    if (this.#controller) this.#controller.abort(new Error('given up'))
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

  #end(answer: Omit<Ending, 'sentUs' | 'httpStatus'>): void {
    this.#endedUs = answer.endUs
    this.#init.onEnd({ ...answer, sentUs: this.#sentUs, httpStatus: this.#httpStatus })
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#init.onClosed()
  }
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

/** undici's refusal of a request, or an exception of our own or its, is not the engine's failure. */
function failureCode(error: Error): ErrorCode {
  if (error instanceof errors.HTTPParserError) return 'bad_http'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return code === undefined || OURS.has(code) ? 'client_resource' : transportErrorCode(code)
}

const OURS = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'ERR_ASSERTION'])
