import { parseSession } from '../core/capacity/session.ts'
import type { Pack } from './ports/pack.ts'
import { PROOF_FOLDER } from './run/resume.ts'

/** How far a run came that was ended before its verdict. */
export interface RunProgress {
  judgedPoints: number
  /** By the plan's estimate; null where nothing was begun. */
  plannedPoints: number | null
  /** The point that it was at. */
  point: string | null
}

const NOTHING: RunProgress = { judgedPoints: 0, plannedPoints: null, point: null }
/** The points of the baseline's revision come first, in a session of their own. */
const SESSIONS = ['', `${PROOF_FOLDER}/`]
const UTF8 = new TextDecoder()

/** Reads from a pack how far its run came. What cannot be read counts as not begun; nothing is thrown for what the pack holds. */
export async function runProgress(pack: Pack): Promise<RunProgress> {
  try {
    const [own, proof] = await Promise.all(SESSIONS.map((folder) => sessionIn(pack, folder)))
    if (!own) return NOTHING
    return {
      judgedPoints: own.judged + (proof?.judged ?? 0),
      plannedPoints: own.planned,
      point: own.unfinished ?? proof?.unfinished ?? null,
    }
  } catch {
    return NOTHING
  }
}

async function sessionIn(pack: Pack, folder: string) {
  const bytes = await pack.read(`${folder}run.json`)
  if (bytes === null) return null
  const { points, plannedPoints } = parseSession(UTF8.decode(bytes))
  const paths = await pack.list(`${folder}points`)
  const unfinished = paths.map((path) => path.slice(`${folder}points/`.length).split('/')[0] ?? '')
  const name = unfinished.find((one) => !points.includes(one))
  return {
    judged: points.length,
    planned: plannedPoints ?? null,
    unfinished: name === undefined ? null : folder + name,
  }
}

/** Whether the run came to its end: the checksums are written last. */
export async function isFinished(pack: Pack): Promise<boolean> {
  const [verdict, sums] = [await pack.read('verdict.json'), await pack.read('SHA256SUMS')]
  return verdict !== null && sums !== null
}
