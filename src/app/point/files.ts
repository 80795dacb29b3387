import { GateError, EXIT } from '../../core/kernel/errors.ts'
import type { PointKey } from '../../core/kernel/point.ts'
import { pointName } from '../../core/kernel/point.ts'
import type { Pack } from '../ports/pack.ts'

/** What the client was found to be before anything was measured. */
export const CALIBRATION_FILE = 'calibration.json'

/** Where one point's files stand in the pack. */
export interface PointPaths {
  folder: string
  journal: string
  requests: string
  slo: string
  point: string
  telemetry: string
  gaps: string
  /** Every gap as it was, a line a request as they end; compressed to `<path>.gz` once the point is over. */
  rawGaps: string
  /** Of a point that was replayed alone; a run has one for all its points. */
  calibration: string
}

export function pointPaths(key: PointKey): PointPaths {
  return pathsOf(pointName(key))
}

export function pathsOf(name: string): PointPaths {
  const folder = `points/${name}`
  return {
    folder,
    journal: `${folder}/journal.jsonl`,
    requests: `${folder}/requests.csv`,
    slo: `${folder}/slo-report.json`,
    point: `${folder}/point.json`,
    telemetry: `${folder}/telemetry.jsonl.gz`,
    gaps: `${folder}/gaps.json`,
    rawGaps: `${folder}/gaps.jsonl`,
    calibration: `${folder}/${CALIBRATION_FILE}`,
  }
}

/** A point that was interrupted is measured anew; what its journal held is kept beside it, under the next free name. */
export async function keepInterrupted(pack: Pack, paths: PointPaths): Promise<void> {
  await pack.remove(paths.rawGaps)
  const journal = await pack.read(paths.journal)
  if (journal === null) return
  const kept = (await pack.list(paths.folder)).filter((path) => path.includes('/interrupted-')).length
  await pack.write(`${paths.folder}/interrupted-${kept + 1}.jsonl`, journal)
  await pack.remove(paths.journal)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A file of the pack that must be there, as text. Throws GateError `pack_incomplete` where it is not. */
export async function readPackText(pack: Pack, path: string): Promise<string> {
  return decode(await pack.read(path), path)
}

/** The same for a gzip file. */
export async function readPackGzipText(pack: Pack, path: string): Promise<string> {
  return decode(await pack.readGzip(path), path)
}

function decode(bytes: Uint8Array | null, path: string): string {
  if (bytes === null) {
    throw new GateError({
      code: 'pack_incomplete',
      message: `the pack has no ${path}`,
      hint: 'give the folder of a finished run, or finish it with `run --resume`',
      exitCode: EXIT.invalid,
    })
  }
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new GateError({
      code: 'pack_damaged',
      message: `${path} is not UTF-8 text`,
      hint: 'the file was changed after the run: take the pack from its artifact again',
      exitCode: EXIT.invalid,
      cause,
    })
  }
}

/** JSON as the pack keeps it: two spaces, a newline at the end. */
export function packJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
