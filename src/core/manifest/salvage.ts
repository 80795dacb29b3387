import { z } from 'zod'
import type { Manifest } from './schema.ts'
import { fieldOf, isMapping, itemsOf, mappingsOf, shapeOf } from './schema-walk.ts'

/** A manifest of which any part may be missing: what is well-formed of a document, defaults filled in. */
export type Draft<T = Manifest> = T extends readonly unknown[]
  ? T extends readonly (infer Item)[]
    ? Item extends Record<string, unknown>
      ? readonly (Draft<Item> | undefined)[]
      : T
    : T
  : T extends Record<string, unknown>
    ? string extends keyof T
      ? T
      : { readonly [Key in keyof T]?: Draft<T[Key]> | undefined }
    : T

/** Keeps every part of a value that its schema accepts, so that the rules can speak beside the schema's own complaints. */
export function salvage(schema: z.ZodType, value: unknown): unknown {
  const { core } = fieldOf(schema)
  if (value === undefined) return defaultOf(schema)
  const item = itemsOf(core)
  if (item) return Array.isArray(value) ? value.map((entry) => salvage(item, entry)) : undefined
  const mappings = mappingsOf(core, value)
  if (core instanceof z.ZodObject || core instanceof z.ZodDiscriminatedUnion) {
    const mapping = mappings[0]
    return mapping && isMapping(value) ? salvageFields(mapping, value) : undefined
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : undefined
}

function salvageFields(mapping: z.ZodObject, value: Readonly<Record<string, unknown>>): unknown {
  const fields = Object.entries(shapeOf(mapping)).flatMap(([key, schema]) => {
    const part = salvage(schema, Object.hasOwn(value, key) ? value[key] : undefined)
    return part === undefined ? [] : [[key, part] as const]
  })
  return Object.fromEntries(fields)
}

function defaultOf(schema: z.ZodType): unknown {
  const parsed = schema.safeParse(undefined)
  return parsed.success ? parsed.data : undefined
}
