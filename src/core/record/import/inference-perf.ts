import { refusal } from '../refusal.ts'
import { failureOf, httpFailure, oneLine } from './failure.ts'
import type { ImportedRequest } from './imported-request.ts'
import { untold } from './imported-request.ts'
import type { Importer } from './importer.ts'
import type { JsonDocument } from './json-documents.ts'
import { SourceObject, shown } from './source-object.ts'
import { gapsUs, spanUs, summarizeGaps } from './spans.ts'
import { IMPORT_FILES } from './tool.ts'

const SECOND_US = 1e6

/**
 * inference-perf's per_request_lifecycle_metrics.json: a list of requests, their moments of the client's own clock (perf_counter), in
 * seconds. Its `output_tokens` are text tokenized anew; only the engine's usage counts. Chunk times are of visible content. Stages
 * follow one another in one file without a mark.
 */
export const readInferencePerf: Importer = async (documents, { file, run }) => {
  if (run !== null) throw oneRun(file)
  const lists: JsonDocument[] = []
  for await (const document of documents) lists.push(document)
  const [list] = lists
  if (lists.length !== 1 || !Array.isArray(list?.value)) throw notAList(file)
  const values: readonly unknown[] = list.value
  const requests = values.map((value, i) => requestOf(new SourceObject(file, `request ${i + 1}`, value)))
  return { tool: 'inference-perf', version: null, requests, durationSeconds: null, notes: [] }
}

function requestOf(source: SourceObject): ImportedRequest {
  const info = source.part('info')
  if (info === null) {
    const hint = 'keep report.request_lifecycle.per_request_fields.info: true'
    throw source.refuse('import_not_detailed', 'has no info', hint)
  }
  const [start, end] = [source.number('start_time'), source.number('end_time')]
  if (start === null) throw source.refuse('import_shape', 'has no start_time')
  const answer = info.part('response_metrics') ?? info
  const times = chunkTimes(answer, source)
  const since = (seconds: number | undefined | null, of: string) =>
    seconds === undefined || seconds === null ? null : spanUs(seconds - start, SECOND_US, source, of)
  since(end, 'span to end_time')
  const usage = answer.part('server_usage')
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? time))
  return {
    ...untold(source.place),
    ...failed(source),
    sentAtUs: start * SECOND_US,
    endAtUs: end === null ? null : end * SECOND_US,
    ttftUs: since(times[0], 'TTFT'),
    firstContentUs: since(times[0], 'TTFT'),
    e2eUs: since(times.at(-1), 'span to the last chunk'),
    inputTokens: inputTokens(info, usage),
    outputTokens: usage?.count('completion_tokens') ?? usage?.count('output_tokens') ?? null,
    cachedTokens: usage?.part('prompt_tokens_details')?.count('cached_tokens') ?? null,
    chunks: times.length || null,
    gapUs: summarizeGaps(gapsUs(gaps, SECOND_US, source)),
  }
}

/** Of the chunks; in older files, which have none, of the tokens that each chunk was cut into. */
function chunkTimes(answer: SourceObject, source: SourceObject): number[] {
  const chunks = answer.list('chunk_times') ?? []
  const times = chunks.length > 0 ? chunks : (answer.list('output_token_times') ?? [])
  return times.map((time) => {
    if (typeof time === 'number' && Number.isFinite(time)) return time
    throw source.refuse('import_shape', `has a chunk time that is no number: ${shown(time)}`)
  })
}

function inputTokens(info: SourceObject, usage: SourceObject | null): number | null {
  const told = usage?.count('prompt_tokens') ?? usage?.count('input_tokens') ?? null
  return told ?? info.part('request_metrics')?.part('text')?.count('input_tokens') ?? info.count('input_tokens')
}

function failed(source: SourceObject) {
  const error = source.part('error')
  if (error === null) return null
  const type = error.text('error_type') ?? ''
  const http = /^HTTP Error (\d{3})$/.exec(type)?.[1]
  return failureOf(oneLine(type, error.text('error_msg') ?? ''), httpFailure(http === undefined ? null : Number(http)))
}

function notAList(file: string) {
  const { howTo } = IMPORT_FILES['inference-perf']
  return refusal(file, { code: 'import_shape', what: 'it is no list of requests', hint: howTo })
}

function oneRun(file: string) {
  return refusal(file, {
    code: 'import_run',
    what: 'a per-request report does not part its stages',
    hint: 'leave --run out, and measure one stage a run',
  })
}
