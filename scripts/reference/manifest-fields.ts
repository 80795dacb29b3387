import type { z } from 'zod'

/** The part of a JSON Schema that the manifest's is made of. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** One key of the manifest, as a row tells it. */
export interface ManifestField {
  /** `client.connection.headers`, `workload[].name` */
  path: string
  type: string
  /** By the end of its name; empty where it is a word or a number of its own. */
  unit: string
  /** As JSON; null where it has none. */
  default: string | null
  isRequired: boolean
  /** `experiment`, `subject`, `operation` or `note`. */
  tag: string
  meaning: string
}

/** Every key with a tag below a schema, in the schema's own order. Throws where a key has none, for then nobody would say what it is. */
export function manifestFields(schema: JsonSchema, path = '', kinds: readonly string[] = []): ManifestField[] {
  if (tagOf(schema) !== null) throw new Error(`${path} is a key by itself`)
  if (isSchema(schema.items)) return manifestFields(schema.items, `${path}[]`, kinds)
  const variants = schema.oneOf?.filter(isSchema)
  if (variants !== undefined) return variantFields(variants, path)
  if (schema.properties === undefined) throw new Error(`${path} has neither a tag nor keys`)
  return Object.entries(schema.properties).flatMap(([name, child]) =>
    isSchema(child) ? keyFields(child, { path: join(path, name), isRequired: asks(schema, name), kinds }) : [],
  )
}

interface Place {
  path: string
  isRequired: boolean
  /** The variants that have the key; empty where all have it. */
  kinds: readonly string[]
}

function keyFields(schema: JsonSchema, { path, isRequired, kinds }: Place): ManifestField[] {
  const tag = tagOf(schema)
  if (tag === null) return manifestFields(schema, path, kinds)
  const only = kinds.length === 0 ? '' : `Of kind ${kinds.map((kind) => `\`${kind}\``).join(' and ')}. `
  const unit = isNumeric(schema) ? unitOf(path) : ''
  const value = schema.default === undefined ? null : JSON.stringify(schema.default)
  const meaning = `${only}${schema.description ?? ''}`
  return [
    { path, type: typeText(schema), unit, default: value, isRequired: isRequired && value === null, tag, meaning },
  ]
}

/** The keys of a section that has several forms, told apart by `kind`: what every form has is told once. */
function variantFields(variants: readonly JsonSchema[], path: string): ManifestField[] {
  const kindOf = (variant: JsonSchema) => String(kindSchema(variant).const)
  const kinds = variants.map((variant) => `\`${kindOf(variant)}\`: ${kindSchema(variant).description ?? ''}`)
  const kindField: ManifestField = {
    path: join(path, 'kind'),
    type: variants.map((variant) => `\`${kindOf(variant)}\``).join(', '),
    unit: '',
    default: null,
    isRequired: true,
    tag: tagOf(kindSchema(variants[0] ?? {})) ?? '',
    meaning: kinds.join(' '),
  }
  const names = new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))
  names.delete('kind')
  const fields = [...names].flatMap((name) => {
    const having = variants.filter(({ properties = {} }) => Object.hasOwn(properties, name))
    const [first] = having
    const child = first?.properties?.[name]
    if (first === undefined || !isSchema(child)) return []
    const told = having.length === variants.length ? [] : having.map(kindOf)
    return keyFields(child, { path: join(path, name), isRequired: asks(first, name), kinds: told })
  })
  return [kindField, ...fields]
}

function kindSchema({ properties }: JsonSchema): JsonSchema {
  const kind = properties?.['kind']
  if (!isSchema(kind)) throw new Error('a form has no kind')
  return kind
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asks({ required = [] }: JsonSchema, name: string): boolean {
  return required.includes(name)
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function tagOf(schema: JsonSchema): string | null {
  const tag: unknown = schema['x-tag']
  return typeof tag === 'string' ? tag : null
}

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/_seconds$/, 's'],
  [/_ms$/, 'ms'],
  [/_rps$/, 'requests/s'],
  [/(^|_)tokens$|_len$/, 'tokens'],
  [/_gib$/, 'GiB'],
  [/_mib$/, 'MiB'],
]

function unitOf(path: string): string {
  const name = path.split('.').at(-1) ?? ''
  return UNITS.find(([end]) => end.test(name))?.[1] ?? ''
}

function isNumeric({ type, items }: JsonSchema): boolean {
  return type === 'number' || type === 'integer' || (isSchema(items) && isNumeric(items))
}

/** What may stand there, in words. */
function typeText(schema: JsonSchema): string {
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(isSchema)
  if (forms.length > 0) return forms.map(typeText).join(' or ')
  if (schema.const !== undefined) return `\`${String(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  switch (schema.type) {
    case 'string':
      return schema.format === 'uri' ? 'URL' : 'text'
    case 'integer':
      return `whole number${boundsText(schema)}`
    case 'number':
      return `number${boundsText(schema)}`
    case 'boolean':
      return '`true`, `false`'
    case 'array':
      return arrayText(schema)
    case 'object':
      return objectText(schema)
    default:
      throw new Error(`a type that has no words: ${JSON.stringify(schema.type)}`)
  }
}

function arrayText({ items, prefixItems }: JsonSchema): string {
  if (prefixItems !== undefined) return `[${prefixItems.filter(isSchema).map(typeText).join(', ')}]`
  return isSchema(items) ? `list of ${typeText(items)}` : 'list'
}

/** More keys than these have a page of their own. */
const SHOWN_KEYS = 6

function objectText({ properties, additionalProperties }: JsonSchema): string {
  const names = Object.keys(properties ?? {})
  if (names.length > SHOWN_KEYS) return 'section'
  if (names.length > 0) return `section of ${names.map((name) => `\`${name}\``).join(', ')}`
  return isSchema(additionalProperties) ? `name → ${typeText(additionalProperties)}` : 'section'
}

/** JSON Schema's largest integer says nothing to a reader. */
function boundsText({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: JsonSchema): string {
  const low = minimum === undefined ? (exclusiveMinimum === undefined ? '' : ` > ${exclusiveMinimum}`) : ` ≥ ${minimum}`
  const top = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? null : ` ≤ ${maximum}`
  const high = top ?? (exclusiveMaximum === undefined ? '' : ` < ${exclusiveMaximum}`)
  return [low, high].filter((bound) => bound !== '').join(',')
}
