import type { RuleText } from '../finding.ts'
import { SCHEMA_RULES } from '../schema-rules-table.ts'
import { YAML_RULES } from '../yaml-rules-table.ts'
import { ACCEPTANCE_RULES } from './acceptance.ts'
import { ARRIVAL_RULES } from './arrivals.ts'
import { BROKEN_BENCHMARK_RULES } from './broken-benchmark.ts'
import { BURST_RULES } from './bursts.ts'
import { CACHE_RULES } from './cache.ts'
import { CONNECTION_RULES } from './connection.ts'
import { ENGINE_ARGUMENT_RULES } from './engine-arguments.ts'
import { PINNING_RULES } from './pinning.ts'
import { PLACEMENT_RULES } from './placement.ts'
import { PROMPT_RULES } from './prompts.ts'
import type { Rule } from './rule.ts'
import { SAMPLE_RULES } from './samples.ts'
import { SECRET_RULES } from './secrets.ts'
import { SESSION_RULES } from './sessions.ts'
import { SWEEP_RULES } from './sweep.ts'
import { TIMING_RULES } from './timing.ts'
import { WORKLOAD_RULES } from './workload.ts'

/** The lint rules of a manifest, by theme. */
const LINT_THEMES: readonly { theme: string; rules: readonly Rule[] }[] = [
  { theme: 'What is pinned', rules: PINNING_RULES },
  { theme: 'The workload', rules: WORKLOAD_RULES },
  { theme: 'Sessions', rules: SESSION_RULES },
  { theme: 'Arrivals', rules: [...ARRIVAL_RULES, ...BURST_RULES] },
  { theme: 'Samples', rules: SAMPLE_RULES },
  { theme: 'Time and retries', rules: TIMING_RULES },
  { theme: 'Cache state and prompts', rules: CACHE_RULES },
  { theme: 'Datasets and cancellation', rules: PROMPT_RULES },
  { theme: 'The connection', rules: CONNECTION_RULES },
  { theme: 'Placement and deployment', rules: PLACEMENT_RULES },
  { theme: "The engine's arguments", rules: ENGINE_ARGUMENT_RULES },
  { theme: 'Secrets', rules: SECRET_RULES },
  { theme: 'Rates', rules: SWEEP_RULES },
  { theme: 'Acceptance', rules: ACCEPTANCE_RULES },
]

export const LINT_RULES: readonly Rule[] = LINT_THEMES.flatMap(({ rules }) => rules)

/** Everything that a finding can name, for its page. */
export const RULE_THEMES: readonly { theme: string; rules: readonly RuleText[] }[] = [
  { theme: 'The file', rules: Object.values(YAML_RULES) },
  { theme: 'The fields', rules: Object.values(SCHEMA_RULES) },
  { theme: 'A benchmark that is none', rules: BROKEN_BENCHMARK_RULES },
  ...LINT_THEMES,
]
