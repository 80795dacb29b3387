/** The tools whose files are read, as `import --from` names them. */
export const IMPORT_TOOLS = ['aiperf', 'vllm', 'sglang', 'guidellm', 'inference-perf'] as const
export type ImportTool = (typeof IMPORT_TOOLS)[number]

/** Each tool's file, and how to have it written. */
export const IMPORT_FILES: Record<ImportTool, { file: string; howTo: string }> = {
  aiperf: { file: 'AIPerf’s profile_export.jsonl', howTo: 'run AIPerf with --export-level records' },
  vllm: { file: 'vLLM’s detailed bench result', howTo: 'run vllm bench serve with --save-result --save-detailed' },
  sglang: { file: 'SGLang’s detailed bench result', howTo: 'run bench_serving with --output-details' },
  guidellm: { file: 'GuideLLM’s benchmarks.json', howTo: 'let GuideLLM write its JSON output' },
  'inference-perf': {
    file: 'inference-perf’s per_request_lifecycle_metrics.json',
    howTo: 'set report.request_lifecycle.per_request: true',
  },
}

/** What the column `origin` says of a file's rows: the tool, and its version where the file tells it. */
export function originOf(tool: ImportTool, version: string | null): string {
  const names: Record<ImportTool, string> = {
    aiperf: 'aiperf',
    vllm: 'vllm-bench',
    sglang: 'sglang-bench',
    guidellm: 'guidellm',
    'inference-perf': 'inference-perf',
  }
  const told = version?.replaceAll(/[^A-Za-z0-9._+-]/g, '').slice(0, 40) ?? ''
  return told === '' ? names[tool] : `${names[tool]}/${told}`
}
