import { ERROR_CODES, type ErrorCode, refusalStatus, type Status } from './error-codes.ts'
import { TokenCount } from './token-count.ts'
import {
  countOf,
  errorCodeOf,
  errorMessageOf,
  errorOf,
  hasVisibleText,
  isObject,
  type Json,
  parseOr,
  printable,
  type WireShape,
} from './wire-shape.ts'

/** What was asked for, as far as it decides how the answer is read. */
export interface AnswerExpectation {
  shape: WireShape
  /** The scheduled length, which a success must have; null where any will do. */
  outputTokens: number | null
  /** The scheduled prompt's length: an engine may send its ids back in one event. */
  inputTokens?: number
  /** How many choices were asked for (n); 1 if left out. */
  choices?: number
  /** Continuous usage was asked for, so that it rises from zero. */
  continuousUsage?: boolean
  /** Keep the output token ids; left out, they are counted only. */
  keepTokenIds?: boolean
}

/** One request's observations. Times are whole microseconds on the clock of the events' times; tokens are the engine's own count. */
export interface Answer {
  status: Status
  errorCode: ErrorCode | null
  /** What the engine said of its error, at most 200 printable characters. */
  errorText: string | null
  firstTokenUs: number | null
  /** When the first visible text came; later than the first token where that is half a character. */
  firstContentUs: number | null
  lastTokenUs: number | null
  /** When the answer was decided: [DONE], the error, or the end. */
  endUs: number
  inputTokens: number | null
  outputTokens: number | null
  cachedTokens: number | null
  /** Token-bearing chunks. */
  chunks: number
  /** Between one token-bearing chunk and the next: one fewer than chunks. */
  gapsUs: number[]
  /** Tokens of each token-bearing chunk; 0 where the engine does not say. */
  tokensPerChunk: number[]
  /** The output token ids as they came, where they were to be kept; null otherwise, and where the engine sent none. */
  outputIds: number[] | null
  finishReason: string | null
  usageSeen: boolean
}

/** How the body ended: whole by its framing, or by what broke it off. */
export type StreamEnd = 'clean' | ErrorCode

/** Finish reasons that say that the engine gave the request up: vLLM's and SGLang's, then TensorRT-LLM's. */
const GIVEN_UP: ReadonlySet<string> = new Set(['abort', 'error', 'cancelled', 'timeout'])
const FINISH_REASON_CHARS = 64
const ERROR_TEXT_CHARS = 200

/** Reads one answer's events into its observations. Nothing counts after [DONE] or an error. */
export class AnswerReader {
  readonly #shape: WireShape
  readonly #expected: AnswerExpectation
  readonly #finished: boolean[] = []
  readonly #tokens: TokenCount
  #isDone = false
  #failure: { status: Status; errorCode: ErrorCode; text: string | null } | null = null
  #decidedUs = 0
  #usageSeen = false
  #firstTokenUs: number | null = null
  #firstContentUs: number | null = null
  #lastTokenUs: number | null = null
  #inputTokens: number | null = null
  #outputTokens: number | null = null
  #cachedTokens: number | null = null
  #finishReason: string | null = null
  readonly #gapsUs: number[] = []
  readonly #tokensPerChunk: number[] = []

  constructor(expected: AnswerExpectation) {
    this.#shape = expected.shape
    this.#expected = expected
    this.#tokens = new TokenCount(expected.continuousUsage === true, expected.keepTokenIds === true)
  }

  /** [DONE] or an error came: what follows is drained, not read. */
  get isDecided(): boolean {
    return this.#isDone || this.#failure !== null
  }

  /** The time of the first and last token-bearing chunk so far, for deadlines; null before the first. */
  get firstTokenUs(): number | null {
    return this.#firstTokenUs
  }

  get lastTokenUs(): number | null {
    return this.#lastTokenUs
  }

  /** Output tokens so far: by ids, else by continuous usage, else one for each token-bearing chunk. */
  get tokens(): number {
    return this.#tokens.soFar(this.#tokensPerChunk.length)
  }

  /** Takes one event; `atUs` is the time of the read that completed it. */
  observe(data: string, event: string, atUs: number): void {
    if (this.isDecided) return
    if (event === 'error') return this.#failInStream(parseOr(data, data), atUs)
    if (data.length < 32) {
      const word = data.trim()
      if (word === '[DONE]') {
        this.#isDone = true
        this.#decidedUs = atUs
        return
      }
      // A blank event is a keep-alive, `null` llama.cpp's first event of a batch.
      if (word === '' || word === 'null') return
    }
    const chunk = parseOr(data, undefined)
    // Gateways send annotations under names of their own.
    if (!isObject(chunk)) return event === '' || event === 'message' ? this.fail('malformed_event', atUs) : undefined
    const error = errorOf(chunk)
    if (error !== null) return this.#failInStream(error, atUs)
    this.#readChunk(chunk, atUs)
  }

  /** Ends the answer as this error, unless it is decided already. */
  fail(errorCode: ErrorCode, atUs: number): void {
    this.#fail(ERROR_CODES[errorCode].status, errorCode, null, atUs)
  }

  /** The answer, once its body ended at `atUs`. */
  finish(end: StreamEnd, atUs: number): Answer {
    if (!this.isDecided) this.#decidedUs = atUs
    const outputTokens = this.#outputTokens ?? this.#tokens.ids
    const errorCode = this.#failure?.errorCode ?? this.#shortfall(end, outputTokens)
    return {
      status: this.#failure?.status ?? (errorCode === null ? 'ok' : ERROR_CODES[errorCode].status),
      errorCode,
      errorText: this.#failure?.text ?? null,
      firstTokenUs: this.#firstTokenUs,
      firstContentUs: this.#firstContentUs,
      lastTokenUs: this.#lastTokenUs,
      endUs: this.#decidedUs,
      inputTokens: this.#inputTokens,
      outputTokens,
      cachedTokens: this.#cachedTokens,
      chunks: this.#tokensPerChunk.length,
      gapsUs: this.#gapsUs,
      tokensPerChunk: this.#tokensPerChunk,
      outputIds: this.#tokens.outputIds,
      finishReason: this.#finishReason,
      usageSeen: this.#usageSeen,
    }
  }

  /** What an answer without an error still lacks. */
  #shortfall(end: StreamEnd, outputTokens: number | null): ErrorCode | null {
    const expected = this.#expected.choices ?? 1
    let finished = 0
    for (let index = 0; index < Math.max(expected, this.#finished.length); index++)
      if (this.#finished[index]) finished++
    const isFinished = finished >= expected && finished >= this.#finished.length
    if (this.#isDone && !isFinished) return 'done_without_finish'
    if (!this.#isDone && end !== 'clean') return end
    if (!isFinished) return 'end_without_finish'
    if (this.#tokensPerChunk.length === 0) return 'no_token'
    if (outputTokens === null) return 'usage_missing'
    return this.#expected.outputTokens === null || this.#expected.outputTokens === outputTokens ? null : 'wrong_length'
  }

  #fail(status: Status, errorCode: ErrorCode, text: string | null, atUs: number): void {
    if (this.isDecided) return
    this.#failure = { status, errorCode, text }
    this.#decidedUs = atUs
  }

  #failInStream(error: unknown, atUs: number): void {
    const inner = isObject(error) ? (errorOf(error) ?? error) : error
    const text = printable(errorMessageOf(inner), ERROR_TEXT_CHARS) || null
    this.#fail(refusalStatus(errorCodeOf(inner)), 'in_stream_error', text, atUs)
  }

  #readChunk(chunk: Json, atUs: number): void {
    const completion = this.#readUsage(chunk['usage'])
    const choices = chunk['choices']
    if (choices === undefined || choices === null) return
    if (!Array.isArray(choices)) return this.fail('malformed_event', atUs)
    let hasText = false
    let ids = 0
    let first = -1
    for (const choice of choices) {
      if (!isObject(choice)) continue
      const index = countOf(choice['index']) ?? 0
      if (first === -1) first = index
      hasText ||= hasVisibleText(this.#shape, choice)
      ids += this.#tokens.addIds(choice)
      this.#readFinish(choice['finish_reason'], index, atUs)
    }
    if (first === -1) return
    const risen = first > MAX_CHOICE ? 0 : this.#tokens.rise(completion, first)
    if (!hasText && ids === 0 && risen === 0) return
    if (completion === null) this.#tokens.noteUnreported()
    this.#countChunk(hasText, ids > 0 ? ids : risen, atUs)
  }

  #countChunk(hasText: boolean, tokens: number, atUs: number): void {
    if (this.#tokensPerChunk.length === MOST_CHUNKS) return this.fail('wrong_length', atUs)
    if (this.#lastTokenUs === null) this.#firstTokenUs = atUs
    else this.#gapsUs.push(atUs - this.#lastTokenUs)
    this.#lastTokenUs = atUs
    if (hasText) this.#firstContentUs ??= atUs
    this.#tokensPerChunk.push(tokens)
  }

  /** Keeps the last usage, and returns its completion tokens if it has any. */
  #readUsage(usage: unknown): number | null {
    if (!isObject(usage)) return null
    const completion = countOf(usage['completion_tokens'])
    const details = usage['prompt_tokens_details']
    const cached = isObject(details) ? countOf(details['cached_tokens']) : null
    this.#outputTokens = completion ?? this.#outputTokens
    this.#inputTokens = countOf(usage['prompt_tokens']) ?? this.#inputTokens
    this.#cachedTokens = cached ?? this.#cachedTokens
    this.#usageSeen ||= completion !== null
    return completion
  }

  #readFinish(reason: unknown, index: number, atUs: number): void {
    if (index > MAX_CHOICE) return this.fail('malformed_event', atUs)
    const isFinish = typeof reason === 'string' && reason !== ''
    if (!this.#finished[index]) this.#finished[index] = isFinish
    if (!isFinish) return
    this.#finishReason = printable(reason, FINISH_REASON_CHARS)
    if (GIVEN_UP.has(reason)) this.fail('engine_abort', atUs)
  }
}

/** A choice's index beyond this is no answer to anything that was asked. */
const MAX_CHOICE = 1023
/** No length that was asked for has more: an answer without end ends here, before it has filled the memory. */
const MOST_CHUNKS = 1_048_576
