import type { PointReport } from '../../core/capacity/record.ts'
import type { Session } from '../../core/capacity/session.ts'
import { requireSameRun } from '../../core/capacity/session.ts'
import { parsePointReport } from '../../core/gate/read.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { pointName } from '../../core/kernel/point.ts'
import { pathsOf, readPackText } from '../point/files.ts'
import type { Pack } from '../ports/pack.ts'
import { packInUse } from './pack-in-use.ts'
import { readSession, writeSession } from './session.ts'

/** Of the pack: where the baseline's revision was measured to prove the machine. */
export const PROOF_FOLDER = 'host-proof'

export interface Resumed {
  session: Session
  /** The judged points of an interrupted run, in the order in which they were measured. */
  points: PointReport[]
}

/**
 * Begins a run in an empty pack, or goes on with the one that was interrupted there. Throws GateError `pack_in_use` where a pack
 * stands that was not asked to be resumed, `nothing_to_resume`, `resume_mismatch`.
 */
export async function resumeOrBegin(pack: Pack, now: Session, resume: boolean): Promise<Resumed> {
  const earlier = await readSession(pack)
  if (!resume) {
    // A run that ended before its first point left nothing that could be lost.
    const measured = [...(await pack.list('points')), ...(await pack.list(`${PROOF_FOLDER}/points`))]
    if ((earlier?.points.length ?? 0) > 0 || measured.length > 0) {
      throw packInUse(pack.location, 'go on with it by --resume, or name another --pack folder')
    }
    await writeSession(pack, now)
    return { session: now, points: [] }
  }
  if (earlier === null) {
    throw new GateError({
      code: 'nothing_to_resume',
      message: `${pack.location} holds no interrupted run`,
      hint: 'leave --resume away to begin one',
      exitCode: EXIT.usage,
    })
  }
  requireSameRun(earlier, now)
  const points: PointReport[] = []
  for (const name of earlier.points) {
    const { point } = pathsOf(name)
    const report = parsePointReport(await readPackText(pack, point), point)
    if (pointName(report.key) !== name) throw anotherPoint(point, pointName(report.key))
    points.push(report)
  }
  return { session: earlier, points }
}

function anotherPoint(path: string, found: string): GateError {
  return new GateError({
    code: 'pack_damaged',
    message: `${path} is the report of ${found}`,
    hint: 'the pack was changed after it was measured: start anew with another --pack folder',
    exitCode: EXIT.invalid,
  })
}
