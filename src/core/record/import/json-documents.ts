import { quoted, refusal } from '../refusal.ts'

/** One value of a file of JSON, and the line on which it starts, counted from 1. */
export interface JsonDocument {
  line: number
  value: unknown
}

/** The largest single JSON value: a line, or a whole file that is one value. Parsed it takes several times as much memory. */
const DOCUMENT_MAX_BYTES = 256 * 1024 * 1024

/**
 * The values of a file that is JSON Lines, one after the other, with one line in memory at a time; or the one value of a file that is
 * JSON over several lines. Bare `NaN`, `Infinity` and `-Infinity`, which Python writes and JSON does not have, are read as null.
 *
 * @throws GateError, exit 4: `import_not_text`, `import_not_json` (with the line), `import_too_large`, `import_empty`.
 */
export async function* jsonDocuments(
  source: AsyncIterable<Uint8Array>,
  file: string,
  maximumBytes: number = DOCUMENT_MAX_BYTES,
): AsyncGenerator<JsonDocument, void, undefined> {
  const whole: string[] = []
  let firstLine = 0
  let isLines: boolean | null = null
  let size = 0
  for await (const { text, line } of textLines(source, file, maximumBytes)) {
    if (text.trim() === '') continue
    if (isLines === null) {
      const first = tryJson(text)
      firstLine = line
      isLines = first !== null
      if (first !== null) yield { line, value: first.value }
      else whole.push(text)
    } else if (isLines) {
      yield { line, value: parse(text, file, line) }
    } else {
      whole.push(text)
    }
    size = isLines ? 0 : size + text.length
    if (size > maximumBytes) throw tooLarge(file, maximumBytes)
  }
  if (isLines === null) throw empty(file)
  if (!isLines) yield { line: firstLine, value: parse(whole.join('\n'), file, null) }
}

function parse(text: string, file: string, line: number | null): unknown {
  const read = tryJson(text)
  if (read !== null) return read.value
  const isCut = isCutOff(text)
  const where = line === null ? 'the file' : `line ${line}`
  throw refusal(file, {
    code: 'import_not_json',
    what: isCut ? `${where} is cut off` : `${where} is no JSON: ${quoted(text.trimStart().slice(0, 40))}`,
    hint: isCut ? 'let the tool finish writing, and copy the whole file' : 'hand in the JSON file that the tool wrote',
  })
}

/** A value that opens and does not close. */
function isCutOff(text: string): boolean {
  const [first, last] = [text.trimStart()[0], text.trimEnd().at(-1)]
  return (first === '{' && last !== '}') || (first === '[' && last !== ']')
}

/** Null for what is no JSON. */
function tryJson(text: string): { value: unknown } | null {
  for (const form of [() => text, () => withoutNonFinite(text)]) {
    try {
      return { value: JSON.parse(form()) as unknown }
    } catch {
      // Tried once more without what Python alone writes; then it is none.
    }
  }
  return null
}

/** The text with bare `NaN`, `Infinity` and `-Infinity` as null; what stands in strings is kept. */
function withoutNonFinite(text: string): string {
  if (!/NaN|Infinity/.test(text)) return text
  let out = ''
  let from = 0
  while (from < text.length) {
    const open = text.indexOf('"', from)
    const until = open < 0 ? text.length : open
    out += text.slice(from, until).replaceAll(/(?<![\w.])(?:NaN|-?Infinity)(?![\w.])/g, 'null')
    if (open < 0) break
    const close = stringEnd(text, open)
    out += text.slice(open, close)
    from = close
  }
  return out
}

/** Where a string that opens at `open` ends: behind its closing quote, or at the text's end. */
function stringEnd(text: string, open: number): number {
  let at = open + 1
  while (true) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === 92) slashes++
    at = quote + 1
    if (slashes % 2 === 0) return at
  }
}

interface TextLine {
  text: string
  line: number
}

async function* textLines(
  source: AsyncIterable<Uint8Array>,
  file: string,
  maximumBytes: number,
): AsyncGenerator<TextLine, void, undefined> {
  let parts: Uint8Array[] = []
  let size = 0
  let line = 1
  const take = (): TextLine => {
    const taken = { text: decoded(parts, size, file, line), line }
    parts = []
    size = 0
    line++
    return taken
  }
  const keep = (part: Uint8Array) => {
    size += part.length
    if (size > maximumBytes) throw tooLarge(file, maximumBytes)
    parts.push(part)
  }
  for await (const chunk of source) {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, at))
      yield take()
      from = at + 1
    }
    // A reader may use its buffer again.
    if (from < chunk.length) keep(chunk.slice(from))
  }
  if (size > 0) yield take()
}

function decoded(parts: readonly Uint8Array[], size: number, file: string, line: number): string {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  try {
    // The decoder takes a byte order mark away.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw refusal(file, {
      code: 'import_not_text',
      what: `line ${line} is no text in UTF-8`,
      hint: 'hand in the JSON file itself, uncompressed',
      cause,
    })
  }
}

function tooLarge(file: string, maximumBytes: number) {
  return refusal(file, {
    code: 'import_too_large',
    what: `one JSON value is larger than ${Math.floor(maximumBytes / 1024 / 1024)} MiB`,
    hint: 'JSON Lines are read line by line, whatever their number; else have the tool leave out texts and chunks',
  })
}

function empty(file: string) {
  return refusal(file, { code: 'import_empty', what: 'there is nothing in it', hint: 'let the tool finish its run' })
}
