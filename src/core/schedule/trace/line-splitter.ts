import { traceRefusal } from './trace-refusal.ts'

/** A prompt of a million tokens in blocks of 16 has 62,500 ids: half of this. */
export const MOST_LINE_BYTES = 1024 * 1024

const NEWLINE = 10
const BYTE_ORDER_MARK = '\uFEFF'

/** Bytes in any pieces → whole lines of text. It keeps one unfinished line, and never more than the longest that is allowed. */
export class LineSplitter {
  readonly #file: string
  #kept = new Uint8Array(4096)
  #keptBytes = 0
  #line = 0

  constructor(file: string) {
    this.#file = file
  }

  /** The number of the line that was handed out last, from 1. */
  get line(): number {
    return this.#line
  }

  /** Bytes that are kept between two pushes. */
  get heldBytes(): number {
    return this.#kept.length
  }

  /** Calls `take` with each line that is now whole, without its end. @throws GateError `trace_line`, `trace_not_text` */
  push(bytes: Uint8Array, take: (line: string) => void): void {
    const end = bytes.lastIndexOf(NEWLINE)
    if (end < 0) return this.#keep(bytes)
    const whole = bytes.subarray(0, end)
    if (this.#keptBytes === 0) {
      this.#handOut(whole, take)
    } else {
      const first = bytes.indexOf(NEWLINE)
      this.#keep(bytes.subarray(0, first))
      const kept = this.#kept.subarray(0, this.#keptBytes)
      this.#keptBytes = 0
      this.#handOut(kept, take)
      if (first < end) this.#handOut(bytes.subarray(first + 1, end), take)
    }
    this.#keep(bytes.subarray(end + 1))
  }

  /** The last line, where the file does not end with a line's end. */
  end(take: (line: string) => void): void {
    if (this.#keptBytes > 0) this.#handOut(this.#kept.subarray(0, this.#keptBytes), take)
    this.#keptBytes = 0
  }

  #keep(bytes: Uint8Array): void {
    const total = this.#keptBytes + bytes.length
    if (total > MOST_LINE_BYTES) throw this.#tooLong(this.#line + 1)
    if (total > this.#kept.length) {
      const larger = new Uint8Array(Math.min(MOST_LINE_BYTES, Math.max(total, 2 * this.#kept.length)))
      larger.set(this.#kept.subarray(0, this.#keptBytes))
      this.#kept = larger
    }
    this.#kept.set(bytes, this.#keptBytes)
    this.#keptBytes = total
  }

  #handOut(bytes: Uint8Array, take: (line: string) => void): void {
    for (const text of this.#decode(bytes).split('\n')) {
      this.#line++
      if (text.length > MOST_LINE_BYTES) throw this.#tooLong(this.#line)
      const line = this.#line === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
      take(line.endsWith('\r') ? line.slice(0, -1) : line)
    }
  }

  #decode(bytes: Uint8Array): string {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch (cause) {
      throw traceRefusal(this.#file, {
        code: 'trace_not_text',
        row: this.#line + 1 + linesBeforeTheFault(bytes),
        what: 'is no text in UTF-8',
        hint: 'hand in the trace as UTF-8 text, or that compressed by gzip',
        cause,
      })
    }
  }

  #tooLong(row: number): Error {
    return traceRefusal(this.#file, {
      code: 'trace_line',
      row,
      what: `is longer than ${MOST_LINE_BYTES} bytes`,
      hint: 'a trace has one request a line, its lines ended by \\n or \\r\\n',
    })
  }
}

/** How many whole lines decode well before the one that does not. */
function linesBeforeTheFault(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (let from = 0, line = 0; ; line++) {
    const end = bytes.indexOf(NEWLINE, from)
    try {
      decoder.decode(bytes.subarray(from, end < 0 ? bytes.length : end))
    } catch {
      return line
    }
    if (end < 0) return line
    from = end + 1
  }
}
