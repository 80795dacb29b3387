import { z } from 'zod'
import type { CapacityRecord } from '../capacity/record.ts'
import { EXIT, GateError } from '../kernel/errors.ts'
import type { Cache } from '../kernel/point.ts'
import { acceptedLossSchema } from './record-schema.ts'
import type { AcceptedLossFacts } from './verdict.ts'

/** One field of the experiment that a new baseline has otherwise than the one before it. */
export interface ExperimentChange {
  /** `acceptance.error_rate_max`, `workload.chat.request_ttft_cutoff_ms` */
  path: string
  /** As JSON; `nothing` where the field is missing. */
  from: string
  to: string
  /** Whether the change lets a slower engine pass. */
  loosens: boolean
}

/** A cache state whose new baseline carries less than the one before it, by more than the tolerance. */
export interface LoweredCapacity {
  cache: Cache
  fromMilliRps: number
  toMilliRps: number
}

/** Who accepted a record as baseline, when, by what right, from which run and why. Kept beside the record. */
export interface Promotion {
  /** ISO 8601. */
  acceptedAt: string
  /** The person or account that accepted it. */
  acceptedBy: string
  /** By what right: a job on the default branch, an environment that reviewers approved, or a person at a terminal. */
  authority: 'default_branch' | 'environment' | 'terminal'
  /** The branch, the environment, or the host. */
  place: string
  /** The environment's reviewers who approved it. */
  approvedBy: string[]
  /** The address of the workflow run; null at a terminal. */
  run: string | null
  reason: string
  toolVersion: string
  /** Accepted as the last release's too. */
  anchor: boolean
  /** It was said that another experiment is meant. */
  newExperiment: boolean
  experimentChanges: ExperimentChange[]
  /** Left out where it lowers nothing. */
  lowered?: LoweredCapacity[]
  /** The accepted losses under which the record's own verdict was held; left out where it was held without, or its verdict is not at hand. */
  acceptedLosses?: (AcceptedLossFacts & { cache: Cache })[]
}

/** A promotion as it is kept, with the record that it is about. */
export interface KeptPromotion extends Promotion {
  schema: 1
  record: {
    /** From the gate's own folder. */
    path: string
    /** Of the file's bytes. */
    sha256: string
    createdAt: string
    commit: string | null
    experimentSha256: string
    mustEqual: Record<string, string>
  }
}

const LINE_MAX = 10_000
const line = z.string().max(LINE_MAX)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const cache = z.enum(['cold', 'warm'])
const milliRps = z.int().min(1)
const loweredSchema = z.looseObject({ cache, fromMilliRps: milliRps, toMilliRps: milliRps })
const changeSchema = z.looseObject({ path: line, from: line, to: line, loosens: z.boolean() })

const keptPromotionSchema: z.ZodType<KeptPromotion> = z.looseObject({
  schema: z.literal(1),
  acceptedAt: line,
  acceptedBy: line,
  authority: z.enum(['default_branch', 'environment', 'terminal']),
  place: line,
  approvedBy: z.array(line).max(1000),
  run: line.nullable(),
  reason: line,
  toolVersion: line,
  anchor: z.boolean(),
  newExperiment: z.boolean(),
  experimentChanges: z.array(changeSchema).max(10_000),
  lowered: z.array(loweredSchema).max(2).exactOptional(),
  acceptedLosses: z
    .array(acceptedLossSchema.and(z.looseObject({ cache })))
    .max(2)
    .exactOptional(),
  record: z.looseObject({
    path: z.string().regex(/^records\/[0-9a-f-]{1,100}\/[0-9A-Za-z.-]{1,200}\.json$/),
    sha256,
    createdAt: line,
    commit: line.nullable(),
    experimentSha256: sha256,
    mustEqual: z.record(z.string().max(1000), line) satisfies z.ZodType<CapacityRecord['hardware']['mustEqual']>,
  }),
})

/**
 * Reads a kept promotion back: hostile input. Throws GateError, exit 4: `promotion_invalid`, or `promotion_newer` for one that a later
 * tool wrote.
 */
export function parseKeptPromotion(text: string, name: string): KeptPromotion {
  const value = jsonOf(text)
  const schema = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)['schema'] : null
  if (typeof schema === 'number' && schema > 1) {
    throw new GateError({
      code: 'promotion_newer',
      message: `${name} was written by a later version of the tool (schema ${schema})`,
      hint: 'update Capacity Gate',
      exitCode: EXIT.invalid,
    })
  }
  const parsed = keptPromotionSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new GateError({
    code: 'promotion_invalid',
    message: `${name} is no promotion${where === '' ? '' : `: ${where.slice(0, 200)} is not as expected`}`,
    hint: 'it was edited or cut: restore it, or remove it so that the one before it counts',
    exitCode: EXIT.invalid,
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
