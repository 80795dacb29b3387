import type { PointReport } from '../../core/capacity/record.ts'
import { dialectFor } from '../../core/dialect/choose.ts'
import { parsePointReport } from '../../core/gate/read.ts'
import { GateError } from '../../core/kernel/errors.ts'
import { pointName } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { sloReportJson } from '../../core/slo/json.ts'
import { packJson, pathsOf, readPackText } from '../point/files.ts'
import { judgeFiles } from '../point/judge.ts'
import type { Pack } from '../ports/pack.ts'
import type { Sources } from '../ports/sources.ts'
import { schedulePath } from '../run/schedules.ts'
import type { SchedulesChecked } from './schedules.ts'
import { checkSchedules } from './schedules.ts'

export interface PointsChecked extends SchedulesChecked {
  /** As judged again, by name. */
  reports: PointReport[]
}

/** Builds the schedules again from the manifest, and judges every point again from its raw files. */
export async function checkPoints(
  pack: Pack,
  manifest: Manifest,
  paths: readonly string[],
  sources: Sources | null,
): Promise<PointsChecked> {
  const { schedules, unverified, discrepancies } = await checkSchedules(pack, manifest, paths, sources)
  const again = await judgePointsAgain(pack, { manifest, paths, schedules })
  return { ...again, schedules, unverified, discrepancies: [...discrepancies, ...again.discrepancies] }
}

interface PointsCheck {
  manifest: Manifest
  paths: readonly string[]
  schedules: SchedulesChecked['schedules']
}

type JudgedAgain = Pick<PointsChecked, 'reports' | 'discrepancies'>

/** Judges every point below `points/` again from its raw files. */
export async function judgePointsAgain(pack: Pack, check: PointsCheck): Promise<JudgedAgain> {
  const judged: JudgedAgain = { reports: [], discrepancies: [] }
  const points = check.paths.filter((path) => path.startsWith('points/'))
  const names = new Set(points.map((path) => path.split('/')[1] ?? ''))
  for (const name of names) await checkPoint(pack, { ...check, name }, judged)
  return judged
}

interface PointCheck extends PointsCheck {
  name: string
}

async function checkPoint(pack: Pack, check: PointCheck, judged: JudgedAgain): Promise<void> {
  const at = pathsOf(check.name)
  // A point that was interrupted left its journal and was never judged.
  if (!check.paths.includes(at.point) && !check.paths.includes(at.requests)) return
  const wrong = (code: string, path: string, text: string): void => void judged.discrepancies.push({ code, path, text })
  try {
    const storedText = await readPackText(pack, at.point)
    const stored = parsePointReport(storedText, at.point)
    if (pointName(stored.key) !== check.name) wrong('point', at.point, `is the report of ${pointName(stored.key)}`)
    const schedule = check.schedules.get(stored.key.cache)
    if (!schedule) return wrong('schedule', schedulePath(stored.key.cache), 'is not there')
    const { manifest } = check
    const again = await judgeFiles(pack, { manifest, dialect: dialectFor(manifest), schedule, key: stored.key })
    judged.reports.push(again)
    if (packJson(again) !== storedText) wrong('point', at.point, 'does not follow from the point’s raw files')
    if (sloReportJson(again.slo) !== (await readPackText(pack, at.slo))) {
      wrong('slo_report', at.slo, 'does not follow from requests.csv')
    }
  } catch (error) {
    if (!(error instanceof GateError)) throw error
    wrong('unreadable', at.folder, error.message)
  }
}
