import { stripVTControlCharacters, styleText } from 'node:util'
import wrapAnsi from 'wrap-ansi'
import type { Paint, Tone } from '../../core/report/paint.ts'
import { NO_PAINT } from '../../core/report/paint.ts'

const STYLES = {
  good: 'green',
  bad: 'red',
  doubtful: 'yellow',
  faint: 'dim',
  strong: 'bold',
} as const satisfies Record<Tone, string>

/** How much further in a line goes on. */
const HANG = '    '
/** Left as they are: a table's rows, and a command, which is copied whole. */
const WHOLE = /^\s*(?:\||capacity-gate )/

/** Colours as a terminal takes them. */
export function painter(hasColor: boolean): Paint {
  return hasColor ? (tone, text) => styleText(STYLES[tone], text, { validateStream: false }) : NO_PAINT
}

/**
 * A text for a reader of so many columns: lines break at words and go on further in than they began, and a Markdown table stands in columns. A word
 * that is longer than a line, a table that is wider, and a command stay whole, so that they can be copied.
 */
export function wrapped(text: string, columns: number): string {
  return text
    .split(/((?:^\|.*\n?)+)/m)
    .map((part) => (part.startsWith('|') ? tabulated(part, columns) : wrappedLines(part, columns)))
    .join('')
}

function wrappedLines(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => wrappedLine(line, columns))
    .join('\n')
}

const DELIMITERS = /^\|(?:\s*:?-+:?\s*\|)+$/

/** A Markdown table's cells in columns, as wide as they need to be; as it stands where that is too wide, or it is none. */
function tabulated(table: string, columns: number): string {
  const [head = '', delimiters = '', ...rows] = table.trimEnd().split('\n')
  if (!DELIMITERS.test(delimiters)) return table
  const cells = [head, ...rows].map(cellsOf)
  const isRight = cellsOf(delimiters).map((cell) => cell.endsWith(':'))
  const widths = isRight.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  const lines = cells.map((row) =>
    widths
      .map((width, column) =>
        isRight[column] ? (row[column] ?? '').padStart(width) : (row[column] ?? '').padEnd(width),
      )
      .join('  ')
      .trimEnd(),
  )
  if (lines.some((line) => line.length + 2 > columns)) return table
  return `${lines.map((line) => `  ${line}`).join('\n')}${table.endsWith('\n') ? '\n' : ''}`
}

function cellsOf(row: string): string[] {
  return row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
}

function wrappedLine(line: string, columns: number): string {
  if (WHOLE.test(stripVTControlCharacters(line))) return line
  const indent = /^ */.exec(line)?.[0] ?? ''
  const hang = `${indent}${HANG}`
  const within = (text: string, before: string) => wrapAnsi(text, Math.max(20, columns - before.length)).split('\n')
  const [first = '', ...more] = within(line.slice(indent.length), indent)
  const rest = more.length === 0 ? [] : within(more.join(' '), hang)
  return [`${indent}${first}`, ...rest.map((part) => `${hang}${part}`)].join('\n')
}

/**
 * A text whose lines end where they are meant to, and in which nothing but a colour is a command to a terminal: whatever a manifest, an engine or a
 * file brought along that was not made plain before.
 */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character, at: number) => {
    if (character === '\n') return character
    return character === '\u001B' && /^\[\d{1,2}m/.test(text.slice(at + 1, at + 5)) ? character : ''
  })
}

/** The part of a line that fits beside a terminal's edge: wide characters take two columns. */
export function fitted(line: string, columns: number): string {
  const room = Math.max(2, columns - 1)
  const rows = rowsOf(line, room)
  return rows.length <= 1 ? line : `${rowsOf(line, room - 1)[0]}…`
}

/** How a terminal of so many columns breaks a line that is too long for it. */
export function rowsOf(line: string, columns: number): string[] {
  return wrapAnsi(line, columns, { hard: true, wordWrap: false, trim: false }).split('\n')
}
