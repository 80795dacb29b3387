import type { Cache } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { buildSchedule } from '../../core/schedule/build-schedule.ts'
import type { Schedule } from '../../core/schedule/schedule.ts'
import type { Pack } from '../ports/pack.ts'

export type Schedules = ReadonlyMap<Cache, Schedule>

export const schedulePath = (cache: Cache): string => `schedules/${cache}.jsonl.gz`

/** Freezes the schedule of each state into the pack. A function of the manifest alone: a resumed run writes the same bytes. */
export async function freezeSchedules(pack: Pack, manifest: Manifest, caches: readonly Cache[]): Promise<Schedules> {
  const schedules = new Map<Cache, Schedule>()
  for (const cache of caches) {
    const { schedule, bytes } = buildSchedule(manifest, cache)
    await pack.writeGzip(schedulePath(cache), bytes)
    schedules.set(cache, schedule)
  }
  return schedules
}

export function scheduleDigests(schedules: Schedules): Partial<Record<Cache, string>> {
  return Object.fromEntries([...schedules].map(([cache, schedule]) => [cache, schedule.sha256]))
}
