import { z } from 'zod'
import type { HistoryPoint } from './point.ts'

/** Runs of one day that a compaction puts into one line at most; a day with more stays as it is. */
export const MERGED_MAX = 500

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), 'holds half a character')
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const milliRps = z.int().min(1)
const share = z.number().min(0).max(1)

/** A time as this tool writes it, that is one: UTC, to the second or finer. */
const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/)
  .refine((value) => !Number.isNaN(Date.parse(value)), 'is no time')

/** A line of the history as it comes back from disk or from a branch that others write to. */
export const historyPointSchema = z.strictObject({
  schema: z.literal(1),
  at: time,
  run: sha256,
  series: text(200).min(1),
  kind: z.enum(['measured', 'simulated']),
  cache: z.enum(['cold', 'warm']),
  experiment: sha256,
  hardware: sha256,
  machine: text(400),
  subject: z.strictObject({ sha256, name: text(200), version: text(200), image: text(400).nullable() }),
  commit: text(100).nullable().default(null),
  plan: z.enum(['sweep', 'confirm']),
  outcome: z.enum(['held', 'improved', 'regressed', 'inconclusive', 'invalid', 'recorded']),
  reason: text(100).nullable(),
  capacityMilliRps: milliRps.nullable(),
  failMilliRps: milliRps.nullable(),
  perReplicaRps: z.number().min(0).nullable(),
  baselineMilliRps: milliRps.nullable(),
  guardMilliRps: milliRps.nullable(),
  attainmentAtGuard: share.nullable(),
  attainmentSpread: z.tuple([share, share]).nullable(),
  bootSpread: z.number().min(0).nullable(),
  limiting: z
    .strictObject({ class: text(200), metric: z.enum(['ttft', 'tpot', 'e2e', 'errors', 'queue', 'samples']) })
    .nullable(),
  toleranceShare: share,
  runUrl: text(600).nullable(),
  toolVersion: text(100),
  merged: z
    .strictObject({ points: z.int().min(0), notCounted: z.int().min(0), runs: z.array(sha256).min(1).max(MERGED_MAX) })
    .nullable(),
}) satisfies z.ZodType<HistoryPoint>
