import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { Manifest } from '../core/manifest/schema.ts'
import { scheduleSizes, type ScheduleOptions } from '../core/schedule/build-schedule.ts'
import { type Dataset, parseDataset } from '../core/schedule/dataset.ts'
import { TraceReader } from '../core/schedule/trace/trace-reader.ts'
import type { TraceRow } from '../core/schedule/trace/trace-row.ts'
import type { Sources } from './ports/sources.ts'

/** Texts are held in memory, all of them. */
const DATASET_MAX_BYTES = 256 * 1024 * 1024

/** What a schedule is made of beside its manifest. */
export type ReadSources = Pick<ScheduleOptions, 'trace' | 'dataset'>

/**
 * Reads the trace and the dataset that a manifest names, and holds them to its digests. Of a trace only the rows that the schedule needs
 * are kept, however long it is. What a file holds is spoken of only once its digest is right: messages must not tell of another file.
 *
 * @throws GateError `source_digest`, and of the sources, the trace reader and the dataset's (exit 4)
 */
export async function readSources(sources: Sources, manifest: Manifest, requests?: number): Promise<ReadSources> {
  const { arrival_pattern: pattern, trace, dataset } = manifest.client
  const { initial, extension } = scheduleSizes(manifest, requests)
  return {
    ...(pattern === 'trace' && trace ? { trace: await readTraceRows(sources, trace, initial + extension) } : {}),
    ...(dataset ? { dataset: await readDataset(sources, manifest, dataset) } : {}),
  }
}

type TraceSection = NonNullable<Manifest['client']['trace']>
type DatasetSection = NonNullable<Manifest['client']['dataset']>

async function readTraceRows(sources: Sources, section: TraceSection, needed: number): Promise<TraceRow[]> {
  const { file, format, sha256 } = section
  const source = sources.open({ what: 'the trace', path: file })
  const reader = new TraceReader({ file, format })
  const rows: TraceRow[] = []
  let failure: GateError | null = null
  const take = (read: () => TraceRow[]): void => {
    if (failure !== null || rows.length >= needed) return
    try {
      // Shared blocks are not replayed: kept, they would take most of the memory.
      for (const row of read()) if (rows.length < needed) rows.push({ ...row, blocks: null })
    } catch (error) {
      if (!(error instanceof GateError)) throw error
      failure = error
    }
  }
  for await (const chunk of source.chunks) take(() => reader.push(chunk))
  take(() => reader.end())
  requireDigest('trace', file, sha256, source.sha256())
  if (failure !== null) throw failure
  return rows
}

async function readDataset(sources: Sources, { workload }: Manifest, section: DatasetSection): Promise<Dataset> {
  const { file, format, field, sha256 } = section
  const source = sources.open({ what: 'the dataset', path: file })
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of source.chunks) {
    total += chunk.length
    if (total > DATASET_MAX_BYTES) throw tooLarge(file)
    chunks.push(chunk)
  }
  requireDigest('dataset', file, sha256, source.sha256())
  const bytes = new Uint8Array(total)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  const classNames = workload.map(({ name }) => name)
  return { sha256, ...parseDataset(bytes, { file, format, field, classNames }) }
}

function requireDigest(section: 'trace' | 'dataset', file: string, declared: string, found: string): void {
  if (found === declared) return
  throw new GateError({
    code: 'source_digest',
    message: `${file} has the SHA-256 ${found}; client.${section}.sha256 is ${declared}`,
    hint: 'take the file that was meant, or write its digest into the manifest: it is another experiment then',
    exitCode: EXIT.invalid,
  })
}

function tooLarge(file: string): GateError {
  return new GateError({
    code: 'file_too_large',
    message: `the dataset ${file} holds more than ${DATASET_MAX_BYTES} bytes of text`,
    hint: 'take fewer texts: no schedule uses more than it has requests',
    exitCode: EXIT.invalid,
  })
}
