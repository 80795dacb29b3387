import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipBounded } from '../adapters/system/deterministic-gzip.ts'
import { fileError } from '../adapters/system/file-errors.ts'
import { INPUT_LIMITS, readInputText, streamInput } from '../adapters/system/files.ts'
import type { AcceptedLossesText } from '../app/accepted-losses.ts'
import type { RecordText } from '../app/compare.ts'
import { requireManifest } from '../app/manifest.ts'
import { parseVerdict } from '../core/gate/read.ts'
import type { Verdict } from '../core/gate/verdict.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { Level } from '../core/manifest/finding.ts'
import type { Manifest } from '../core/manifest/schema.ts'
import { parseSchedule } from '../core/schedule/parse-schedule.ts'
import type { Schedule } from '../core/schedule/schedule.ts'

export interface ManifestFile {
  manifest: Manifest
  text: string
  /** The subject's override as it was read; null where there is none. */
  subjectText: string | null
}

/** A manifest that a user named, good at the level, with its subject's override where one is named. Throws GateError, exit 4. */
export async function readManifestFile(path: string, level: Level, subjectPath?: string): Promise<ManifestFile> {
  const { manifest: maximumBytes } = INPUT_LIMITS
  const text = await readInputText({ what: 'the manifest', path, maximumBytes })
  const subject =
    subjectPath === undefined
      ? undefined
      : await readInputText({ what: 'the subject override', path: subjectPath, maximumBytes })
  const manifest = requireManifest({ file: path, text, level, ...(subject === undefined ? {} : { subject }) })
  return { manifest, text, subjectText: subject ?? null }
}

/** A capacity.json that a user named. */
export async function readRecordFile(what: string, path: string): Promise<RecordText> {
  return { file: path, text: await readInputText({ what, path, maximumBytes: INPUT_LIMITS.record }) }
}

/** The capacity.json of a run: of the folder that it wrote, or the file itself. */
export async function readRunRecord(what: string, path: string): Promise<RecordText> {
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() ?? false
  return readRecordFile(what, isFolder ? join(path, 'capacity.json') : path)
}

/** Throws GateError, exit 4, where a folder that a user named is none. */
export async function requireFolder(what: string, path: string): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) return
  } catch (error) {
    throw fileError(error, `read ${what}`, path, EXIT.invalid)
  }
  throw new GateError({
    code: 'path_is_not_a_folder',
    message: `cannot read ${what} ${path}: it is a file, not a folder`,
    hint: 'name a folder',
    exitCode: EXIT.invalid,
  })
}

/** The accepted losses that a user named; null where none were. */
export async function readAcceptedFile(path: string | undefined): Promise<AcceptedLossesText | null> {
  if (path === undefined) return null
  const text = await readInputText({ what: 'the accepted losses', path, maximumBytes: INPUT_LIMITS.manifest })
  return { file: path, text }
}

/** The day by which what expires is judged: `2026-11-30`, UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** The verdict.json beside a record that a user named, as a pack holds it; null where there is none. */
export async function verdictBeside(recordPath: string): Promise<Verdict | null> {
  const path = join(dirname(recordPath), 'verdict.json')
  try {
    return parseVerdict(await readInputText({ what: 'the verdict', path, maximumBytes: INPUT_LIMITS.record }), path)
  } catch (error) {
    if (error instanceof GateError && error.code === 'file_not_found') return null
    throw error
  }
}

/** A million rows are about 120 MB. */
const SCHEDULE_MAX_BYTES = 256 * 1024 * 1024

/** A frozen schedule that a user named, compressed or not. Throws GateError, exit 4. */
export async function readScheduleFile(path: string): Promise<Schedule> {
  const chunks: Uint8Array[] = []
  for await (const chunk of streamInput({ what: 'the schedule', path, maximumBytes: SCHEDULE_MAX_BYTES }))
    chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b
  const content = isCompressed ? await expanded(bytes, path) : bytes
  try {
    return parseSchedule(content)
  } catch (error) {
    if (!(error instanceof GateError)) throw error
    throw new GateError({ ...error, message: `${path}: ${error.message}`, cause: error })
  }
}

async function expanded(bytes: Uint8Array, path: string): Promise<Uint8Array> {
  const content = await gunzipBounded(bytes, SCHEDULE_MAX_BYTES).catch((cause: unknown) => {
    throw notASchedule(`${path} is no whole gzip file`, cause)
  })
  if (content === 'tooLarge') throw notASchedule(`${path} expands to more than ${SCHEDULE_MAX_BYTES} bytes`)
  return content
}

function notASchedule(message: string, cause?: unknown): GateError {
  const hint = 'give the file that `schedule` wrote, or the one in the pack'
  return new GateError({ code: 'schedule_malformed', message, hint, exitCode: EXIT.invalid, cause })
}
