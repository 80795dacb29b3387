import { dialectFor } from '../dialect/choose.ts'
import type { JsonValue } from '../kernel/canonical.ts'
import { showPath, type Path } from './finding.ts'
import { fieldAt, valueAt, type SchemaBreach } from './schema-findings.ts'
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

/**
 * The dialect follows from the engine's name where the manifest does not state it, and with it what the manifest owns of the engine's
 * arguments: another name must not set them free.
 */
export function dialectChange(base: JsonValue, merged: JsonValue): SchemaBreach[] {
  const path = ['engine', 'name']
  const stated = ['engine', 'dialect']
  // Another dialect that is stated, and an engine that is none, are told elsewhere.
  if (valueAt(base, stated) !== valueAt(merged, stated) || typeof valueAt(merged, path) !== 'string') return []
  const [was, now] = [dialectOf(base), dialectOf(merged)]
  if (was === now) return []
  const message = `\`engine.name\` changes the dialect from ${was} to ${now}, and with it what the manifest owns`
  return [
    { rule: SCHEMA_RULES.overrideNotSubject, path, message, hint: `State \`engine.dialect: ${was}\` in the manifest.` },
  ]
}

function dialectOf(value: JsonValue): string {
  const name = valueAt(value, ['engine', 'name'])
  const dialect = valueAt(value, ['engine', 'dialect'])
  return dialectFor({ engine: { name: typeof name === 'string' ? name : undefined, dialect } }).id
}

const ARTICLES = {
  subject: 'a subject',
  experiment: 'an experiment',
  operation: 'an operation',
  note: 'a note',
} as const
