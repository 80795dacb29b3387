import { stringify } from 'yaml'

/** A text as YAML in a block: quoted where YAML would read something else, always on one line. */
export function yamlScalar(text: string): string {
  return /\p{Cc}/u.test(text) ? JSON.stringify(text) : stringify(text, { lineWidth: 0 }).trim()
}
