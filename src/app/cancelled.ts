import { parseSession } from '../core/capacity/session.ts'
import type { Pack } from './ports/pack.ts'

/** How far a run came that was ended before its verdict. */
export interface RunProgress {
  judgedPoints: number
  /** By the plan's estimate; null where nothing was begun. */
  plannedPoints: number | null
  /** The point that it was at. */
  point: string | null
}

const NOTHING: RunProgress = { judgedPoints: 0, plannedPoints: null, point: null }
const UTF8 = new TextDecoder()

/** Reads from a pack how far its run came. What cannot be read counts as not begun; nothing is thrown for what the pack holds. */
export async function runProgress(pack: Pack): Promise<RunProgress> {
  try {
    const bytes = await pack.read('run.json')
    if (bytes === null) return NOTHING
    const { points, plannedPoints } = parseSession(UTF8.decode(bytes))
    const unfinished = (await pointFolders(pack)).find((name) => !points.includes(name))
    return { judgedPoints: points.length, plannedPoints: plannedPoints ?? null, point: unfinished ?? null }
  } catch {
    return NOTHING
  }
}

/** The names of the points that a pack has files of. */
async function pointFolders(pack: Pack): Promise<string[]> {
  const paths = await pack.list('points')
  return [...new Set(paths.map((path) => path.split('/')[1] ?? ''))]
}

/** Whether the run came to its end: the checksums are written last. */
export async function isFinished(pack: Pack): Promise<boolean> {
  const [verdict, sums] = [await pack.read('verdict.json'), await pack.read('SHA256SUMS')]
  return verdict !== null && sums !== null
}
