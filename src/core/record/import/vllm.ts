import { benchArrays, benchEntries, refuseUnstreamed, runSeconds } from './bench-arrays.ts'
import type { BenchEntry } from './bench-arrays.ts'
import { chosenDocument } from './chosen-run.ts'
import type { ImportedRequest } from './imported-request.ts'
import type { Importer } from './importer.ts'
import type { SourceObject } from './source-object.ts'
import { spanUs, summarizeGaps } from './spans.ts'

const SECOND_US = 1e6

/**
 * vLLM's `--save-result --save-detailed`, of the Python and the Rust client alike: one object, or one a line where it was appended.
 * `start_times` are of the client's own clock (perf_counter), in seconds; older files lack them and `latencies`. `queue_times`, what a
 * request waited for a place under --max-concurrency, is no send lag: nothing says when the request was due.
 */
export const readVllm: Importer = async (documents, reading) => {
  const run = await chosenDocument(documents, reading, 'run')
  const entries = [...benchEntries(benchArrays(run, 'vllm'), reading.file)]
  refuseUnstreamed(run, entries)
  const requests = entries.map(requestOf)
  return { tool: 'vllm', version: null, requests, durationSeconds: runSeconds(run), notes: clientNotes(run) }
}

function requestOf({ source, request, gaps }: BenchEntry): ImportedRequest {
  const isOk = request.status === 'ok'
  const start = source.number('start_times')
  // The clients leave 0 where a request failed before it was begun.
  const sentAtUs = start === null || (!isOk && start === 0) ? null : start * SECOND_US
  const latencyUs = spanUs(source.number('latencies'), SECOND_US, source, 'latency')
  const e2eUs = isOk ? (latencyUs ?? request.e2eUs) : request.e2eUs
  const hasEnded = sentAtUs !== null && latencyUs !== null && latencyUs > 0
  return {
    ...request,
    sentAtUs,
    endAtUs: hasEnded ? sentAtUs + latencyUs : null,
    e2eUs,
    chunks: request.ttftUs === null ? null : gaps.length + 1,
    gapUs: summarizeGaps(gaps),
  }
}

function clientNotes(run: SourceObject): string[] {
  const cap = run.number('max_concurrency')
  const isChat = (run.text('backend') ?? run.text('endpoint_type') ?? '').includes('chat')
  return [
    ...(cap === null
      ? []
      : [`at most ${cap} requests were in flight: a request that waited for a place was sent late`]),
    ...(isChat ? ['this client takes a chat stream’s role chunk for the first token: TTFT may be far too short'] : []),
  ]
}
