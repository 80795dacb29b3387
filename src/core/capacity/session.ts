import { z } from 'zod'
import { EXIT, GateError } from '../kernel/errors.ts'
import type { Cache } from '../kernel/point.ts'
import type { AcceptedFloor } from './accepted-floor.ts'
import { hostDifferences } from './host-change.ts'
import type { BootRecord } from './record.ts'

/** run.json: what a resumed run must find unchanged, and what it goes on from. Rewritten after each point. */
export interface Session {
  schema: 1
  plan: 'sweep' | 'confirm'
  caches: Cache[]
  startedAt: string
  experimentSha256: string
  subjectSha256: string
  schedules: Partial<Record<Cache, string>>
  mustEqual: Record<string, string>
  /** What else is recorded of the machine. */
  recorded: Record<string, string>
  baselineSha256: string | null
  anchorSha256: string | null
  /** By cache state, the floors of accepted losses that are measured where the guard rate is lost. */
  acceptedFloors?: Partial<Record<Cache, AcceptedFloor>>
  /** By cache state: the engines that were booted, and the seconds for which one stood. */
  states: Partial<Record<Cache, { boots: BootRecord[]; heldSeconds: number }>>
  /** Points by the plan's estimate, of both states; packs of earlier versions have none. */
  plannedPoints?: number | undefined
  /** Names of the judged points, in the order in which they were measured. */
  points: string[]
}

const cache = z.enum(['cold', 'warm'])
const bootSchema = z.strictObject({
  deployId: z.string(),
  seconds: z.number(),
  firstRequestMs: z.number(),
  compileCache: z.enum(['hit', 'miss', 'unknown']),
  kvTokens: z.number().nullable(),
})
const sessionSchema = z.strictObject({
  schema: z.literal(1),
  plan: z.enum(['sweep', 'confirm']),
  caches: z.array(cache),
  startedAt: z.string(),
  experimentSha256: z.string(),
  subjectSha256: z.string(),
  schedules: z.partialRecord(cache, z.string()),
  mustEqual: z.record(z.string(), z.string()),
  recorded: z.record(z.string(), z.string()),
  baselineSha256: z.string().nullable(),
  anchorSha256: z.string().nullable(),
  acceptedFloors: z
    .partialRecord(cache, z.strictObject({ guardMilliRps: z.int().min(1), floorMilliRps: z.int().min(1) }))
    .exactOptional(),
  states: z.partialRecord(cache, z.strictObject({ boots: z.array(bootSchema), heldSeconds: z.number() })),
  plannedPoints: z.int().min(0).max(100_000).optional(),
  points: z.array(z.string().regex(/^[a-z0-9-]+$/)),
})

/** Reads run.json back. Throws GateError `session_damaged` (exit 4). */
export function parseSession(text: string): Session {
  try {
    return sessionSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new GateError({
      code: 'session_damaged',
      message: 'run.json does not hold a run that can be resumed',
      hint: 'start anew with another --pack folder; the measured points of this one stay readable',
      exitCode: EXIT.invalid,
      cause,
    })
  }
}

/**
 * Throws GateError `resume_mismatch`, naming what changed, unless an interrupted run and this one measure the same thing on the same
 * machine.
 */
export function requireSameRun(earlier: Session, now: Session): void {
  const pairs: [string, unknown, unknown][] = [
    ['the plan', earlier.plan, now.plan],
    ['the cache states', earlier.caches, now.caches],
    ['the experiment', earlier.experimentSha256, now.experimentSha256],
    ['the subject', earlier.subjectSha256, now.subjectSha256],
    ['the schedules', earlier.schedules, now.schedules],
    ['the baseline', earlier.baselineSha256, now.baselineSha256],
    ['the anchor', earlier.anchorSha256, now.anchorSha256],
    ['the accepted losses', floorsText(earlier), floorsText(now)],
    ['the machine', earlier.mustEqual, now.mustEqual],
    ['the host', hostDifferences(now.recorded, earlier.recorded), []],
  ]
  const changed = pairs.filter(([, was, is]) => stable(was) !== stable(is)).map(([name]) => name)
  if (changed.length === 0) return
  throw new GateError({
    code: 'resume_mismatch',
    message: `the interrupted run cannot be resumed: ${changed.join(', ')} changed since`,
    hint: 'restore what changed, or start anew with another --pack folder',
    exitCode: EXIT.invalid,
  })
}

function floorsText({ acceptedFloors = {} }: Session): string {
  const { cold, warm } = acceptedFloors
  return [cold, warm].map((floor) => `${floor?.guardMilliRps} ${floor?.floorMilliRps}`).join()
}

function stable(value: unknown): string {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value)
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
