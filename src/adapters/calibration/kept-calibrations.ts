import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalSha256 } from '../../core/kernel/canonical.ts'
import type { JsonValue } from '../../core/kernel/canonical.ts'
import type { Calibration, ClientIdentity } from '../../core/telemetry/calibration.ts'
import { isFresh, isSameClient } from '../../core/telemetry/calibration.ts'
import { covers } from '../../core/telemetry/calibration-evidence.ts'
import { parseCalibration } from '../../core/telemetry/calibration-file.ts'
import type { CalibrationNeed } from '../../core/telemetry/calibration-need.ts'
import { roundedNeed } from '../../core/telemetry/calibration-need.ts'
import { writeAtomically } from '../system/atomic-write.ts'
import { readBounded } from '../system/bounded-read.ts'
import { stateFolder } from '../system/state-folder.ts'

const DAY_MS = 86_400_000
const NAME = /^calibration-[0-9a-f]{32}\.json$/
const LARGEST = 4 * 1024 * 1024

/** Of this very client, for this need and less than a day old at `now` (ISO 8601). Whatever cannot be read counts as none. */
export async function keptCalibration(
  client: ClientIdentity,
  need: CalibrationNeed,
  now: string,
  parent?: string,
): Promise<Calibration | null> {
  try {
    const read = await readBounded(await pathOf(client, need, parent), LARGEST, 'refused')
    if ('tooLarge' in read) return null
    const kept = parseCalibration(new TextDecoder().decode(read.bytes))
    if (!kept.made || !covers(kept.need, need) || !isSameClient(kept.client, client)) return null
    return isFresh(kept, now) ? kept : null
  } catch {
    return null
  }
}

/** Keeps it for a day, and removes what was kept for longer. */
export async function keepCalibration(calibration: Calibration, parent?: string): Promise<void> {
  try {
    const path = await pathOf(calibration.client, calibration.need, parent)
    await writeAtomically(path, `${JSON.stringify(calibration)}\n`, 0o600)
    await removeOld(await stateFolder(parent), Date.parse(calibration.measuredAt))
  } catch {
    // It is measured again next time.
  }
}

async function pathOf(client: ClientIdentity, need: CalibrationNeed, parent?: string): Promise<string> {
  const key = canonicalSha256(JSON.parse(JSON.stringify([client, roundedNeed(need)])) as JsonValue)
  return join(await stateFolder(parent), `calibration-${key.slice(0, 32)}.json`)
}

async function removeOld(folder: string, nowMs: number): Promise<void> {
  for (const name of (await readdir(folder)).filter((entry) => NAME.test(entry))) {
    const path = join(folder, name)
    const stats = await stat(path).catch(() => null)
    if (stats && stats.mtimeMs < nowMs - DAY_MS) await rm(path, { force: true })
  }
}
