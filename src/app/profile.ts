import { type TraceProfile, TraceProfiler } from '../core/schedule/trace/profile/trace-profile.ts'
import { TraceReader, type TraceRows, type TraceSource } from '../core/schedule/trace/trace-reader.ts'
import type { TraceRow } from '../core/schedule/trace/trace-row.ts'

/** The rows of a trace, some at a time: nothing of it is kept. Throws as `TraceReader` does. */
async function* traceRows(reader: TraceReader, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly TraceRow[]> {
  for await (const chunk of chunks) yield reader.push(chunk)
  yield reader.end()
}

/** What a trace is like, in one pass and in memory that does not grow with it; at most `mostClasses` classes are suggested. */
export async function profileTrace(
  source: TraceSource,
  chunks: AsyncIterable<Uint8Array>,
  mostClasses: number,
): Promise<TraceProfile> {
  const reader = new TraceReader(source)
  const profiler = new TraceProfiler()
  for await (const rows of traceRows(reader, chunks)) for (const row of rows) profiler.add(row)
  return profiler.profile({ format: reader.format ?? 'jsonl', failed: reader.failed }, mostClasses)
}

/** The first `limit` rows of a trace; what follows them is not read. Throws as `TraceReader` does. */
export async function readTrace(
  source: TraceSource,
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<TraceRows> {
  const reader = new TraceReader(source)
  const rows: TraceRow[] = []
  for await (const some of traceRows(reader, chunks)) {
    for (const row of some) if (rows.length < limit) rows.push(row)
    if (rows.length >= limit) break
  }
  return { format: reader.format ?? 'jsonl', rows, failed: reader.failed }
}
