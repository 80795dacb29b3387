import { type Answer, type AnswerExpectation, AnswerReader, type StreamEnd } from './answer-reader.ts'
import { DEFAULT_SSE_LIMITS, type SseLimits, SseReader } from './sse-reader.ts'

/** An id of 32 bits, a comma and a space. */
const MOST_CHARS_AN_ID = 12

/** One answer's body, from its bytes to its observations. */
export class AnswerStream {
  readonly #events: SseReader
  readonly #answer: AnswerReader
  readonly #onEvent: (data: string, event: string) => void
  #readUs = 0

  constructor(expected: AnswerExpectation, limits: SseLimits = DEFAULT_SSE_LIMITS) {
    const echoChars = (expected.inputTokens ?? 0) * MOST_CHARS_AN_ID
    this.#events = new SseReader({ maxEventChars: limits.maxEventChars + echoChars })
    this.#answer = new AnswerReader(expected)
    this.#onEvent = (data, event) => this.#answer.observe(data, event, this.#readUs)
  }

  /** [DONE] or an error came: drain the body for a moment, or leave; nothing counts any more. */
  get isDecided(): boolean {
    return this.#answer.isDecided
  }

  get firstTokenUs(): number | null {
    return this.#answer.firstTokenUs
  }

  get lastTokenUs(): number | null {
    return this.#answer.lastTokenUs
  }

  /** Output tokens seen so far, as `AnswerReader.tokens` counts them. */
  get tokens(): number {
    return this.#answer.tokens
  }

  /** The bytes of one read, without the framing of HTTP, and its time. */
  push(bytes: Uint8Array, atUs: number): void {
    if (this.#answer.isDecided) return
    this.#readUs = atUs
    this.#events.push(bytes, this.#onEvent)
    if (this.#events.isTooLong) this.#answer.fail('malformed_event', atUs)
  }

  /**
   * The answer, once its body ended at `atUs`, cleanly by its framing or for the reason given.
   *
   * An unterminated last event is not an event. After a clean end a `[DONE]` without its blank line says no more than the end itself, and
   * is let pass; anything else that stops half way is a malformed event.
   */
  finish(end: StreamEnd, atUs: number): Answer {
    if (end === 'clean' && !this.#answer.isDecided) {
      const leftover = this.#events.leftover()
      if (leftover !== null && leftover.trim() !== '[DONE]') this.#answer.fail('malformed_event', atUs)
    }
    return this.#answer.finish(end, atUs)
  }
}
