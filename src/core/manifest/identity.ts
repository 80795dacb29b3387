import type { z } from 'zod'
import { canonicalJson, canonicalSha256, type JsonValue } from '../kernel/canonical.ts'
import { showPath, type Path } from './finding.ts'
import { fieldOf, isMapping, itemsOf, mappingsOf, shapeOf } from './schema-walk.ts'
import { manifestSchema, type FieldTag, type Manifest } from './schema.ts'

export interface Identity {
  sha256: string
  /** What was hashed: the fields of one tag, defaults filled in. */
  value: JsonValue
}

/**
 * The two identities of a manifest as parsed: SHA-256 of the RFC 8785 form of its experiment fields, and of its subject fields. Comments,
 * the order of keys, operation and note fields change neither. The order of a list counts, that of `workload` too: the schedule's bytes
 * are drawn in it.
 */
export function identify(manifest: Manifest): { experiment: Identity; subject: Identity } {
  return { experiment: identityOf(manifest, 'experiment'), subject: identityOf(manifest, 'subject') }
}

function identityOf(manifest: Manifest, tag: FieldTag): Identity {
  const value = pick(manifestSchema, manifest, tag) ?? {}
  return { sha256: canonicalSha256(value), value }
}

/** The part of a value whose fields carry the tag; undefined where nothing does. */
function pick(schema: z.ZodType, value: unknown, tag: FieldTag): JsonValue | undefined {
  if (value === undefined) return undefined
  const field = fieldOf(schema)
  if (field.tag) return field.tag === tag ? (value as JsonValue) : undefined
  const item = itemsOf(field.core)
  if (item && Array.isArray(value)) {
    const parts = value.map((entry) => pick(item, entry, tag))
    return parts.some((part) => part !== undefined) ? parts.map((part) => part ?? {}) : undefined
  }
  const mapping = mappingsOf(field.core, value)[0]
  if (!mapping || !isMapping(value)) return undefined
  const picked = Object.entries(shapeOf(mapping)).flatMap(([key, child]) => {
    const part = pick(child, value[key], tag)
    return part === undefined ? [] : [[key, part] as const]
  })
  return picked.length > 0 ? Object.fromEntries(picked) : undefined
}

export interface FieldDifference {
  /** `workload[2].mix` */
  path: string
  /** Undefined where the field is missing. */
  base: JsonValue | undefined
  now: JsonValue | undefined
}

/** The leaves in which two values differ, in the order of their paths. */
export function differingFields(a: JsonValue, b: JsonValue): FieldDifference[] {
  return differences(a, b, [])
}

function differences(base: JsonValue | undefined, now: JsonValue | undefined, path: Path): FieldDifference[] {
  if (isMapping(base) && isMapping(now)) {
    const keys = [...new Set([...Object.keys(base), ...Object.keys(now)])].toSorted()
    return keys.flatMap((key) => differences(own(base, key), own(now, key), [...path, key]))
  }
  if (Array.isArray(base) && Array.isArray(now)) {
    const longest = Math.max(base.length, now.length)
    return Array.from({ length: longest }, (_, index) => differences(base[index], now[index], [...path, index])).flat()
  }
  if (base === undefined && now === undefined) return []
  const isEqual = base !== undefined && now !== undefined && canonicalJson(base) === canonicalJson(now)
  return isEqual ? [] : [{ path: showPath(path), base, now }]
}

function own(mapping: Readonly<Record<string, unknown>>, key: string): JsonValue | undefined {
  return Object.hasOwn(mapping, key) ? (mapping[key] as JsonValue) : undefined
}

/** What baselines, comments and history are kept under: `gate.id` or `model.id` in lower-case letters, digits and hyphens. */
export function gateId(manifest: Manifest): string {
  const slug = (manifest.gate?.id ?? manifest.model.id)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '')
  return slug === '' ? 'gate' : slug
}
