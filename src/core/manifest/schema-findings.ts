import { z } from 'zod'
import type { JsonValue } from '../kernel/canonical.ts'
import { showNumber, showPath, showValue, type Breach, type Path, type RuleText } from './finding.ts'
import { fieldOf, isMapping, itemsOf, mappingsOf, shapeOf, type Field } from './schema-walk.ts'
import { SCHEMA_RULES } from './schema-rules-table.ts'
import { manifestSchema } from './schema.ts'
import { nearest, unknownKeys, withoutMisspelt } from './unknown-keys.ts'

export interface SchemaBreach extends Breach {
  rule: RuleText
  /** Of a key that is not known: the path of the one that was meant. */
  meant?: Path
}

type Issue = z.core.$ZodIssue
type RangeIssue = Issue & { code: 'too_small' | 'too_big' }

/** Fields complained about at most. */
const MOST_ISSUES = 100

/** A document, how its scalars stand in the file, and what it is held to. */
interface Judged {
  root: JsonValue
  written: (path: Path) => string | null
  schema: z.ZodType
}

/** What a schema has against a document, in our own sentences. `written` gives a scalar as it stands in the file. */
export function schemaBreaches(
  value: JsonValue,
  written: (path: Path) => string | null,
  schema: z.ZodType = manifestSchema,
): SchemaBreach[] {
  const parsed = schema.safeParse(value)
  if (parsed.success) return []
  const { issues } = parsed.error
  const judged = { root: value, written, schema }
  const told = withoutMisspelt(issues.slice(0, MOST_ISSUES).flatMap((issue) => breachesOf(issue, judged)))
  if (issues.length <= MOST_ISSUES) return told
  const more = `${showNumber(issues.length - MOST_ISSUES)} more fields are wrong`
  return [...told, { rule: SCHEMA_RULES.type, path: [], message: more }]
}

function breachesOf(issue: Issue, judged: Judged): SchemaBreach[] {
  const { root, written, schema } = judged
  const path = issue.path.filter((part) => typeof part !== 'symbol')
  const value = valueAt(root, path)
  if (issue.code === 'unrecognized_keys') {
    return unknownKeys({ path, keys: issue.keys, known: knownKeys(path, judged), mapping: value, schema })
  }
  const field = fieldAt(path, root, schema)
  if (value === undefined) return [missing(path, field)]
  if (issue.code === 'invalid_type') return [wrongType(path, value, issue.expected, written(path))]
  if (issue.code === 'too_small' || issue.code === 'too_big') return [outOfRange(path, value, issue, field)]
  if (issue.code === 'invalid_value') return [notAChoice(path, value, issue.values.map(String))]
  if (issue.code === 'invalid_union') {
    const meant = isMapping(value) || Array.isArray(value) ? issuesOfForm(issue) : []
    if (meant.length === 0) return [noOption(path, value, field)]
    return meant.flatMap((one) => breachesOf({ ...one, path: [...issue.path, ...one.path] }, judged))
  }
  if (issue.code === 'invalid_key') {
    return [wrongKey(path)]
  }
  return [wrongFormat(path, value, field)]
}

/** A key of a mapping whose keys are names of the user's own. */
function wrongKey(path: Path): SchemaBreach {
  const isHeader = path.at(-2) === 'headers'
  const what = isHeader ? 'a header' : 'an environment variable'
  const hint = isHeader
    ? "Use letters, digits and !#$%&'*+.^_`|~- alone."
    : 'Use letters, digits and `_`, no digit first.'
  return {
    rule: SCHEMA_RULES.format,
    path,
    at: 'key',
    message: `${showValue(path.at(-1))} is no name of ${what}`,
    hint,
  }
}

/** What the one form of a union that is a mapping, or a list, has against a value of its kind. */
function issuesOfForm(issue: Issue & { code: 'invalid_union' }): readonly Issue[] {
  const ofForms = issue.errors.filter((errors) =>
    errors.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'),
  )
  return ofForms.length === 1 ? (ofForms[0] ?? []) : []
}

export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return value[Number(part)]
    return isMapping(value) && Object.hasOwn(value, part) ? value[String(part)] : undefined
  }, root)
}

/** The schema's field at a path of a document; null where the schema has none. */
export function fieldAt(path: Path, root: unknown, schema: z.ZodType = manifestSchema): Field | null {
  let field: Field = fieldOf(schema)
  for (const [depth, part] of path.entries()) {
    const item = itemsOf(field.core)
    const here = valueAt(root, path.slice(0, depth))
    const shapes = mappingsOf(field.core, here).length > 0 ? mappingsOf(field.core, here) : mappingsOf(field.core)
    const child = item ?? shapes.map((mapping) => ownField(mapping, String(part))).find((found) => found !== undefined)
    // Below a tagged field (a record, a list of texts) everything carries its tag.
    if (!child) return field.tag && shapes.length === 0 ? { ...field, description: null } : null
    const next = fieldOf(child)
    field = { ...next, tag: next.tag ?? field.tag }
  }
  return field
}

/** Keys such as `toString` are every object's, and no field. */
function ownField(mapping: z.ZodObject, key: string): z.ZodType | undefined {
  const shape = shapeOf(mapping)
  return Object.hasOwn(shape, key) ? shape[key] : undefined
}

function missing(path: Path, field: Field | null): SchemaBreach {
  const name = String(path.at(-1) ?? '')
  const meaning = field?.description ? `: ${field.description}` : '.'
  return {
    rule: SCHEMA_RULES.missing,
    path,
    message: `\`${showPath(path)}\` is missing`,
    hint: `State \`${name}\`${meaning}`,
  }
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
  tuple: 'a list of two numbers',
}

function wrongType(path: Path, value: unknown, expected: string, written: string | null): SchemaBreach {
  const wanted = WORDS[expected] ?? expected
  const message = `\`${showPath(path)}\` is ${showType(value)} where ${wanted} is expected`
  return { rule: SCHEMA_RULES.type, path, message, hint: typeHint(value, expected, written) }
}

function typeHint(value: unknown, expected: string, written: string | null): string {
  if (expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
    return `Quote it: ${showValue(written ?? String(value))}. Unquoted, YAML reads a ${typeof value}.`
  }
  if (value === null) return 'Write a value after the colon, or remove the key.'
  const isNumber = expected === 'number' || expected === 'int'
  if (isNumber && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) {
    return `Remove the quotes: ${value.trim()}.`
  }
  if (expected === 'boolean') return 'Write true or false: yes, no, on and off are text.'
  return `Write ${WORDS[expected] ?? expected}.`
}

function showType(value: unknown): string {
  if (value === null) return 'empty'
  if (typeof value === 'string') return `the text ${showValue(value)}`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return showValue(value)
}

function outOfRange(path: Path, value: unknown, issue: RangeIssue, field: Field | null): SchemaBreach {
  const meaning = field?.description
  const isSmall = issue.code === 'too_small'
  const limit = Number(isSmall ? issue.minimum : issue.maximum)
  const name = `\`${showPath(path)}\``
  if (issue.origin === 'string') {
    const message = isSmall ? `${name} is empty` : `${name} has more than ${showNumber(limit)} characters`
    return { rule: SCHEMA_RULES.range, path, message, hint: isSmall ? 'Write a value.' : 'Shorten it.' }
  }
  if (issue.origin === 'array' && Array.isArray(value)) {
    const message = `${name} has ${value.length} entries; ${isSmall ? 'at least' : 'at most'} ${limit} are expected`
    return { rule: SCHEMA_RULES.range, path, message, ...(meaning ? { hint: `It is: ${meaning}` } : {}) }
  }
  const bound = isSmall ? (issue.inclusive ? 'at least' : 'more than') : issue.inclusive ? 'at most' : 'less than'
  const message = `${name} is ${showValue(value)}; it must be ${bound} ${showNumber(limit)}`
  const looksLikePercent = !isSmall && limit === 1 && typeof value === 'number' && value <= 100
  const hint = looksLikePercent
    ? `Shares lie between 0 and 1: ${value} % is ${value / 100}.`
    : `Write ${bound} ${showNumber(limit)}.`
  return { rule: SCHEMA_RULES.range, path, message, hint }
}

function notAChoice(path: Path, value: unknown, choices: readonly string[]): SchemaBreach {
  const message = `\`${showPath(path)}\` is ${showType(value)}; allowed: ${choices.join(', ')}`
  const near = typeof value === 'string' ? nearest(value, choices) : null
  const hint = near
    ? `Did you mean ${near}?`
    : `Write ${choices.length === 1 ? choices[0] : `one of ${choices.join(', ')}`}.`
  return { rule: SCHEMA_RULES.choice, path, message, hint }
}

function noOption(path: Path, value: unknown, field: Field | null): SchemaBreach {
  if (path.at(-1) === 'kind') {
    const parent = fieldAt(path.slice(0, -1), {})
    const kinds = parent ? mappingsOf(parent.core).flatMap((mapping) => literalsOf(shapeOf(mapping)['kind'])) : []
    return notAChoice(path, value, kinds)
  }
  const meaning = field?.description ?? 'See the manifest schema.'
  return {
    rule: SCHEMA_RULES.type,
    path,
    message: `\`${showPath(path)}\` is ${showType(value)}, in none of the forms that it may have`,
    hint: meaning,
  }
}

function literalsOf(schema: z.ZodType | undefined): string[] {
  const core = schema ? fieldOf(schema).core : undefined
  return core instanceof z.ZodLiteral ? [...core.values].map(String) : []
}

function wrongFormat(path: Path, value: unknown, field: Field | null): SchemaBreach {
  const meaning = field?.description ?? ''
  const message = `\`${showPath(path)}\` is ${showType(value)}, which has the wrong form`
  return {
    rule: SCHEMA_RULES.format,
    path,
    message,
    hint: meaning === '' ? SCHEMA_RULES.format.mend : `It is: ${meaning}`,
  }
}

function knownKeys(path: Path, { root, schema }: Judged): string[] {
  const field = fieldAt(path, root, schema)
  if (!field) return []
  const here = mappingsOf(field.core, valueAt(root, path))
  const mappings = here.length > 0 ? here : mappingsOf(field.core)
  return [...new Set(mappings.flatMap((mapping) => Object.keys(shapeOf(mapping))))]
}
