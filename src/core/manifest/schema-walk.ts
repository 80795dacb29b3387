import { z } from 'zod'
import { manifestSchema, type FieldTag } from './schema.ts'

/** A schema without its optional, default and prefault wrappings, and what the wrappings say of the field. */
export interface Field {
  core: z.ZodType
  tag: FieldTag | null
  description: string | null
  isOptional: boolean
}

const TAGS: readonly unknown[] = ['subject', 'experiment', 'operation', 'note'] satisfies FieldTag[]

export function fieldOf(schema: z.ZodType): Field {
  const field: Field = { core: schema, tag: null, description: null, isOptional: false }
  for (;;) {
    const meta = field.core.meta()
    if (TAGS.includes(meta?.tag)) field.tag ??= meta?.tag as FieldTag
    field.description ??= meta?.description ?? null
    const { core } = field
    if (!(core instanceof z.ZodOptional || core instanceof z.ZodDefault || core instanceof z.ZodPrefault)) return field
    field.isOptional = true
    field.core = core.unwrap() as z.ZodType
  }
}

/** The mappings that a schema may be: itself, or of a union its mappings, by `kind` only those that a value's allows (all without one). */
export function mappingsOf(core: z.ZodType, value?: unknown): z.ZodObject[] {
  if (core instanceof z.ZodObject) return [core]
  if (!(core instanceof z.ZodDiscriminatedUnion)) return core instanceof z.ZodUnion ? mappingOptions(core) : []
  const options = core.options.filter((option) => option instanceof z.ZodObject)
  if (value === undefined) return options
  const { kind } = isMapping(value) ? value : {}
  return options.filter((option) => option.shape['kind']?.safeParse(kind).success)
}

/** Of a union that nothing discriminates: a text or a mapping. */
function mappingOptions(union: z.ZodUnion): z.ZodObject[] {
  return union.options.filter((option) => option instanceof z.ZodObject)
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a list's items are, where they are mappings. */
export function itemsOf(core: z.ZodType): z.ZodType | null {
  if (!(core instanceof z.ZodArray)) return null
  const item = core.element as z.ZodType
  return mappingsOf(item).length > 0 ? item : null
}

export function shapeOf(mapping: z.ZodObject): Readonly<Record<string, z.ZodType>> {
  return mapping.shape as Readonly<Record<string, z.ZodType>>
}

export interface Leaf {
  /** `workload[].mix` */
  path: string
  tag: FieldTag | null
  description: string | null
}

/** Every leaf of the manifest's schema, all options of its unions included. A tagged mapping is one leaf. */
export function schemaLeaves(schema: z.ZodType = manifestSchema, path = '', inherited: FieldTag | null = null): Leaf[] {
  const field = fieldOf(schema)
  const tag = field.tag ?? inherited
  const item = itemsOf(field.core)
  if (item && !field.tag) return schemaLeaves(item, `${path}[]`, tag)
  const mappings = field.tag ? [] : mappingsOf(field.core)
  if (mappings.length === 0) return [{ path, tag, description: field.description }]
  return mappings.flatMap((mapping) =>
    Object.entries(shapeOf(mapping)).flatMap(([key, child]) =>
      schemaLeaves(child, path === '' ? key : `${path}.${key}`, tag),
    ),
  )
}
