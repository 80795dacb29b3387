import { benchArrays, benchEntries, refuseUnstreamed, runSeconds } from './bench-arrays.ts'
import { chosenDocument } from './chosen-run.ts'
import type { Importer } from './importer.ts'

/**
 * SGLang's `--output-details`: a run a line, appended to one file. It has neither start times nor latencies: E2E is TTFT and the ITLs
 * added up. A chunk's gap is spread evenly over its tokens there, so that gaps and chunks cannot be had back and stay empty.
 */
export const readSglang: Importer = async (documents, reading) => {
  const run = await chosenDocument(documents, reading, 'run')
  const entries = [...benchEntries(benchArrays(run, 'sglang'), reading.file)]
  refuseUnstreamed(run, entries)
  const requests = entries.map(({ source, request }) => ({
    ...request,
    // 0 is also what it writes where nothing was told.
    cachedTokens: request.status === 'ok' ? source.count('cached_tokens') : null,
  }))
  return { tool: 'sglang', version: null, requests, durationSeconds: runSeconds(run), notes: [] }
}
