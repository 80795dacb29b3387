import { refusal } from '../refusal.ts'
import { failureOf, httpFailure, oneLine } from './failure.ts'
import type { ImportedRequest } from './imported-request.ts'
import { untold } from './imported-request.ts'
import type { Importer } from './importer.ts'
import { SourceObject, asCount, shown } from './source-object.ts'
import { betweenUs, gapsUs, spanUs, summarizeGaps, unitUs } from './spans.ts'

/**
 * AIPerf's profile_export.jsonl: a request a line, read line by line. Moments are epoch nanoseconds; metrics carry their unit. Warm-up
 * records are left out. `inter_token_latency` is a mean and is not read; `credit_issued_ns` is when the tool let a request go, not when
 * it was due.
 */
export const readAiperf: Importer = async (documents, { file, run }) => {
  if (run !== null) throw oneRun(file)
  const requests: ImportedRequest[] = []
  let warmup = 0
  for await (const { line, value } of documents) {
    const source = new SourceObject(file, `line ${line}`, value)
    if (isWarmup(source)) warmup++
    else requests.push(requestOf(source))
  }
  const notes = warmup === 0 ? [] : [`warm-up records left out: ${warmup}`]
  return { tool: 'aiperf', version: null, requests, durationSeconds: null, notes }
}

function isWarmup(source: SourceObject): boolean {
  const phase = source.part('metadata')?.text('benchmark_phase') ?? 'profiling'
  if (phase === 'warmup' || phase === 'profiling') return phase === 'warmup'
  throw source.refuse('import_shape', `is of the phase ${shown(phase)}, which is neither warmup nor profiling`)
}

function requestOf(source: SourceObject): ImportedRequest {
  const metadata = source.part('metadata')
  if (metadata === null) throw source.refuse('import_shape', 'has no metadata')
  const moment = (name: string) => {
    const ns = metadata.number(name)
    return ns === null ? null : ns / 1000
  }
  const sentAtUs = moment('request_start_ns')
  const endAtUs = moment('request_end_ns')
  const wholeUs = betweenUs(sentAtUs, endAtUs, source, 'span from request_start_ns to request_end_ns')
  const metrics = source.part('metrics')
  const gaps = metrics?.part('inter_chunk_latency') ?? null
  const list = gaps?.list('value') ?? null
  const chunkGaps = list === null ? null : gapsUs(list, unitUs(gaps?.text('unit') ?? null, source, 'gaps'), source)
  const failure = failed(source, metadata)
  return {
    ...untold(source.place),
    ...failure,
    id: metadata.text('x_request_id'),
    sentAtUs,
    endAtUs,
    ttftUs: metricUs(metrics, 'time_to_first_token'),
    e2eUs: metricUs(metrics, 'request_latency') ?? (failure === null ? wholeUs : null),
    inputTokens: tokens(metrics, 'input_sequence_length') ?? tokens(metrics, 'error_isl'),
    outputTokens: outputTokens(metrics),
    chunks: chunkGaps === null ? null : chunkGaps.length + 1,
    gapUs: chunkGaps === null ? null : summarizeGaps(chunkGaps),
    session: metadata.text('x_correlation_id'),
    turn: metadata.count('turn_index'),
  }
}

function failed(source: SourceObject, metadata: SourceObject) {
  const error = source.part('error')
  const cancelled = metadata.flag('was_cancelled') === true
  if (error === null && !cancelled) return null
  const code = error?.number('code') ?? null
  const type = error?.text('type') ?? ''
  if (cancelled || code === 499 || type === 'RequestCancellationError') {
    return { status: 'cancelled', errorCode: 'planned_cancellation', httpStatus: null } as const
  }
  return failureOf(oneLine(type, error?.text('message') ?? ''), httpFailure(code))
}

function metricUs(metrics: SourceObject | null, name: string): number | null {
  const metric = metrics?.part(name) ?? null
  const value = metric?.number('value') ?? null
  if (metric === null || value === null) return null
  return spanUs(value, unitUs(metric.text('unit'), metric, name), metric, name)
}

function tokens(metrics: SourceObject | null, name: string): number | null {
  const metric = metrics?.part(name) ?? null
  if (metric === null) return null
  return asCount(metric.number('value'), () => metric.refuse('import_shape', 'is no whole number of tokens'))
}

/** Reasoning tokens are generated too: `output_token_count` leaves them out. */
function outputTokens(metrics: SourceObject | null): number | null {
  const whole = tokens(metrics, 'output_sequence_length')
  if (whole !== null) return whole
  const visible = tokens(metrics, 'output_token_count')
  return visible === null ? null : visible + (tokens(metrics, 'reasoning_token_count') ?? 0)
}

function oneRun(file: string) {
  const hint = 'leave --run out; each AIPerf run writes a file of its own'
  return refusal(file, { code: 'import_run', what: 'a profile export holds one run only', hint })
}
