import { refusal } from '../refusal.ts'
import { isObject } from './source-object.ts'
import { IMPORT_FILES } from './tool.ts'
import type { ImportTool } from './tool.ts'

/** Fields of a run that SGLang's benchmark writes and vLLM's does not. */
const SGLANG_ONLY = ['server_info', 'accept_length', 'total_output_tokens_retokenized', 'mean_e2e_latency_ms']
const VLLM_ONLY = ['endpoint_type', 'num_prompts', 'burstiness', 'model_id']

/** Whose per-request file a first JSON value is of; null where it is of none that is known. */
function toolOf(value: unknown): ImportTool | null {
  if (Array.isArray(value)) {
    const first: unknown = value[0]
    return isObject(first) && has(first, 'start_time', 'end_time') ? 'inference-perf' : null
  }
  if (!isObject(value)) return null
  if (isObject(value['metadata']) && has(value['metadata'], 'request_start_ns')) return 'aiperf'
  if (Array.isArray(value['benchmarks'])) return 'guidellm'
  if (!has(value, 'duration', 'completed')) return null
  if (SGLANG_ONLY.some((name) => has(value, name))) return 'sglang'
  return VLLM_ONLY.some((name) => has(value, name)) ? 'vllm' : null
}

/**
 * Throws GateError `import_wrong_tool` where the file's first value is another tool's, or a tool's summary without requests; what is not
 * recognised is left to the importer, which says what it misses.
 */
export function requireTool(asked: ImportTool, first: unknown, file: string): void {
  const found = toolOf(first)
  if (found === asked) return
  if (found !== null) {
    const what = `it looks like ${IMPORT_FILES[found].file}, not like ${IMPORT_FILES[asked].file}`
    throw refusal(file, { code: 'import_wrong_tool', what, hint: `import it with --from ${found}` })
  }
  const summary = isObject(first) ? summaryOf(first) : null
  if (summary === null) return
  const what = `it looks like ${summary[0]}, which holds no single requests`
  throw refusal(file, { code: 'import_not_detailed', what, hint: `hand in ${IMPORT_FILES[summary[1]].file}` })
}

function summaryOf(value: Readonly<Record<string, unknown>>): readonly [string, ImportTool] | null {
  if (has(value, 'load_summary')) return ['inference-perf’s summary', 'inference-perf']
  if (has(value, 'input_config') || has(value, 'request_throughput', 'request_latency')) {
    return ['AIPerf’s summary', 'aiperf']
  }
  return null
}

function has(value: Readonly<Record<string, unknown>>, ...names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(value, name))
}
