import type { Cache } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { buildSchedule } from '../../core/schedule/build-schedule.ts'
import type { Schedule } from '../../core/schedule/schedule.ts'
import type { Pack } from '../ports/pack.ts'
import type { Sources } from '../ports/sources.ts'
import { readSources } from '../read-sources.ts'

export type Schedules = ReadonlyMap<Cache, Schedule>

interface BuiltSchedules {
  states: ReadonlyMap<Cache, ReturnType<typeof buildSchedule>>
  /** The dataset's, which rows name by index. */
  texts: readonly string[] | undefined
}

export const schedulePath = (cache: Cache): string => `schedules/${cache}.jsonl.gz`

/**
 * The schedule of each state: a function of the manifest, and of the files whose digests it holds, so that a resumed run builds the same
 * bytes.
 *
 * @throws GateError of `readSources` and `buildSchedule` (exit 4)
 */
export async function buildSchedules(
  manifest: Manifest,
  caches: readonly Cache[],
  sources: Sources,
): Promise<BuiltSchedules> {
  const read = await readSources(sources, manifest)
  return {
    states: new Map(caches.map((cache) => [cache, buildSchedule(manifest, cache, read)])),
    texts: read.dataset?.texts,
  }
}

/** Freezes the schedules into a pack that is this run's own. */
export async function freezeSchedules(pack: Pack, { states }: BuiltSchedules): Promise<void> {
  for (const [cache, { bytes }] of states) await pack.writeGzip(schedulePath(cache), bytes)
}

export function schedulesOf({ states }: BuiltSchedules): Schedules {
  return new Map([...states].map(([cache, { schedule }]) => [cache, schedule]))
}

export function scheduleDigests(schedules: Schedules): Partial<Record<Cache, string>> {
  return Object.fromEntries([...schedules].map(([cache, schedule]) => [cache, schedule.sha256]))
}
