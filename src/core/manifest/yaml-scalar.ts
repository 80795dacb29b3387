import { stringify } from 'yaml'

const KEY = 'key'

/**
 * A text as YAML's value of a key in a block: quoted where YAML would read something else, always on one line. What cannot be seen or turns the
 * direction of writing stands there by its number.
 */
export function yamlScalar(text: string): string {
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return escaped(text)
  return stringify({ [KEY]: text }, { lineWidth: 0 })
    .slice(KEY.length + 1)
    .trim()
}

function escaped(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  )
}
