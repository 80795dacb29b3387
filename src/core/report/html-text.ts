import { plainText } from './escape.ts'
import type { Ink } from './escape.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A value from outside as literal text of HTML or SVG, in an attribute's quotes too: one line, at most `max` code points. */
export function htmlText(value: string, max?: number): string {
  return plainText(value, max).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

export const htmlInk: Ink = { text: htmlText, name: (value) => `<code>${htmlText(value, 80)}</code>` }

/**
 * A value as JSON inside a script element: no end tag, comment or entity can begin in it, and JSON.parse gives the value back. The two
 * line separators are escaped as well, since older readers end a line there.
 */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u{2028}\u{2029}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
