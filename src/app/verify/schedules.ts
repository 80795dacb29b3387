import { GateError } from '../../core/kernel/errors.ts'
import { sha256Hex } from '../../core/kernel/hash.ts'
import type { Cache } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { buildSchedule, scheduleHeader } from '../../core/schedule/build-schedule.ts'
import { parseSchedule } from '../../core/schedule/parse-schedule.ts'
import { freezeSchedule } from '../../core/schedule/schedule-bytes.ts'
import type { Schedule, ScheduleHeader } from '../../core/schedule/schedule.ts'
import type { Pack } from '../ports/pack.ts'
import type { Sources } from '../ports/sources.ts'
import { type ReadSources, readSources } from '../read-sources.ts'
import { schedulePath } from '../run/schedules.ts'
import type { Discrepancy } from './discrepancy.ts'

export interface SchedulesChecked {
  /** Of the states that the pack has a schedule of: built again from the manifest or, where that cannot be done, as stored. */
  schedules: Map<Cache, Schedule>
  discrepancies: Discrepancy[]
  /** What is neither proven nor refuted: a schedule that was made of a file which is not at hand. */
  unverified: Discrepancy[]
}

/**
 * Builds the pack's schedules again and compares the bytes. One that is made of a trace or a dataset needs that file, which a pack does not
 * hold: without it only the stored schedule's header is compared, and the rest is said to be unverified.
 */
export async function checkSchedules(
  pack: Pack,
  manifest: Manifest,
  paths: readonly string[],
  sources: Sources | null,
): Promise<SchedulesChecked> {
  const checked: SchedulesChecked = { schedules: new Map(), discrepancies: [], unverified: [] }
  const caches = (['cold', 'warm'] as const).filter((cache) => paths.includes(schedulePath(cache)))
  if (caches.length === 0) return checked
  const read = await sourcesAtHand(manifest, sources)
  for (const cache of caches) {
    const bytes = await pack.readGzip(schedulePath(cache)).catch(() => null)
    if (typeof read === 'string') checkStored({ manifest, cache, bytes, missing: read }, checked)
    else checkBuilt({ manifest, cache, bytes, read }, checked)
  }
  return checked
}

/** What the manifest names, or why it is not at hand. */
async function sourcesAtHand(manifest: Manifest, sources: Sources | null): Promise<ReadSources | string> {
  const { arrival_pattern: pattern, trace, dataset } = manifest.client
  const files = [...(pattern === 'trace' && trace ? [trace.file] : []), ...(dataset ? [dataset.file] : [])]
  if (files.length === 0) return {}
  if (sources === null) return `${files.join(' and ')} ${files.length === 1 ? 'is' : 'are'} not at hand`
  try {
    return await readSources(sources, manifest)
  } catch (error) {
    if (error instanceof GateError) return error.message
    throw error
  }
}

interface StateCheck {
  manifest: Manifest
  cache: Cache
  bytes: Uint8Array | null
}

function wrong({ cache }: StateCheck): Discrepancy {
  return { code: 'schedule', path: schedulePath(cache), text: 'is not the schedule of the manifest' }
}

function checkBuilt(check: StateCheck & { read: ReadSources }, { schedules, discrepancies }: SchedulesChecked): void {
  const { manifest, cache, bytes, read } = check
  try {
    const built = buildSchedule(manifest, cache, read)
    schedules.set(cache, built.schedule)
    if (bytes === null || sha256Hex(bytes) !== built.schedule.sha256) discrepancies.push(wrong(check))
  } catch (error) {
    if (!(error instanceof GateError)) throw error
    discrepancies.push({ ...wrong(check), text: `cannot be built from the manifest: ${error.message}` })
  }
}

function checkStored(check: StateCheck & { missing: string }, checked: SchedulesChecked): void {
  const { manifest, cache, bytes, missing } = check
  try {
    const stored = parseSchedule(bytes ?? new Uint8Array())
    const texts = stored.header.dataset?.texts
    const header = scheduleHeader(manifest, cache, texts === undefined ? {} : { texts })
    const digestOf = (line: ScheduleHeader) => freezeSchedule(line, []).schedule.sha256
    if (digestOf(header) !== digestOf(stored.header)) checked.discrepancies.push(wrong(check))
    checked.schedules.set(cache, stored)
    const text = `was not built again, and is taken as it stands: ${missing}`
    checked.unverified.push({ code: 'schedule', path: schedulePath(cache), text })
  } catch (error) {
    if (!(error instanceof GateError)) throw error
    checked.discrepancies.push({ ...wrong(check), text: error.message })
  }
}
