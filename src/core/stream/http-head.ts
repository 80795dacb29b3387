/** How a body's end is found. */
type HttpFraming = 'none' | 'length' | 'chunked' | 'until_close'

/** The head of an answer. */
export interface HttpHead {
  status: number
  framing: HttpFraming
  /** The body's bytes where `framing` is `length`, else 0. */
  contentLength: number
  /** The connection may carry another request once this answer is read. */
  keepsAlive: boolean
  /** How long the server says that it keeps an idle connection; null where it says nothing. */
  keepAliveSeconds: number | null
  contentType: string | undefined
  contentEncoding: string | undefined
}

const LF = 10
const SPACE = 32
const TAB = 9
const COLON = 58

const VERSION = [72, 84, 84, 80, 47, 49, 46]

/** Whether the bytes can begin an answer of HTTP/1 that `seen` bytes came of before: garbage is known at once, not by a deadline. */
export function beginsAnswer(bytes: Uint8Array, from: number, to: number, seen = 0): boolean {
  for (let index = seen; index < VERSION.length && from + index - seen < to; index++) {
    if (bytes[from + index - seen] !== VERSION[index]) return false
  }
  return true
}

/**
 * Reads a whole head, from its first byte to the end of its blank line; every line feed in it must be known to follow a carriage return.
 * Null for what is not HTTP/1.0 or 1.1 by the letter of RFC 9112, and for what two readers could take for two different things: folded
 * lines, stray control characters, blanks before a colon, a length beside chunks, any length or coding twice, another coding than chunked.
 */
export function parseHead(bytes: Uint8Array, from: number, to: number): HttpHead | null {
  const statusEnd = endOfLine(bytes, from)
  const status = statusOf(bytes, from, statusEnd)
  if (status === null) return null
  const fields = new HeadFields()
  for (let at = statusEnd + 2; at < to - 2;) {
    const end = endOfLine(bytes, at)
    if (!readField(bytes, at, end, fields)) return null
    at = end + 2
  }
  const isOld = bytes[from + 7] === 48
  return headOf(status, isOld, fields)
}

/** Whether the lines of a trailer, blank line included, are fields by the same letter. What they say is not used. */
export function isTrailer(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to - 2;) {
    const end = endOfLine(bytes, at)
    if (endOfName(bytes, at, end) === -1 || !isText(bytes, at, end)) return false
    at = end + 2
  }
  return true
}

/** What was said in the fields that decide something. */
class HeadFields {
  contentLength: number | null = null
  transferEncoding: string | undefined
  connection = ''
  keepAlive = ''
  contentType: string | undefined
  contentEncoding: string | undefined

  /** False where the field must not stand there. */
  take(name: string, value: string): boolean {
    if (name === 'content-length') return this.#takeLength(value)
    if (name === 'transfer-encoding') {
      if (this.transferEncoding !== undefined) return false
      this.transferEncoding = value.toLowerCase()
    } else if (name === 'connection') this.connection += `,${value.toLowerCase()}`
    else if (name === 'keep-alive') this.keepAlive = value
    else if (name === 'content-type') this.contentType ??= value
    else this.contentEncoding = this.contentEncoding === undefined ? value : `${this.contentEncoding}, ${value}`
    return true
  }

  #takeLength(value: string): boolean {
    if (this.contentLength !== null || !/^\d{1,15}$/.test(value)) return false
    this.contentLength = Number(value)
    return true
  }
}

const NAMES = ['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'content-type', 'content-encoding']

function headOf(status: number, isOld: boolean, fields: HeadFields): HttpHead | null {
  const { contentLength, transferEncoding, contentType, contentEncoding } = fields
  if (transferEncoding !== undefined && (transferEncoding !== 'chunked' || contentLength !== null || isOld)) return null
  // Nothing was asked to be upgraded.
  if (status === 101) return null
  const options = fields.connection.split(',').map((option) => option.trim())
  const framing = framingOf(status, transferEncoding !== undefined, contentLength)
  const isKept = isOld ? options.includes('keep-alive') : true
  const seconds = /(?:^|[\s,;])timeout\s*=\s*"?(\d{1,9})/i.exec(fields.keepAlive)
  return {
    status,
    framing,
    contentLength: framing === 'length' ? (contentLength ?? 0) : 0,
    keepsAlive: isKept && !options.includes('close') && framing !== 'until_close',
    keepAliveSeconds: seconds ? Number(seconds[1]) : null,
    contentType,
    contentEncoding,
  }
}

/** RFC 9112, section 6.3, for the answer to a POST. */
function framingOf(status: number, isChunked: boolean, contentLength: number | null): HttpFraming {
  if (status < 200 || status === 204 || status === 304) return 'none'
  if (isChunked) return 'chunked'
  return contentLength === null ? 'until_close' : 'length'
}

/** `HTTP/1.0` or `HTTP/1.1`, a blank, three digits, and a phrase after another blank or nothing. */
function statusOf(bytes: Uint8Array, from: number, end: number): number | null {
  const minor = bytes[from + 7]
  if (end < from + 12 || !beginsAnswer(bytes, from, end) || (minor !== 48 && minor !== 49)) return null
  if (bytes[from + 8] !== SPACE || (end > from + 12 && bytes[from + 12] !== SPACE)) return null
  let status = 0
  for (let at = from + 9; at < from + 12; at++) {
    const digit = (bytes[at] ?? 0) - 48
    if (digit < 0 || digit > 9) return null
    status = status * 10 + digit
  }
  return status >= 100 && isText(bytes, from + 12, end) ? status : null
}

function readField(bytes: Uint8Array, from: number, end: number, fields: HeadFields): boolean {
  const colon = endOfName(bytes, from, end)
  if (colon === -1 || !isText(bytes, colon + 1, end)) return false
  const name = NAMES.find((known) => isName(bytes, from, colon, known))
  return name === undefined || fields.take(name, valueOf(bytes, colon + 1, end))
}

/** Where the line's carriage return stands. */
function endOfLine(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] !== LF) at++
  return at - 1
}

/** Where the colon stands after a name of token characters; -1 where none does. */
function endOfName(bytes: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end && TOKEN[bytes[at] ?? 0] === 1) at++
  return at > from && at < end && bytes[at] === COLON ? at : -1
}

function isName(bytes: Uint8Array, from: number, to: number, name: string): boolean {
  if (to - from !== name.length) return false
  // Letters differ in this bit alone from their capitals; of the token characters only a hyphen is one with it.
  for (let index = 0; index < name.length; index++) {
    if (((bytes[from + index] ?? 0) | 0x20) !== name.charCodeAt(index)) return false
  }
  return true
}

/** No control character but the tab. */
function isText(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0
    if ((byte < SPACE && byte !== TAB) || byte === 127) return false
  }
  return true
}

/** Without the blanks around it; its bytes taken for Latin-1. */
function valueOf(bytes: Uint8Array, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isBlank(bytes[start])) start++
  while (end > start && isBlank(bytes[end - 1])) end--
  let value = ''
  for (let at = start; at < end; at++) value += String.fromCharCode(bytes[at] ?? 0)
  return value
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB
}

/** 1 for the bytes that a field's name is made of. */
const TOKEN = new Uint8Array(256)
for (const character of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
  TOKEN[character.charCodeAt(0)] = 1
}
