import { EXIT, GateError } from '../kernel/errors.ts'

/** Texts that prompts are made of. */
export interface Dataset {
  /** Of the file's bytes. */
  sha256: string
  texts: readonly string[]
  /** For each text the class that its line names, where the file tells texts apart by class; else null. */
  classes: readonly string[] | null
}

export interface DatasetFormat {
  /** The file's name, for messages. */
  file: string
  format: 'text' | 'jsonl'
  /** The field of a JSON line that holds the prompt. */
  field: string
  /** The workload's classes. */
  classNames: readonly string[]
}

const HALF_CHARACTER = 'a text with half of a character (a surrogate without its other half)'
/** Beyond it a prompt is a file that was read the wrong way. */
const MOST_CHARACTERS = 4 * 1024 * 1024

function refuse({ file }: DatasetFormat, line: number | null, what: string, hint: string, cause?: unknown): GateError {
  const message = `${file}${line === null ? '' : `, line ${line}`}: ${what}`
  return new GateError({ code: 'dataset_malformed', message, hint, exitCode: EXIT.invalid, cause })
}

/**
 * The texts of a dataset's bytes: of a `text` file its paragraphs, which blank lines part; of `jsonl` the named field of each line. Where
 * the lines' field `class` names classes of the workload, each class takes its own texts; every line must then name one.
 *
 * @throws GateError `dataset_malformed` with the file and the line (exit 4)
 */
export function parseDataset(bytes: Uint8Array, source: DatasetFormat): Omit<Dataset, 'sha256'> {
  const lines = decode(bytes, source).split(/\r?\n/)
  const found = source.format === 'text' ? paragraphs(lines) : jsonLines(lines, source)
  if (found.length === 0) throw refuse(source, null, 'there is no text in it', 'check that this is the file you mean')
  for (const { text, line } of found) {
    // JSON's escapes can write what UTF-8 cannot: engines answer such a prompt with an error of their own.
    if (!text.isWellFormed()) throw refuse(source, line, HALF_CHARACTER, 'write the whole character, or take it out')
    if (text.length <= MOST_CHARACTERS) continue
    const hint = 'part texts by blank lines (text), or write one a line (jsonl)'
    throw refuse(source, line, `a text of ${text.length} characters; at most ${MOST_CHARACTERS} are taken`, hint)
  }
  return { texts: found.map(({ text }) => text), classes: classesOf(found, source) }
}

interface Found {
  text: string
  line: number
  class: unknown
}

function decode(bytes: Uint8Array, source: DatasetFormat): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw refuse(source, null, 'it is not UTF-8 text', 'hand it in uncompressed, as UTF-8', error)
  }
}

function paragraphs(lines: readonly string[]): Found[] {
  const found: Found[] = []
  let isOpen = false
  for (const [index, line] of lines.entries()) {
    const last = found.at(-1)
    if (line.trim() === '') isOpen = false
    else if (isOpen && last) last.text += `\n${line}`
    else found.push({ text: line, line: index + 1, class: undefined })
    if (line.trim() !== '') isOpen = true
  }
  return found
}

function jsonLines(lines: readonly string[], source: DatasetFormat): Found[] {
  return lines.flatMap((line, index): Found[] => {
    if (line.trim() === '') return []
    const hint = `each line is a JSON object whose field ${source.field} is a text`
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch (error) {
      throw refuse(source, index + 1, 'it is not JSON', hint, error)
    }
    if (typeof value !== 'object' || value === null) throw refuse(source, index + 1, 'it is no JSON object', hint)
    const fields = new Map<string, unknown>(Object.entries(value))
    const text = fields.get(source.field)
    if (typeof text !== 'string' || text.trim() === '') {
      throw refuse(source, index + 1, `it has no text in the field ${source.field}`, hint)
    }
    return [{ text, line: index + 1, class: fields.get('class') }]
  })
}

function classesOf(found: readonly Found[], source: DatasetFormat): string[] | null {
  const known = new Set<unknown>(source.classNames)
  if (!found.some((text) => known.has(text.class))) return null
  const hint = 'let every line name one of them in the field class, or none'
  const stranger = found.find((text) => !known.has(text.class))
  if (stranger) throw refuse(source, stranger.line, 'it names no class of the workload, as others do', hint)
  const missing = source.classNames.find((name) => !found.some((text) => text.class === name))
  if (missing !== undefined) throw refuse(source, null, `no text is of the class ${missing}`, hint)
  return found.map((text) => String(text.class))
}

/** The texts that a class may take, by index: one and the same list for all classes where the file does not tell them apart. */
export function textPools(dataset: Dataset): (className: string) => readonly number[] {
  const all = dataset.texts.map((_, index) => index)
  const { classes } = dataset
  return classes === null ? () => all : (name) => all.filter((index) => classes[index] === name)
}
