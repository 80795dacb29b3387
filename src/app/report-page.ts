import { dialectFor } from '../core/dialect/choose.ts'
import type { Dialect } from '../core/dialect/dialect.ts'
import { GateError } from '../core/kernel/errors.ts'
import { readRequestsCsv } from '../core/record/read.ts'
import type { ReportInput } from '../core/report/context.ts'
import type { Pictured } from '../core/report/page/facts.ts'
import { picturesWanted, renderReportPage } from '../core/report/page/page.ts'
import { pointPicture } from '../core/report/page/picture.ts'
import { parseTelemetry } from '../core/telemetry/file.ts'
import { CALIBRATION_FILE, packJson, pathsOf, readPackGzipText, readPackText } from './point/files.ts'
import { readPackManifest } from './verify/manifest.ts'
import { readCalibration } from './point/stored-calibration.ts'
import type { Pack } from './ports/pack.ts'

export const REPORT_PAGE_FILE = 'report.html'

/**
 * report.html of a pack: what its records say, and pictures of its points' raw files, read one point after the other. A file that cannot
 * be read is said in its picture's place, and costs nothing else.
 */
export async function reportPage(pack: Pack, given: ReportInput): Promise<string> {
  const input = asRead(given)
  const { names, stretches } = picturesWanted(input)
  const { manifest } = await readPackManifest(pack)
  const dialect = dialectFor(manifest ?? { engine: { name: input.record.subject.name } })
  const pictures = new Map<string, Pictured>()
  for (const name of names) pictures.set(name, await orWhy(() => readPicture(pack, name, { dialect, stretches })))
  const calibration = await orNull(() => readCalibration(pack, CALIBRATION_FILE))
  return renderReportPage({ ...input, pictures, calibration })
}

/** As the pack's files give the values back (without keys that hold nothing): the page made again from those must be the same. */
function asRead({ context, ...values }: ReportInput): ReportInput {
  return { ...(JSON.parse(packJson(values)) as typeof values), context }
}

async function readPicture(
  pack: Pack,
  name: string,
  { dialect, stretches }: { dialect: Dialect; stretches: number },
): Promise<Pictured> {
  const paths = pathsOf(name)
  const table = await readRequestsCsv(await readPackText(pack, paths.requests), {
    file: paths.requests,
    columns: 'analyzed',
  })
  const lines = parseTelemetry(await readPackGzipText(pack, paths.telemetry))
  return (
    pointPicture({ dialect, table, lines, stretches }) ?? {
      why: `${paths.telemetry} does not begin with the point’s facts`,
    }
  )
}

async function orWhy(read: () => Promise<Pictured>): Promise<Pictured> {
  try {
    return await read()
  } catch (error) {
    return { why: messageOf(error) }
  }
}

async function orNull<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    messageOf(error)
    return null
  }
}

/** What is wrong with a file; whatever else was thrown is thrown again. */
function messageOf(error: unknown): string {
  if (error instanceof GateError) return error.message
  throw error
}
