import type { Dialect } from '../dialect/dialect.ts'
import { EXIT, GateError } from '../kernel/errors.ts'
import type { Evidence } from '../kernel/evidence.ts'
import { pointEpoch } from '../kernel/point.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { ChunkHistograms } from '../record/gaps.ts'
import type { CohortTable } from '../record/table.ts'
import { tableRecords } from '../record/table.ts'
import { scheduleBlocks } from '../schedule/blocks.ts'
import type { Schedule } from '../schedule/schedule.ts'
import { analyzeManifest } from '../slo/analyze.ts'
import type { CalibrationFile } from '../telemetry/calibration.ts'
import { calibrationEvidence } from '../telemetry/calibration-evidence.ts'
import { pointNeed } from '../telemetry/calibration-need.ts'
import type { PointFacts, TelemetryLine } from '../telemetry/line.ts'
import { engineWork } from '../telemetry/engine-work.ts'
import { pointEvidence } from '../telemetry/point-evidence.ts'
import { readTimeline } from '../telemetry/timeline.ts'
import { markRequired, pointOutcome, unaskedGroups } from './outcome.ts'
import { createProgress } from './progress.ts'
import type { PointReport } from './record.ts'

export interface PointFiles {
  manifest: Manifest
  dialect: Dialect
  schedule: Schedule
  /** requests.csv. */
  table: CohortTable
  /** gaps.json. */
  gaps: ReadonlyMap<string, ChunkHistograms>
  /** telemetry.jsonl; the first line holds the point's facts. */
  lines: readonly TelemetryLine[]
  /** calibration.json of a point that was replayed alone; null where a run answers for the client. */
  calibration?: CalibrationFile | null
}

/**
 * Judges one point from the contents of its files and nothing else.
 *
 * @throws GateError, exit 4: `point_without_facts`, `csv_without_times`, and what the analyzer refuses
 */
export function judgePoint(files: PointFiles): PointReport {
  const { manifest, dialect, schedule, table } = files
  const facts = factsOf(files)
  const records = [...tableRecords(table)]
  const timeline = readTimeline(files.lines, facts.replicas)
  const view = { manifest, dialect, schedule, facts, records, timeline }
  const found = pointEvidence(view)
  const asked = markRequired(
    [...protocolEvidence(files, facts), ...clientEvidence(files, facts), ...found.evidence],
    manifest.acceptance,
  )
  const evidence = facts.cohortRequests === 0 ? asked : [...asked, ...unaskedGroups(asked, manifest.acceptance)]
  const slo = analyzeManifest(table, manifest, {
    // A cohort without a request has no duration; the analyzer wants one to divide by.
    durationSeconds: Math.max(1, facts.cohortUs) / 1e6,
    arrivalSeconds: facts.arrivalUs / 1e6,
    queueTrend: facts.cohortRequests === 0 ? 'unknown' : found.queue.trend,
    gaps: files.gaps,
  })
  const progress = createProgress(manifest, scheduleBlocks(schedule))
  for (const record of records) progress.add(record)
  const { outcome, reasons } = pointOutcome({
    slo,
    evidence,
    acceptance: manifest.acceptance,
    stoppedEarly: facts.stoppedEarly,
    hopeless: progress.hopeless(),
  })
  return {
    schema: 1,
    key: facts.key,
    epoch: facts.epoch,
    scheduleSha256: facts.scheduleSha256,
    deployId: facts.deployId,
    arrivalSeconds: facts.arrivalUs / 1e6,
    cohortSeconds: facts.cohortUs / 1e6,
    slo,
    ratesRps: slo.rates_rps,
    evidence,
    outcome,
    stoppedEarly: facts.stoppedEarly !== null,
    limiting: table.rows === 0 ? null : slo.limiting,
    reasons,
    ...(records.length === 0 ? {} : { work: engineWork(view, files.gaps) }),
  }
}

function factsOf({ lines, table }: PointFiles): PointFacts {
  const [first] = lines
  if (first?.t !== 'point') {
    throw new GateError({
      code: 'point_without_facts',
      message: 'telemetry.jsonl.gz does not start with the point’s facts',
      hint: 'take the file from the run that wrote it',
      exitCode: EXIT.invalid,
    })
  }
  if (table.origin !== null) {
    throw new GateError({
      code: 'csv_imported',
      message: `${table.file} holds requests that ${table.origin} sent`,
      hint: 'a point is judged from what its own run sent; judge an imported file with `analyze`',
      exitCode: EXIT.invalid,
    })
  }
  if (!table.hasTimes && table.rows > 0) {
    throw new GateError({
      code: 'csv_without_times',
      message: `${table.file} lacks the columns of microseconds`,
      hint: 'a point is judged from the requests.csv that its run wrote; `analyze` judges the seven columns alone',
      exitCode: EXIT.invalid,
    })
  }
  return first.facts
}

/** Whether the client could measure the point at all, where that was asked for it alone. */
function clientEvidence({ calibration = null, manifest }: PointFiles, { key }: PointFacts): Evidence[] {
  return calibration === null ? [] : calibrationEvidence(calibration, manifest, pointNeed(manifest, key.load))
}

/** `client.schedule`: the files belong together. */
function protocolEvidence({ dialect, schedule }: PointFiles, facts: PointFacts): Evidence[] {
  const wrong = [
    ...(facts.scheduleSha256 === schedule.sha256 ? [] : ['another schedule was replayed']),
    ...(facts.key.cache === schedule.header.cache ? [] : ['the schedule is of the other cache state']),
    ...(facts.epoch === pointEpoch(facts.key) ? [] : ['the prompts’ epoch is another point’s']),
    ...(facts.dialect === dialect.id ? [] : [`the engine was spoken to as ${facts.dialect}`]),
  ]
  return [
    {
      probe: 'client.schedule',
      state: wrong.length === 0 ? 'pass' : 'fail',
      required: true,
      blames: 'client',
      text:
        wrong.length === 0 ? `schedule ${facts.scheduleSha256.slice(0, 12)}, epoch ${facts.epoch}` : wrong.join('; '),
    },
  ]
}
