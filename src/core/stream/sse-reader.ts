/** `event` is '' where the stream gives no name. */
export type OnEvent = (data: string, event: string) => void

export interface SseLimits {
  /** The longest event (its data, or one line of it), in characters. */
  maxEventChars: number
}

export const DEFAULT_SSE_LIMITS: SseLimits = { maxEventChars: 1024 * 1024 }

const LF = 10
const COLON = 58
const SPACE = 32

/** How many bytes at the end begin a UTF-8 character that is not whole yet. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

/**
 * Server-sent events from bytes that may be split anywhere, by the HTML standard's rules, but for two that keep errors from
 * being lost: a field `error:` is an event named `error` with that data, and an event named `error` counts without data too.
 *
 * An event is handed on by the push that completes it (its blank line). An unterminated last one never is: `leftover` says what it held.
 * No object is made for an event, and each read is decoded at once.
 */
export class SseReader {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #maxEventChars: number
  #bytes = new Uint8Array(0)
  #isAtStart = true
  #isAfterCr = false
  #line: string[] = []
  #lineLength = 0
  #data = ''
  #hasData = false
  #event = ''
  #isTooLong = false

  constructor(limits: SseLimits = DEFAULT_SSE_LIMITS) {
    this.#maxEventChars = limits.maxEventChars
  }

  /** An event went over the limit: the stream is malformed, and nothing after it is read. */
  get isTooLong(): boolean {
    return this.#isTooLong
  }

  /** Takes the bytes of one read. They may be reused by the caller afterwards. */
  push(bytes: Uint8Array, onEvent: OnEvent): void {
    const text = this.#decode(bytes)
    if (text !== '') this.#read(text, onEvent)
  }

  /** After the body's end: the data that an unterminated last event held, null where nothing was left. */
  leftover(): string | null {
    const rest = this.#bytes.length > 0 ? this.#decoder.decode(this.#bytes) : ''
    const line = this.#line.join('') + rest
    this.#bytes = new Uint8Array(0)
    this.#line = []
    if (line !== '') this.#field(line, 0, line.length)
    return this.#hasData || this.#event === 'error' ? this.#data : null
  }

  #decode(bytes: Uint8Array): string {
    let whole = bytes
    if (this.#bytes.length > 0) {
      whole = new Uint8Array(this.#bytes.length + bytes.length)
      whole.set(this.#bytes)
      whole.set(bytes, this.#bytes.length)
      this.#bytes = new Uint8Array(0)
    }
    const unfinished = unfinishedBytes(whole)
    if (unfinished === 0) return this.#decoder.decode(whole)
    // A Buffer's own slice would be no copy.
    this.#bytes = new Uint8Array(whole.subarray(whole.length - unfinished))
    return this.#decoder.decode(whole.subarray(0, whole.length - unfinished))
  }

  #read(text: string, onEvent: OnEvent): void {
    const { length } = text
    let at = this.#isAtStart && text.charCodeAt(0) === 0xfeff ? 1 : 0
    this.#isAtStart = false
    if (this.#isAfterCr && at < length) {
      if (text.charCodeAt(at) === LF) at++
      this.#isAfterCr = false
    }
    let lf = nextOf(text, '\n', at)
    let cr = nextOf(text, '\r', at)
    while (at < length && !this.#isTooLong) {
      const end = lf < cr ? lf : cr
      if (end === length) return this.#keep(text, at)
      this.#endLine(text, at, end, onEvent)
      at = end + 1
      if (end === cr) {
        if (at === length) this.#isAfterCr = true
        else if (at === lf) at++
        cr = nextOf(text, '\r', at)
      }
      if (lf < at) lf = nextOf(text, '\n', at)
    }
  }

  /** A line without its end yet: parts are joined once, when it has come. */
  #keep(text: string, from: number): void {
    this.#line.push(from === 0 ? text : text.slice(from))
    this.#lineLength += text.length - from
    if (this.#lineLength > this.#maxEventChars) this.#giveUp()
  }

  #endLine(text: string, from: number, to: number, onEvent: OnEvent): void {
    if (this.#lineLength + to - from > this.#maxEventChars) return this.#giveUp()
    if (this.#lineLength > 0) {
      this.#line.push(text.slice(from, to))
      const line = this.#line.join('')
      this.#line = []
      this.#lineLength = 0
      this.#field(line, 0, line.length)
    } else if (from === to) {
      this.#dispatch(onEvent)
    } else {
      this.#field(text, from, to)
    }
  }

  #field(text: string, from: number, to: number): void {
    if (text.startsWith('data:', from)) {
      this.#addData(text.slice(text.charCodeAt(from + 5) === SPACE ? from + 6 : from + 5, to))
      return
    }
    if (text.charCodeAt(from) === COLON) return
    const line = text.slice(from, to)
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1)
    if (name === 'data') this.#addData(value)
    else if (name === 'event') this.#event = value
    else if (name === 'error') {
      this.#event = 'error'
      this.#addData(value)
    }
  }

  #addData(value: string): void {
    this.#data = this.#hasData ? `${this.#data}\n${value}` : value
    this.#hasData = true
    if (this.#data.length > this.#maxEventChars) this.#giveUp()
  }

  #dispatch(onEvent: OnEvent): void {
    const data = this.#data
    const event = this.#event
    const isEvent = this.#hasData || event === 'error'
    this.#data = ''
    this.#event = ''
    this.#hasData = false
    if (isEvent) onEvent(data, event)
  }

  #giveUp(): void {
    this.#isTooLong = true
    this.#line = []
    this.#lineLength = 0
    this.#data = ''
    this.#hasData = false
  }
}

/** Where the character comes next, or the text's length. */
function nextOf(text: string, character: string, from: number): number {
  const found = text.indexOf(character, from)
  return found === -1 ? text.length : found
}
