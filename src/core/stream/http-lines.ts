const CR = 13
const LF = 10
const EMPTY: Uint8Array = new Uint8Array(0)

/** `more`: the blank line has not come. `bare`: a line feed without its carriage return. `long`: over the limit. */
export type LinesState = 'more' | 'whole' | 'bare' | 'long'

/** Lines that end in CRLF, up to a blank one: a head's or a trailer's, gathered from reads that may split them anywhere. */
export class HttpLines {
  /** The bytes that hold the lines after `whole`, and from where to where. They are the read's own where one read held them all. */
  lines = { bytes: EMPTY, from: 0, to: 0 }
  readonly #maxBytes: number
  #kept = EMPTY
  #keptBytes = 0
  /** Of all lines since `restart`, blank ones included. */
  #bytes = 0
  #lineBytes = 0
  #last = 0
  #nextAt = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Of the lines not whole yet: how many bytes came. */
  get pendingBytes(): number {
    return this.#keptBytes
  }

  /** After `whole`: where what follows the blank line begins in the bytes taken last. */
  get nextAt(): number {
    return this.#nextAt
  }

  /** Forgets everything; the limit counts anew. */
  restart(): void {
    this.next()
    this.#bytes = 0
  }

  /** Makes ready for another set of lines under the same limit. */
  next(): void {
    this.#kept = EMPTY
    this.#keptBytes = 0
    this.#lineBytes = 0
    this.#last = 0
  }

  /** Takes the bytes from `from` to `to`. With `whole`, `lines` holds the lines, their ends and the blank line included. */
  take(bytes: Uint8Array, from: number, to: number): LinesState {
    const end = Math.min(to, from + this.#maxBytes - this.#bytes)
    let last = this.#last
    let lineBytes = this.#lineBytes
    for (let at = from; at < end; at++) {
      const byte = bytes[at] ?? 0
      lineBytes++
      if (byte === LF) {
        if (last !== CR) return 'bare'
        if (lineBytes === 2) return this.#whole(bytes, from, at + 1)
        lineBytes = 0
      }
      last = byte
    }
    if (end < to) return 'long'
    this.#last = last
    this.#lineBytes = lineBytes
    this.#bytes += end - from
    this.#keep(bytes, from, end)
    return 'more'
  }

  #whole(bytes: Uint8Array, from: number, to: number): 'whole' {
    this.#bytes += to - from
    this.#nextAt = to
    if (this.#keptBytes === 0) {
      this.lines = { bytes, from, to }
    } else {
      this.#keep(bytes, from, to)
      this.lines = { bytes: this.#kept, from: 0, to: this.#keptBytes }
    }
    return 'whole'
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    const size = this.#keptBytes + to - from
    if (size > this.#kept.length) {
      const grown = new Uint8Array(Math.max(256, size * 2))
      grown.set(this.#kept.subarray(0, this.#keptBytes))
      this.#kept = grown
    }
    this.#kept.set(bytes.subarray(from, to), this.#keptBytes)
    this.#keptBytes = size
  }
}
