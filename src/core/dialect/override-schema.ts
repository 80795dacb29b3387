import { z } from 'zod'
import { METRIC_ROLES } from './dialect.ts'
import { ARGUMENT_CONDITIONS, MANIFEST_VALUES } from './owned-argument.ts'

/*
 * A dialect in a manifest: a base and what is different. A manifest is hostile input: paths stay below the engine's origin, names are
 * plain, and everything has its bound.
 */

const LONGEST = 200
const MOST = 64

/** Below the origin: no other host, no way up, no fragment, nothing that would end a request line. */
const path = z
  .string()
  .max(LONGEST)
  .regex(/^\/(?!\/)[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*$/)
  .refine((text) => !text.split(/[/?]/).includes('..'))
const fieldName = z.string().regex(/^(?!__)[A-Za-z_][A-Za-z0-9_]{0,63}$/)
const fieldPath = z.string().regex(/^(?!__)[A-Za-z_][A-Za-z0-9_]{0,63}(?:\.(?!__)[A-Za-z_][A-Za-z0-9_]{0,63}){0,7}$/)
const metricName = z.string().regex(/^[A-Za-z_:][A-Za-z0-9_:.]{0,199}$/)
const metricNames = z.array(metricName).min(1).max(MOST)
const labels = z.record(fieldName, z.string().max(LONGEST))
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}\*?$/)
const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/)
const plainText = z.string().regex(/^[\x20-\x7e]{1,200}$/)
const status = z.int().min(200).max(599)

/** What the client itself says in every request; a field of that name would replace it. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'messages',
  'stream',
  'stream_options',
  'temperature',
  'stop',
])
const requestField = fieldName.refine((name) => !OWN_FIELDS.has(name))

const metricSource = z.strictObject({
  names: metricNames,
  kind: z.enum(['gauge', 'counter']).optional(),
  unit: z.enum(['requests', 'share', 'tokens', 'blocks', 'events']).optional(),
  across: z.enum(['sum', 'max']).optional(),
  plus: metricNames.optional(),
})

const resetReading = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('field'),
    field: fieldName,
    empty_body: z.enum(['unknown', 'done']).default('unknown'),
  }),
  z.strictObject({
    by: z.literal('status'),
    done: z.array(status).min(1).max(MOST),
    refused: z.array(status).max(MOST).default([]),
  }),
  z.strictObject({ by: z.literal('workers'), cleared: fieldName, failed: fieldName }),
])

const argumentName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/)

const argumentValue = z.union([
  z.strictObject({ text: plainText }),
  z.strictObject({ flag: z.literal(true) }),
  z.strictObject({
    of: z.enum(MANIFEST_VALUES),
    words: z.record(z.string().max(LONGEST), plainText).optional(),
    except: z.array(z.string().max(LONGEST)).max(MOST).optional(),
  }),
  z.strictObject({ positional: z.enum(MANIFEST_VALUES) }),
  z.strictObject({
    prefix_cache: z.strictObject({ enabled: z.boolean().nullable(), disabled: z.boolean().nullable() }),
  }),
])

const ownedArgument = z.strictObject({
  long: argumentName,
  aliases: z
    .array(z.string().regex(/^-?[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/))
    .max(MOST)
    .default([]),
  takes_value: z.boolean().default(true),
  owner: z.string().regex(/^(?:the gate|[a-z_]+(?:\.[a-z_]+)*)$/),
  value: argumentValue.nullable().default(null),
  left_to_subject: z.enum(ARGUMENT_CONDITIONS).nullable().default(null),
})

const stabilityCounter = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  names: metricNames,
  labels: labels.default({}),
  on_rise: z.enum(['fail', 'record']).default('record'),
  title: plainText,
})

const cacheTier = z.strictObject({
  title: plainText,
  arguments: z.array(argumentName).max(MOST).default([]),
  environment: z.array(variable).max(MOST).default([]),
  cleared_by: z.enum(['reset', 'restart', 'nothing']),
})

const roles = Object.fromEntries(
  METRIC_ROLES.map((role) => [snake(role), metricSource.nullable().optional()]),
) as Record<SnakeRole, z.ZodOptional<z.ZodNullable<typeof metricSource>>>

/** The manifest's names of the metric roles. */
type SnakeRole =
  | 'running'
  | 'waiting'
  | 'kv_usage'
  | 'prefix_queries'
  | 'prefix_hits'
  | 'prompt_tokens'
  | 'prompt_tokens_cached'
  | 'generation_tokens'
  | 'preemptions'

/** `kvUsage` → `kv_usage` */
export function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** `engine.dialect` as a mapping. What is left out is the base's; null: the engine does not have it. */
export const dialectOverrideSchema = z.strictObject({
  base: plainText,
  title: plainText.optional(),
  paths: z
    .strictObject({
      models: path.optional(),
      metrics: path.nullable().optional(),
      completions: path.optional(),
      chat: path.optional(),
    })
    .optional(),
  health: z
    .strictObject({
      path,
      field: fieldPath.nullable().default(null),
      healthy: z.array(plainText).max(MOST).default([]),
    })
    .optional(),
  version: z
    .array(z.strictObject({ path, field: fieldPath }))
    .max(8)
    .optional(),
  reset: z
    .strictObject({
      method: z.enum(['POST', 'GET']).default('POST'),
      paths: z.array(path).min(1).max(8),
      reading: resetReading,
    })
    .nullable()
    .optional(),
  cache_tiers: z
    .strictObject({
      known: z.array(cacheTier).max(MOST).default([]),
      is_seen: z.boolean().default(true),
      hits: z
        .strictObject({ names: metricNames, except: z.record(fieldName, z.array(z.string().max(LONGEST))).default({}) })
        .nullable()
        .default(null),
    })
    .optional(),
  // One that carries an id, and none with a meaning of its own.
  request_id_header: z
    .string()
    .regex(/^[A-Za-z0-9-]{0,90}id$/i)
    .nullable()
    .optional(),
  connection: z
    .strictObject({
      closes_after_ms: z.int().min(100).max(3_600_000).optional(),
      environment_seconds: variableName.nullable().optional(),
    })
    .optional(),
  request: z
    .strictObject({
      prompt_token_ids: z.boolean().optional(),
      max_tokens: requestField.optional(),
      chat_max_tokens: requestField.optional(),
      min_tokens: requestField.nullable().optional(),
      ignore_eos: requestField.nullable().optional(),
      return_token_ids: requestField.nullable().optional(),
      include_usage: requestField.nullable().optional(),
      continuous_usage: requestField.nullable().optional(),
      cache_salt: requestField.nullable().optional(),
      seed: requestField.nullable().optional(),
    })
    .optional(),
  precisions: z.record(z.string().max(LONGEST), plainText).optional(),
  arguments: z
    .strictObject({
      remove: z.array(argumentName).max(MOST).default([]),
      add: z.array(ownedArgument).max(MOST).default([]),
    })
    .optional(),
  environment: z.record(variableName, plainText).optional(),
  owned_environment: z.record(variable, plainText).optional(),
  metrics: z
    .strictObject({
      ...roles,
      cache_config: z
        .strictObject({
          name: metricName,
          block_tokens: fieldName,
          blocks: fieldName,
          tokens: fieldName.nullable().default(null),
        })
        .nullable()
        .optional(),
    })
    .nullable()
    .optional(),
  stability: z.array(stabilityCounter).max(MOST).optional(),
  stop: z.strictObject({ signal: z.enum(['SIGTERM', 'SIGINT']) }).optional(),
})

export type DialectOverride = z.output<typeof dialectOverrideSchema>
