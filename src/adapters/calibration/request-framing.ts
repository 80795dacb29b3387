const HEAD_END = Buffer.from('\r\n\r\n')
/** A longer head is nobody's of ours. */
const LONGEST_HEAD = 64 * 1024

/**
 * Cuts one connection's bytes into requests, one after another, by their `content-length`. Bodies are counted and not looked at: parsing
 * them would take the processor from the client that is measured.
 */
export class RequestFraming {
  #head: Buffer = Buffer.alloc(0)
  #requestId: string | null = null
  /** Bytes of the body that are still to come; null in a head. */
  #left: number | null = null

  /** The id of the request that these bytes complete; null while it is not whole. `refused`: what came is no request of the client's. */
  push(bytes: Buffer): { requestId: string } | 'refused' | null {
    if (this.#left !== null) return this.#count(bytes.length)
    this.#head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes])
    const end = this.#head.indexOf(HEAD_END)
    if (end < 0) return this.#head.length > LONGEST_HEAD ? 'refused' : null
    const head = this.#head.toString('latin1', 0, end)
    const length = /^content-length: *(\d{1,12})\r?$/im.exec(head)?.[1]
    this.#requestId = /^x-request-id: *([\w-]{1,100})\r?$/im.exec(head)?.[1] ?? null
    if (length === undefined || this.#requestId === null) return 'refused'
    this.#left = Number(length)
    const come = this.#head.length - end - HEAD_END.length
    this.#head = Buffer.alloc(0)
    return this.#count(come)
  }

  #count(bytes: number): { requestId: string } | 'refused' | null {
    this.#left = (this.#left ?? 0) - bytes
    if (this.#left > 0) return null
    // The client sends its next request when the answer has come.
    if (this.#left < 0 || this.#requestId === null) return 'refused'
    this.#left = null
    return { requestId: this.#requestId }
  }
}
