import { closest, distance } from 'fastest-levenshtein'
import type { z } from 'zod'
import { showNumber, showPath, showValue, type Path } from './finding.ts'
import type { SchemaBreach } from './schema-findings.ts'
import { SCHEMA_RULES } from './schema-rules-table.ts'
import { isMapping, schemaLeaves } from './schema-walk.ts'

/** Unknown keys named at most for one mapping. */
const MOST_KEYS = 20

interface UnknownKeys {
  path: Path
  keys: readonly string[]
  /** The keys that the mapping may have. */
  known: readonly string[]
  /** What stands at the path. */
  mapping: unknown
  /** The whole document's. */
  schema: z.ZodType
}

/** What is said of a mapping's keys that are not among the `known` ones. */
export function unknownKeys({ path, keys, known, mapping, schema }: UnknownKeys): SchemaBreach[] {
  // A key that stands there as well is not what was meant.
  const absent = known.filter((key) => !(isMapping(mapping) && Object.hasOwn(mapping, key)))
  const named = keys.slice(0, MOST_KEYS).map((key): SchemaBreach => {
    const where = path.length === 0 ? 'at the top level' : `in \`${showPath(path)}\``
    const message = `the key ${showValue(key)} is not known ${where}`
    const near = nearest(key, absent)
    const hint = near === null ? homeHint(key, known, schema) : `Did you mean \`${near}\`?`
    const breach: SchemaBreach = { rule: SCHEMA_RULES.unknown, path: [...path, key], at: 'key', message, hint }
    return near === null ? breach : { ...breach, meant: [...path, near] }
  })
  if (keys.length <= MOST_KEYS) return named
  const more = `${showNumber(keys.length - MOST_KEYS)} more keys are not known here`
  return [...named, { rule: SCHEMA_RULES.unknown, path, at: 'key', message: more }]
}

/** A key that is misspelt is told once: the one that was meant is not missing as well. */
export function withoutMisspelt(breaches: readonly SchemaBreach[]): SchemaBreach[] {
  const meant = new Set(breaches.flatMap((breach) => (breach.meant ? [showPath(breach.meant)] : [])))
  return breaches.filter(({ rule, path }) => rule !== SCHEMA_RULES.missing || !meant.has(showPath(path)))
}

function homeHint(key: string, known: readonly string[], schema: z.ZodType): string {
  const homes = schemaLeaves(schema).filter((leaf) => leaf.path.split('.').at(-1) === key)
  const home = homes[0]?.path.split('.').slice(0, -1).join('.')
  if (home !== undefined)
    return home === '' ? `\`${key}\` belongs at the top level.` : `\`${key}\` belongs in \`${home}\`.`
  return `Remove it. Known keys: ${known.join(', ')}.`
}

/** The nearest of some names, where it is near enough to have been meant. */
export function nearest(name: string, names: readonly string[]): string | null {
  if (names.length === 0 || name.length > 64) return null
  const plain = (text: string) => text.toLowerCase().replaceAll(/[-_ ]/g, '')
  const same = names.find((candidate) => plain(candidate) === plain(name))
  if (same) return same
  const near = closest(name.toLowerCase(), [...names])
  return distance(name.toLowerCase(), near) <= Math.max(1, Math.floor(near.length / 3)) ? near : null
}
