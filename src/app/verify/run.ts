import type { AcceptedFloor } from '../../core/capacity/accepted-floor.ts'
import type { CapacityRecord, CapacityResult, PointReport } from '../../core/capacity/record.ts'
import { capacityResult } from '../../core/capacity/result.ts'
import type { Session } from '../../core/capacity/session.ts'
import { parseSession } from '../../core/capacity/session.ts'
import type { AcceptedLosses } from '../../core/gate/accepted/loss.ts'
import { parseCapacityRecord } from '../../core/gate/read.ts'
import { GateError } from '../../core/kernel/errors.ts'
import { pointName } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { parseContextFile } from '../../core/report/context-file.ts'
import { renderReportMarkdown } from '../../core/report/report-markdown.ts'
import { renderFailureTest } from '../../core/report/failure-test.ts'
import { acceptedFacts, requireAcceptedLosses } from '../accepted-losses.ts'
import { packJson, pathsOf, readPackText } from '../point/files.ts'
import type { Pack } from '../ports/pack.ts'
import { REPORT_PAGE_FILE, reportPage } from '../report-page.ts'
import { ACCEPTED_LOSSES_FILE, CONTEXT_FILE } from '../run/finish.ts'
import { storedFitness } from '../run/fitness.ts'
import { capacityRecord } from '../run/record.ts'
import { settle } from '../run/settle.ts'
import { scheduleDigests } from '../run/schedules.ts'
import { LIMIT_CODES } from '../run/state.ts'
import { proofAgain } from './host-proof.ts'
import type { PointsChecked } from './points.ts'
import type { Discrepancy } from './discrepancy.ts'

/** capacity.json, verdict.json, the reports and the selected point's files, made again from the judged points. */
export async function checkRun(pack: Pack, manifest: Manifest, checked: PointsChecked): Promise<Discrepancy[]> {
  try {
    return await recompute(pack, manifest, checked)
  } catch (error) {
    if (!(error instanceof GateError)) throw error
    return [{ code: 'unreadable', path: pack.location, text: error.message }]
  }
}

async function recompute(pack: Pack, manifest: Manifest, checked: PointsChecked): Promise<Discrepancy[]> {
  const stored = parseCapacityRecord(await readPackText(pack, 'capacity.json'))
  const session = parseSession(await readPackText(pack, 'run.json'))
  const baseline = await readAccepted(pack, 'baseline.json')
  const anchor = await readAccepted(pack, 'anchor.json')
  const { reports } = checked
  const ordered = session.points.flatMap((name) => reports.filter((point) => pointName(point.key) === name))
  const proof =
    stored.hostProof && (await proofAgain(pack, { manifest, stored: stored.hostProof, baseline, ...checked }))
  const again = capacityRecord({
    manifest,
    toolVersion: stored.tool.version,
    createdAt: session.startedAt,
    commit: stored.commit,
    hardware: { mustEqual: session.mustEqual, recorded: session.recorded },
    schedules: scheduleDigests(checked.schedules),
    results: stored.capacity.map((result) => {
      const acceptedFloor = session.acceptedFloors?.[result.cache] ?? null
      return resultAgain(result, { manifest, ordered, baseline, anchor, acceptedFloor })
    }),
    evidence: await storedFitness(pack, {
      manifest,
      accepted: { baseline, anchor },
      hasPoints: session.points.length > 0,
    }),
    boots: stored.capacity.flatMap(({ cache }) => session.states[cache]?.boots ?? []),
    ...(proof === undefined ? {} : { hostProof: proof.proof }),
  })
  const {
    onMissingBaseline,
    onHostChange,
    acceptedAsOf = null,
    context,
  } = parseContextFile(await readPackText(pack, CONTEXT_FILE))
  const acceptedLosses = await packAcceptedLosses(pack, manifest, acceptedAsOf)
  const settled = settle(again, { baseline, anchor, onMissingBaseline, onHostChange, acceptedLosses, context })
  const expected: Expected[] = [
    ['capacity.json', 'capacity', packJson(settled.record)],
    ['verdict.json', 'verdict', packJson(settled.verdict)],
    ['report.md', 'report', renderReportMarkdown({ ...settled, context })],
    [REPORT_PAGE_FILE, 'report', await reportPage(pack, { ...settled, context })],
    ['failure-test.md', 'report', renderFailureTest()],
    ...(await selectedFiles(pack, settled.record.selected)),
  ]
  const differing = await differingFiles(pack, expected)
  return [...sessionDiscrepancies(session, reports), ...(proof?.discrepancies ?? []), ...differing]
}

type Expected = [path: string, code: string, text: string]

async function differingFiles(pack: Pack, expected: readonly Expected[]): Promise<Discrepancy[]> {
  const found: Discrepancy[] = []
  for (const [path, code, text] of expected) {
    if ((await readPackText(pack, path)) === text) continue
    found.push({ code, path, text: 'does not follow from the points and the accepted records' })
  }
  return found
}

interface Again {
  manifest: Manifest
  ordered: readonly PointReport[]
  baseline: CapacityRecord | null
  anchor: CapacityRecord | null
  acceptedFloor: AcceptedFloor | null
}

/** What cannot follow from files is kept as the run said it: minutes held, and the limit that ended it. */
function resultAgain(stored: CapacityResult, again: Again): CapacityResult {
  const { cache, plan, gpuMinutes } = stored
  const { manifest, ordered, baseline, anchor, acceptedFloor } = again
  const stateOf = (record: CapacityRecord | null): CapacityResult | null =>
    record?.capacity.find((result) => result.cache === cache) ?? null
  return capacityResult({
    plan,
    manifest,
    cache,
    baseline: stateOf(baseline),
    anchor: stateOf(anchor),
    acceptedFloor,
    points: ordered.filter((point) => point.key.cache === cache),
    gpuMinutes,
    limits: stored.reasons.filter(({ code }) => LIMIT_CODES.has(code)),
  })
}

function sessionDiscrepancies(session: Session, points: readonly PointReport[]): Discrepancy[] {
  const known = new Set(session.points)
  return points
    .map((point) => pointName(point.key))
    .filter((name) => !known.has(name))
    .map((name) => ({ code: 'point', path: pathsOf(name).folder, text: 'was judged, and the run does not know it' }))
}

async function selectedFiles(pack: Pack, selected: string | null): Promise<[string, string, string][]> {
  if (selected === null) return []
  const paths = pathsOf(selected)
  return [
    ['requests.csv', 'selected', await readPackText(pack, paths.requests)],
    ['slo-report.json', 'selected', await readPackText(pack, paths.slo)],
  ]
}

/** The accepted losses of the pack, by the day on which they were judged. */
async function packAcceptedLosses(pack: Pack, manifest: Manifest, asOf: string | null): Promise<AcceptedLosses | null> {
  if (asOf === null) return null
  const text = await readPackText(pack, ACCEPTED_LOSSES_FILE)
  return requireAcceptedLosses({ file: ACCEPTED_LOSSES_FILE, text }, acceptedFacts(manifest, asOf))
}

async function readAccepted(pack: Pack, path: string): Promise<CapacityRecord | null> {
  return (await pack.read(path)) === null ? null : parseCapacityRecord(await readPackText(pack, path), path)
}
