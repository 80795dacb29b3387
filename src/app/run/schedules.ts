import type { Cache } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { buildSchedule } from '../../core/schedule/build-schedule.ts'
import type { Schedule } from '../../core/schedule/schedule.ts'
import type { Pack } from '../ports/pack.ts'

export type Schedules = ReadonlyMap<Cache, Schedule>

type BuiltSchedules = ReadonlyMap<Cache, ReturnType<typeof buildSchedule>>

export const schedulePath = (cache: Cache): string => `schedules/${cache}.jsonl.gz`

/** The schedule of each state: a function of the manifest alone, so that a resumed run builds the same bytes. */
export function buildSchedules(manifest: Manifest, caches: readonly Cache[]): BuiltSchedules {
  return new Map(caches.map((cache) => [cache, buildSchedule(manifest, cache)]))
}

/** Freezes the schedules into a pack that is this run's own. */
export async function freezeSchedules(pack: Pack, built: BuiltSchedules): Promise<void> {
  for (const [cache, { bytes }] of built) await pack.writeGzip(schedulePath(cache), bytes)
}

export function schedulesOf(built: BuiltSchedules): Schedules {
  return new Map([...built].map(([cache, { schedule }]) => [cache, schedule]))
}

export function scheduleDigests(schedules: Schedules): Partial<Record<Cache, string>> {
  return Object.fromEntries([...schedules].map(([cache, schedule]) => [cache, schedule.sha256]))
}
