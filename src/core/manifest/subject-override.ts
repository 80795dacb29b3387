import type { JsonValue } from '../kernel/canonical.ts'
import { showPath, type Path } from './finding.ts'
import { fieldAt, type SchemaBreach } from './schema-findings.ts'
import { isMapping } from './schema-walk.ts'
import { SCHEMA_RULES } from './schema-rules-table.ts'

type Mapping = Readonly<Record<string, JsonValue>>

/**
 * Merges a subject override into a manifest's value: mappings deeply, anything else is replaced; a mapping of another `kind` replaces the
 * whole mapping, since the fields of one kind mean nothing in another.
 */
export function mergeOverride(base: JsonValue, override: JsonValue): JsonValue {
  if (!isMapping(base) || !isMapping(override)) return override
  const [was, now] = [base as Mapping, override as Mapping]
  if (now['kind'] !== undefined && was['kind'] !== undefined && now['kind'] !== was['kind']) return now
  const changed = Object.entries(now).map(([key, value]) => {
    const before = Object.hasOwn(was, key) ? was[key] : undefined
    return [key, before === undefined ? value : mergeOverride(before, value)] as const
  })
  return { ...was, ...Object.fromEntries(changed) }
}

/** Every field of an override that is not the subject's. Keys that the schema does not know are the schema's to refuse. */
export function overrideBreaches(override: JsonValue, merged: JsonValue, path: Path = []): SchemaBreach[] {
  const field = fieldAt(path, merged)
  if (field?.tag === 'subject' || (field === null && path.length > 0)) return []
  if (!isMapping(override) || (field?.tag ?? null) !== null) {
    const message = `\`${showPath(path)}\` ${field?.tag ? `is ${ARTICLES[field.tag]} field` : 'is replaced as a whole'}; an override may change subject fields only`
    return [{ rule: SCHEMA_RULES.overrideNotSubject, path, at: 'key', message }]
  }
  return Object.entries(override as Mapping).flatMap(([key, value]) => overrideBreaches(value, merged, [...path, key]))
}

const ARTICLES = {
  subject: 'a subject',
  experiment: 'an experiment',
  operation: 'an operation',
  note: 'a note',
} as const
