import type { z } from 'zod'
import type { JsonValue } from '../kernel/canonical.ts'
import { readManifest } from './read.ts'
import type { ReadManifest } from './read.ts'
import { fieldOf, isMapping, itemsOf, mappingsOf, shapeOf } from './schema-walk.ts'
import { manifestSchema, type FieldTag, type Manifest } from './schema.ts'
import { mergeOverride } from './subject-override.ts'

/**
 * The manifest with another subject in place of its own, as a record holds it: read and judged like any manifest that is to be deployed,
 * since the subject comes from a file. Findings where the two do not go together: another way of deploying, arguments that the manifest owns.
 */
export function withSubject(manifest: Manifest, subject: JsonValue): ReadManifest {
  const value = mergeOverride(without(manifestSchema, manifest, 'subject') ?? {}, subject)
  return readManifest(JSON.stringify(value), { level: 'deployable' })
}

/** A value without the fields of a tag; undefined where nothing is left. */
function without(schema: z.ZodType, value: unknown, tag: FieldTag): JsonValue | undefined {
  const field = fieldOf(schema)
  if (value === undefined || field.tag === tag) return undefined
  if (field.tag) return value as JsonValue
  const item = itemsOf(field.core)
  if (item && Array.isArray(value)) return value.map((entry) => without(item, entry, tag) ?? {})
  const mapping = mappingsOf(field.core, value)[0]
  if (!mapping || !isMapping(value)) return value as JsonValue
  const left = Object.entries(shapeOf(mapping)).flatMap(([key, child]) => {
    const part = without(child, value[key], tag)
    return part === undefined ? [] : [[key, part] as const]
  })
  return left.length > 0 ? Object.fromEntries(left) : undefined
}
