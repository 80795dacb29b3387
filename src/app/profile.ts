import { type TraceProfile, TraceProfiler } from '../core/schedule/trace/profile/trace-profile.ts'
import { TraceReader, type TraceSource } from '../core/schedule/trace/trace-reader.ts'

/** What a trace is like, in one pass and in memory that does not grow with it; at most `mostClasses` classes are suggested. */
export async function profileTrace(
  source: TraceSource,
  chunks: AsyncIterable<Uint8Array>,
  mostClasses: number,
): Promise<TraceProfile> {
  const reader = new TraceReader(source)
  const profiler = new TraceProfiler()
  for await (const chunk of chunks) for (const row of reader.push(chunk)) profiler.add(row)
  for (const row of reader.end()) profiler.add(row)
  return profiler.profile({ format: reader.format ?? 'jsonl', failed: reader.failed }, mostClasses)
}
