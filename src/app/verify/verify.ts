import type { Pack } from '../ports/pack.ts'
import type { Sources } from '../ports/sources.ts'
import type { Discrepancy } from './discrepancy.ts'
import { checkFiles } from './files.ts'
import { checkPoints } from './points.ts'
import { readPackManifest } from './manifest.ts'
import { readPartial, verifyPartial } from './partial.ts'
import { checkRun } from './run.ts'

export interface Verification {
  /** Empty: every number follows from the raw files. */
  discrepancies: Discrepancy[]
  /** What could not be recomputed, and why: a schedule made of a file that a pack does not hold. */
  unverified: Discrepancy[]
  /** Set for what a run left that was ended before its verdict: nothing of its capacity is told, and no checksums were written. */
  partial: { judged: readonly string[]; unfinished: readonly string[] } | null
  /** What was recomputed. */
  files: number
  points: number
}

/**
 * Recomputes every number of a pack from its raw files (manifest, schedules, requests.csv, telemetry) and compares it with what the
 * pack says, and checks the checksums. A damaged file is a discrepancy; nothing is thrown for what the pack holds. `sources` are the files
 * beside the manifest, where they are at hand.
 */
export async function verifyPack(pack: Pack, sources: Sources | null = null): Promise<Verification> {
  const partial = await readPartial(pack)
  if (partial !== null) return verifyPartial(pack, partial, sources)
  const { discrepancies, paths } = await checkFiles(pack)
  const read = await readPackManifest(pack)
  discrepancies.push(...read.discrepancies)
  if (read.manifest === null) return { discrepancies, unverified: [], partial, files: paths.length, points: 0 }
  const points = await checkPoints(pack, read.manifest, paths, sources)
  discrepancies.push(...points.discrepancies)
  if (paths.includes('capacity.json')) discrepancies.push(...(await checkRun(pack, read.manifest, points)))
  const { unverified } = points
  return { discrepancies, unverified, partial, files: paths.length, points: points.reports.length }
}
