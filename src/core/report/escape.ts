/** Characters of a value from outside that are shown at most; the rest is an ellipsis. */
const VALUE_MAX = 160

/** Format, control, private and unassigned characters (bidi marks and zero-width ones among them), and blanks that look like none. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u{115f}\u{1160}\u{2800}\u{3164}\u{ffa0}]/gu
const MARKS = /(\p{M}{2})\p{M}+/gu
const ZWSP = '\u{200b}'

/** One line of visible characters, at most `max` code points: fit for a terminal, and the ground for every escape. */
export function plainText(value: string, max: number = VALUE_MAX): string {
  const line = value
    .slice(0, max * 16)
    .toWellFormed()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(INVISIBLE, '')
    .replaceAll(MARKS, '$1')
    .trim()
  const points = Array.from(line)
  return points.length > max || value.length > max * 16 ? `${points.slice(0, max - 1).join('')}…` : line
}

/**
 * A value from outside as literal text in GitHub's Markdown, in a table's cell too. No markup, HTML or link comes through, and a
 * zero-width space breaks what GitHub links after rendering, where no escape reaches: mentions, issue numbers, bare addresses.
 */
export function markdownText(value: string, max: number = VALUE_MAX): string {
  return plainText(value, max)
    .replaceAll('&', '&amp;')
    .replaceAll(/[\\`*_~[\]#]/g, String.raw`\$&`)
    .replaceAll(/[@#]/g, `$&${ZWSP}`)
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('|', '&#124;')
    .replaceAll('$', '&#36;')
    .replaceAll('://', `:${ZWSP}//`)
    .replaceAll(/www\./gi, (match) => `${match.slice(0, 3)}${ZWSP}.`)
    .replaceAll(/GH-/gi, (match) => `${match.slice(0, 2)}${ZWSP}-`)
    .replace(/^([-+=])/, String.raw`\$1`)
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, String.raw`$1\$2`)
}

/** An identifier as a code span, where it is made of characters that mean nothing in one; else as literal text. */
export function markdownCode(value: string, max: number = VALUE_MAX): string {
  const line = plainText(value, max)
  return /^[\w.:/@+=,%^~-][\w .:/@+=,%^~-]*$/.test(line) && !line.endsWith(' ')
    ? `\`${line}\``
    : markdownText(value, max)
}

/** How a sentence writes a value from outside; the words around it are our own. */
export interface Ink {
  text(value: string, max?: number): string
  name(value: string): string
}

export const markdownInk: Ink = { text: markdownText, name: (value) => markdownCode(value, 80) }
export const plainInk: Ink = { text: plainText, name: (value) => plainText(value, 80) }
