import { errorMessageOf, errorOf, isObject, printable } from '../../core/stream/wire-shape.ts'
import type { ErrorCode } from '../../core/stream/error-codes.ts'
import type { WireControl, WireHandler } from './transport.ts'

const MOST_BYTES = 8 * 1024
const MOST_CHARACTERS = 300

/** Stands before an exchange, and keeps as text what the engine says behind any head but a 200. */
export class RefusalReader implements WireHandler {
  readonly #exchange: WireHandler
  readonly #parts: Buffer[] = []
  readonly #said = Promise.withResolvers<void>()
  #bytes = 0
  #isRefused = false

  constructor(exchange: WireHandler) {
    this.#exchange = exchange
  }

  /** What the engine said of its refusal, printable and short, once it has or was left; null where it said nothing, or did not refuse. */
  async refusal(): Promise<string | null> {
    if (!this.#isRefused) return null
    await this.#said.promise
    return this.#text()
  }

  onOpen(control: WireControl): void {
    const cut = (): void => {
      control.cut()
      this.#said.resolve()
    }
    this.#exchange.onOpen({ cut })
  }

  onSent(): void {
    this.#exchange.onSent()
  }

  onHead(...head: Parameters<WireHandler['onHead']>): void {
    this.#isRefused = head[0] !== 200
    this.#exchange.onHead(...head)
  }

  onBody(bytes: Uint8Array): void {
    if (this.#isRefused && this.#bytes < MOST_BYTES) {
      this.#parts.push(Buffer.from(bytes.subarray(0, MOST_BYTES - this.#bytes)))
      this.#bytes += bytes.length
      if (this.#bytes >= MOST_BYTES) this.#said.resolve()
    }
    this.#exchange.onBody(bytes)
  }

  onEnd(): void {
    this.#said.resolve()
    this.#exchange.onEnd()
  }

  onFailure(errorCode: ErrorCode): void {
    this.#said.resolve()
    this.#exchange.onFailure(errorCode)
  }

  #text(): string | null {
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
}
