/** The formats that traces are read in. `jsonl` is our own. */
export const TRACE_FORMATS = ['mooncake', 'azure', 'burstgpt', 'jsonl'] as const

export type TraceFormat = (typeof TRACE_FORMATS)[number]

/** One request of a trace, whatever format it stood in. */
export interface TraceRow {
  /** When it came: whole microseconds from the trace's first request. Never below the row before. */
  atUs: number
  inputTokens: number
  outputTokens: number
  /** Its class where the trace gives one: our own format alone does. */
  class: string | null
  /** The conversation that it belongs to, where the trace says so. */
  session: string | null
  /** Ids of the prompt's KV blocks in order, where the trace has them: each stands for its own tokens and all those before it. */
  blocks: readonly number[] | null
  /** Its line in the file, from 1, as a text editor counts. */
  line: number
}

/** What a format's reader makes of one line: a row with its time on the trace's own clock, or nothing where the request had failed. */
export type ClockedRow = Omit<TraceRow, 'atUs' | 'line'> & { clockUs: number; clockText: string }
