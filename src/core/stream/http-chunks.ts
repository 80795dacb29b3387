const CR = 13
const LF = 10
const TAB = 9
const SEMICOLON = 59

/** 52 bits: a size stays exact, and leading zeros have their end. */
const MOST_DIGITS = 13
/** What a server may say beside a size. It is read over and not kept. */
const MOST_EXTENSION_BYTES = 1024

type Phase = 'size' | 'extension' | 'size_lf' | 'data_cr' | 'data_lf'

/** The framing of a chunked body (RFC 9112, section 7.1), from bytes that may be split anywhere. */
export class HttpChunks {
  /** How many bytes of the present chunk are still to come: whoever takes them counts them down. */
  left = 0
  #phase: Phase = 'size'
  #size = 0
  #digits = 0
  #extensionBytes = 0
  #isBad = false
  #isLast = false

  /** What came is no chunk. */
  get isBad(): boolean {
    return this.#isBad
  }

  /** The last chunk's size was read: the trailer follows. */
  get isLast(): boolean {
    return this.#isLast
  }

  restart(): void {
    this.left = 0
    this.#begin()
    this.#isBad = false
    this.#isLast = false
  }

  /** Reads over framing, to the next byte that is none; to be called while nothing is `left`. */
  skip(bytes: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      if (!this.#step(bytes[at] ?? 0)) this.#isBad = true
      if (this.#isBad || this.#isLast || this.left > 0) return at + 1
    }
    return to
  }

  #begin(): void {
    this.#phase = 'size'
    this.#size = 0
    this.#digits = 0
    this.#extensionBytes = 0
  }

  #step(byte: number): boolean {
    switch (this.#phase) {
      case 'size':
        return this.#stepSize(byte)
      case 'extension':
        if (byte === CR) this.#phase = 'size_lf'
        else if ((byte < 32 && byte !== TAB) || byte === 127) return false
        return ++this.#extensionBytes <= MOST_EXTENSION_BYTES
      case 'size_lf':
        this.#phase = 'data_cr'
        this.left = this.#size
        this.#isLast = this.#size === 0
        return byte === LF
      case 'data_cr':
        this.#phase = 'data_lf'
        return byte === CR
      case 'data_lf':
        this.#begin()
        return byte === LF
    }
  }

  #stepSize(byte: number): boolean {
    const digit = DIGITS[byte] ?? NONE
    if (digit !== NONE) {
      this.#size = this.#size * 16 + digit
      return ++this.#digits <= MOST_DIGITS
    }
    if (this.#digits === 0) return false
    if (byte === CR) this.#phase = 'size_lf'
    else if (byte === SEMICOLON) this.#phase = 'extension'
    else return false
    return true
  }
}

const NONE = 255
const DIGITS = new Uint8Array(256).fill(NONE)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value
}
