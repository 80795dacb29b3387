import { errorMessageOf, errorOf, isObject, printable } from '../../core/stream/wire-shape.ts'
import type { ErrorCode } from '../../core/stream/error-codes.ts'
import type { WireControl, WireHandler } from './transport.ts'

const MOST_BYTES = 8 * 1024
const MOST_CHARACTERS = 300

/** Stands before an exchange and holds back any head but a 200 until its body has said why. What the engine says is kept as text. */
export class RefusalReader implements WireHandler {
  readonly #exchange: WireHandler
  readonly #parts: Buffer[] = []
  #bytes = 0
  #held: Parameters<WireHandler['onHead']> | null = null

  constructor(exchange: WireHandler) {
    this.#exchange = exchange
  }

  /** What the engine said of its refusal, printable and short; null where it said nothing. */
  get text(): string | null {
    const said = Buffer.concat(this.#parts).toString('utf8').trim()
    if (said === '') return null
    let message = said
    try {
      const body: unknown = JSON.parse(said)
      message = errorMessageOf(isObject(body) ? (errorOf(body) ?? body['detail'] ?? body) : body)
    } catch {
      // Plain text, or more of it than is read.
    }
    return printable(message, MOST_CHARACTERS)
  }

  onOpen(control: WireControl): void {
    this.#exchange.onOpen(control)
  }

  onSent(): void {
    this.#exchange.onSent()
  }

  onHead(...head: Parameters<WireHandler['onHead']>): void {
    if (head[0] === 200) this.#exchange.onHead(...head)
    else this.#held = head
  }

  onBody(bytes: Uint8Array): void {
    if (!this.#held) return this.#exchange.onBody(bytes)
    if (this.#bytes >= MOST_BYTES) return this.#release()
    this.#parts.push(Buffer.from(bytes.subarray(0, MOST_BYTES - this.#bytes)))
    this.#bytes += bytes.length
  }

  onEnd(): void {
    this.#release()
    this.#exchange.onEnd()
  }

  onFailure(errorCode: ErrorCode): void {
    this.#release()
    this.#exchange.onFailure(errorCode)
  }

  #release(): void {
    const head = this.#held
    this.#held = null
    if (head) this.#exchange.onHead(...head)
  }
}
