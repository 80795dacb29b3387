import { chosenDocument, chosenRun } from './chosen-run.ts'
import { failureOf } from './failure.ts'
import type { ImportedRequest } from './imported-request.ts'
import { untold } from './imported-request.ts'
import type { Importer } from './importer.ts'
import { SourceObject } from './source-object.ts'
import { betweenUs } from './spans.ts'
import { IMPORT_FILES } from './tool.ts'

const SECOND_US = 1e6
const GROUPS = ['successful', 'errored', 'incomplete'] as const
type Group = (typeof GROUPS)[number]

/**
 * GuideLLM's benchmarks.json. Moments are epoch seconds of the wall clock; `targeted_start` is the only intended time that any of these
 * tools writes. `time_per_output_token_ms` includes the first token and `inter_token_latency_ms` is a mean: neither is read. Requests
 * outside the measured window (warm-up, cool-down) are in the lists too, and are left out by the tool's own rule.
 */
export const readGuidellm: Importer = async (documents, reading) => {
  const { file } = reading
  const report = await chosenDocument(documents, { file, run: null }, 'report')
  const benchmarks = (report.list('benchmarks') ?? []).map(
    (value, i) => new SourceObject(file, `benchmark ${i + 1}`, value),
  )
  const benchmark = chosenRun(benchmarks, reading, 'benchmark')
  const { requests, outside, incomplete } = requestsOf(benchmark)
  refuseSample(benchmark, requests.length)
  const notes = [
    ...(outside === 0 ? [] : [`requests outside the measured window (warm-up, cool-down) left out: ${outside}`]),
    ...(incomplete === 0 ? [] : [`requests that the benchmark’s end cut off, which count as errors: ${incomplete}`]),
  ]
  const version = report.part('metadata')?.text('guidellm_version') ?? null
  return { tool: 'guidellm', version, requests, durationSeconds: null, notes }
}

function requestsOf(benchmark: SourceObject) {
  const groups = benchmark.part('requests')
  if (groups === null) throw notDetailed(benchmark)
  const [fromUs, untilUs] = [momentUs(benchmark, 'start_time'), momentUs(benchmark, 'end_time')]
  const requests: ImportedRequest[] = []
  let [outside, incomplete] = [0, 0]
  for (const group of GROUPS) {
    for (const [i, value] of (groups.list(group) ?? []).entries()) {
      const place = `${benchmark.place}, ${group} request ${i + 1}`
      const request = requestOf(new SourceObject(benchmark.file, place, value), group)
      const isBefore = fromUs !== null && request.endAtUs !== null && request.endAtUs < fromUs
      const isAfter = untilUs !== null && (request.sentAtUs ?? request.endAtUs ?? 0) > untilUs
      if (isBefore || isAfter) {
        outside++
        continue
      }
      if (group === 'incomplete') incomplete++
      requests.push(request)
    }
  }
  return { requests, outside, incomplete }
}

function requestOf(source: SourceObject, group: Group): ImportedRequest {
  const info = source.part('info')
  const timings = info?.part('timings') ?? null
  if (info === null || timings === null)
    throw source.refuse('import_shape', 'has no info.timings', 'use GuideLLM 0.4 or later')
  const at = (name: string) => momentUs(timings, name)
  const sentAtUs = at('request_start') ?? at('resolve_start')
  const since = (name: string) => betweenUs(sentAtUs, at(name), source, `span to ${name}`)
  const [input, output] = [source.part('input_metrics'), source.part('output_metrics')]
  return {
    ...untold(source.place),
    ...failed(group, info),
    id: source.text('request_id') ?? info.text('request_id'),
    dueAtUs: at('targeted_start'),
    sentAtUs,
    endAtUs: at('request_end') ?? at('resolve_end'),
    ttftUs: since('first_token_iteration'),
    firstContentUs: since('first_output_token_iteration'),
    e2eUs: since('last_token_iteration'),
    inputTokens: input?.count('total_tokens') ?? input?.count('text_tokens') ?? null,
    // Without usage the tool counts chunks in its computed fields: those are no tokens. Here it then writes nothing, or the length that
    // it asked for: nothing tells that from a count.
    outputTokens: output?.count('total_tokens') ?? output?.count('text_tokens') ?? null,
    cachedTokens: input?.count('cached_tokens') ?? null,
    chunks: timings.count('token_iterations') || null,
    session: info.text('conversation_id'),
    turn: info.count('turn_index'),
  }
}

/** What the benchmark's end cut off was sent and not answered in time: it stays in the denominator. */
function failed(group: Group, info: SourceObject) {
  if (group === 'successful') return null
  return failureOf(group === 'errored' ? (info.text('error') ?? '') : '', null)
}

function momentUs(source: SourceObject, name: string): number | null {
  const seconds = source.number(name)
  return seconds === null || seconds < 0 ? null : seconds * SECOND_US
}

/** The tool can keep a sample of the requests only: then failures and tails are missing by chance. */
function refuseSample(benchmark: SourceObject, held: number): void {
  const total = benchmark.part('metrics')?.part('request_totals')?.count('total') ?? null
  if (total === null || total <= held) return
  const what = `measured ${total} requests, and the file holds ${held}: a sample is no cohort`
  throw benchmark.refuse('import_sampled', what, 'let GuideLLM keep every request')
}

function notDetailed(benchmark: SourceObject) {
  return benchmark.refuse('import_not_detailed', 'holds no requests', IMPORT_FILES.guidellm.howTo)
}
