import { failureOf } from './failure.ts'
import type { ImportedRequest } from './imported-request.ts'
import { untold } from './imported-request.ts'
import { IMPORT_FILES } from './tool.ts'
import type { ImportTool } from './tool.ts'
import { SourceObject } from './source-object.ts'
import { gapsUs, LONGEST_US, spanUs } from './spans.ts'

const SECOND_US = 1e6
const REQUIRED = ['input_lens', 'output_lens', 'ttfts', 'itls', 'errors'] as const
const OPTIONAL = ['latencies', 'start_times', 'queue_times', 'generated_texts', 'cached_tokens'] as const

type ArrayName = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number]

/** A run of vLLM's or SGLang's benchmark: arrays of which entry i is request i. */
export type BenchArrays = ReadonlyMap<ArrayName, readonly unknown[]>

/**
 * The arrays of one run. Throws GateError `import_not_detailed` where the file holds the summary alone, and `import_misaligned` where
 * the arrays have different lengths: then no entry can be told to belong to another.
 */
export function benchArrays(source: SourceObject, tool: ImportTool): BenchArrays {
  const missing = REQUIRED.filter((name) => !source.has(name))
  if (missing.length > 0) {
    const what = `holds no ${missing.join(', ')}: requests are not in it one by one`
    throw source.refuse('import_not_detailed', what, IMPORT_FILES[tool].howTo)
  }
  const arrays = new Map<ArrayName, readonly unknown[]>()
  for (const name of [...REQUIRED, ...OPTIONAL]) {
    const list = source.list(name)
    if (list !== null) arrays.set(name, list)
  }
  const lengths = new Set([...arrays.values()].map((list) => list.length))
  if (lengths.size > 1) {
    const told = [...arrays].map(([name, list]) => `${name} ${list.length}`).join(', ')
    throw source.refuse('import_misaligned', `has arrays of different lengths: ${told}`)
  }
  return arrays
}

/** One request of the arrays, with what both tools mean alike. Zeros and empty lists are what both write for a failure: nothing. */
export interface BenchEntry {
  source: SourceObject
  request: ImportedRequest
  /** Microseconds from each chunk to the next, as the tool spread them. */
  gaps: number[]
}

export function* benchEntries(arrays: BenchArrays, file: string): Generator<BenchEntry> {
  const count = arrays.get('errors')?.length ?? 0
  for (let i = 0; i < count; i++) {
    const row = Object.fromEntries([...arrays].map(([name, list]) => [name, list[i]]))
    yield benchEntry(new SourceObject(file, `request ${i + 1}`, row))
  }
}

/** The run's own length in seconds; null where it is not told. Throws GateError `import_times` for one that no run has. */
export function runSeconds(run: SourceObject): number | null {
  const seconds = run.number('duration')
  if (seconds === null || (seconds > 0 && seconds * SECOND_US <= LONGEST_US)) return seconds
  throw run.refuse('import_times', `has a duration of ${seconds} s`)
}

function benchEntry(source: SourceObject): BenchEntry {
  const error = source.text('errors') ?? ''
  const ttftSeconds = source.number('ttfts')
  const ttftUs = spanUs(ttftSeconds, SECOND_US, source, 'TTFT')
  const outputTokens = source.count('output_lens')
  const listed = source.list('itls') ?? []
  const gaps = gapsUs(listed, SECOND_US, source)
  // Of the gaps as they stand: rounded one by one, hundreds of them would add up to another end.
  const e2eSeconds = listed.reduce<number>((sum, gap) => sum + Number(gap), ttftSeconds ?? 0)
  const seen = ttftUs === 0 ? null : ttftUs
  const failure = error === '' ? null : failureOf(error, null)
  // A refusal without a reason phrase leaves the error empty: what got neither token nor length did not succeed.
  const isSilent = failure === null && seen === null
  return {
    source,
    gaps,
    request: {
      ...untold(source.place),
      ...(failure ?? (isSilent ? { status: 'error', errorCode: 'no_token' } : {})),
      ttftUs: seen,
      e2eUs: seen === null ? null : spanUs(e2eSeconds, SECOND_US, source, 'sum of TTFT and gaps'),
      inputTokens: source.count('input_lens') || null,
      outputTokens: failure === null && !isSilent ? outputTokens || null : null,
    },
  }
}

/** Whether no success came in more than one piece although it is longer than a token: then nothing was streamed. */
function isUnstreamed(entries: readonly BenchEntry[]): boolean {
  const long = entries.filter(({ request }) => request.status === 'ok' && (request.outputTokens ?? 0) > 1)
  return long.length > 0 && long.every(({ gaps }) => gaps.length === 0)
}

/** Throws GateError `import_not_streamed`: without a stream there is no first token to time. */
export function refuseUnstreamed(source: SourceObject, entries: readonly BenchEntry[]): void {
  if (!isUnstreamed(entries)) return
  const what = 'holds answers of several tokens that all came in one piece'
  throw source.refuse(
    'import_not_streamed',
    what,
    'measure with streaming: a first token can only be timed in a stream',
  )
}
