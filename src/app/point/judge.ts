import { judgePoint } from '../../core/capacity/point.ts'
import type { PointReport } from '../../core/capacity/record.ts'
import type { Dialect } from '../../core/dialect/dialect.ts'
import type { PointKey } from '../../core/kernel/point.ts'
import { pointName } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { encodeRequestsCsv } from '../../core/record/csv.ts'
import type { ChunkHistograms } from '../../core/record/gaps.ts'
import { decodeGaps, encodeGaps } from '../../core/record/gaps.ts'
import { readRequestsCsv } from '../../core/record/read.ts'
import type { RequestRecord } from '../../core/record/record.ts'
import type { Schedule } from '../../core/schedule/schedule.ts'
import { sloReportJson } from '../../core/slo/json.ts'
import type { TelemetryLine } from '../../core/telemetry/line.ts'
import { encodeTelemetry, parseTelemetry } from '../../core/telemetry/file.ts'
import type { Pack } from '../ports/pack.ts'
import { packJson, pathsOf, readPackGzipText, readPackText } from './files.ts'
import { readCalibration } from './stored-calibration.ts'

export interface Measured {
  records: readonly RequestRecord[]
  gaps: ReadonlyMap<string, ChunkHistograms>
  lines: readonly TelemetryLine[]
}

export interface JudgeOrder {
  manifest: Manifest
  dialect: Dialect
  schedule: Schedule
  key: PointKey
}

/** Writes what was measured, in the schedule's order; the journal goes once requests.csv holds every request. */
export async function writeMeasured(pack: Pack, order: JudgeOrder, measured: Measured): Promise<void> {
  const paths = pathsOf(pointName(order.key))
  const position = new Map(order.schedule.rows.map((row, index) => [row.id, index]))
  const inOrder = measured.records.toSorted((a, b) => (position.get(a.id) ?? 0) - (position.get(b.id) ?? 0))
  await pack.writeGzip(paths.telemetry, encodeTelemetry(measured.lines))
  await pack.write(paths.gaps, encodeGaps(measured.gaps))
  await pack.write(paths.requests, encodeRequestsCsv(inOrder))
  await pack.remove(paths.journal)
}

/** Judges a point from its files and writes its reports beside them. */
export async function judgeWritten(pack: Pack, order: JudgeOrder): Promise<PointReport> {
  const paths = pathsOf(pointName(order.key))
  const report = await judgeFiles(pack, order)
  await pack.write(paths.slo, sloReportJson(report.slo))
  await pack.write(paths.point, packJson(report))
  return report
}

/** Judges a point from its files alone: what a run does, and what `verify` does again. */
export async function judgeFiles(pack: Pack, order: JudgeOrder): Promise<PointReport> {
  const paths = pathsOf(pointName(order.key))
  const table = await readRequestsCsv(await readPackText(pack, paths.requests), { file: paths.requests })
  return judgePoint({
    manifest: order.manifest,
    dialect: order.dialect,
    schedule: order.schedule,
    table,
    gaps: decodeGaps(await readPackText(pack, paths.gaps)),
    lines: parseTelemetry(await readPackGzipText(pack, paths.telemetry)),
    calibration: await readCalibration(pack, paths.calibration),
  })
}
