import { showNumber, showValue, type Breach, type Path } from '../finding.ts'
import { valueAt } from '../schema-findings.ts'
import type { Rule, RuleInput } from './rule.ts'
import { namedClasses } from './workload.ts'

/** A field that has one admissible value, and why, beats the schema's list of allowed values. */
function fixedValue(path: Path, wanted: unknown): (input: RuleInput) => Breach[] {
  return ({ raw }) => {
    const value = valueAt(raw, path)
    if (value === undefined || value === wanted) return []
    return [{ path, message: `\`${path.join('.')}\` is ${showValue(value)}; only ${String(wanted)} is measured` }]
  }
}

function noWarmUp({ draft }: RuleInput): Breach[] {
  if (draft.client?.warmup_seconds !== 0) return []
  return [{ path: ['client', 'warmup_seconds'], message: '`client.warmup_seconds` is 0: there is no warm-up' }]
}

/** The longest that a request may take and still meet its cutoffs: TTFT cutoff + TPOT cutoff × tokens, or its E2E cutoff. */
export function slowestAdmissibleMs(shape: ReturnType<typeof namedClasses>[number]): number | null {
  const { request_ttft_cutoff_ms: ttftMs, request_tpot_cutoff_ms: tpotMs, output_tokens: tokens } = shape
  if (ttftMs === undefined || tpotMs === undefined || tokens === undefined) return null
  return Math.min(ttftMs + tpotMs * tokens, shape.request_e2e_cutoff_ms ?? Infinity)
}

function timeoutTooShort(input: RuleInput): Breach[] {
  const timeoutMs = (input.draft.client?.request_timeout_seconds ?? Number.NaN) * 1000
  return namedClasses(input).flatMap((shape): Breach[] => {
    const slowestMs = slowestAdmissibleMs(shape)
    if (slowestMs === null || !(timeoutMs < slowestMs)) return []
    const message = `request_timeout_seconds is ${showNumber(timeoutMs / 1000)} s; the slowest admissible request of the class ${showValue(shape.name)} takes ${showNumber(slowestMs / 1000)} s`
    const hint = `Set it to ${showNumber(Math.ceil(slowestMs / 1000))} s or more.`
    return [{ path: ['client', 'request_timeout_seconds'], message, hint }]
  })
}

function firstTokenTimeout(input: RuleInput): Breach[] {
  const timeoutMs = (input.draft.client?.first_token_timeout_seconds ?? Number.NaN) * 1000
  return namedClasses(input).flatMap((shape): Breach[] => {
    const cutoffMs = shape.request_ttft_cutoff_ms
    if (cutoffMs === undefined || !(timeoutMs < cutoffMs)) return []
    const message = `first_token_timeout_seconds is ${showNumber(timeoutMs / 1000)} s, below the TTFT cutoff of the class ${showValue(shape.name)} (${showNumber(cutoffMs)} ms)`
    return [{ path: ['client', 'first_token_timeout_seconds'], message }]
  })
}

function stallTimeout(input: RuleInput): Breach[] {
  const timeoutMs = (input.draft.client?.stall_timeout_seconds ?? Number.NaN) * 1000
  return namedClasses(input).flatMap((shape): Breach[] => {
    const cutoffMs = shape.request_tpot_cutoff_ms
    if (cutoffMs === undefined || !(timeoutMs < cutoffMs)) return []
    const message = `stall_timeout_seconds is ${showNumber(timeoutMs / 1000)} s, below the TPOT cutoff of the class ${showValue(shape.name)} (${showNumber(cutoffMs)} ms)`
    return [{ path: ['client', 'stall_timeout_seconds'], message }]
  })
}

const DURATIONS = [
  ['request_timeout_seconds', 3600],
  ['first_token_timeout_seconds', 3600],
  ['stall_timeout_seconds', 3600],
  ['warmup_seconds', 7200],
  ['minimum_duration_seconds', 86_400],
  ['maximum_duration_seconds', 86_400],
] as const

function milliseconds({ draft }: RuleInput): Breach[] {
  return DURATIONS.flatMap(([name, longest]): Breach[] => {
    const value = draft.client?.[name]
    if (value === undefined || value <= longest) return []
    const message = `\`client.${name}\` is ${showNumber(value)} s, which looks like milliseconds`
    return [{ path: ['client', name], message, hint: `If milliseconds were meant, write ${showNumber(value / 1000)}.` }]
  })
}

function durations({ draft }: RuleInput): Breach[] {
  const { minimum_duration_seconds: least, maximum_duration_seconds: most } = draft.client ?? {}
  if (least === undefined || most === undefined || least <= most) return []
  const message = `minimum_duration_seconds (${showNumber(least)}) is longer than maximum_duration_seconds (${showNumber(most)})`
  return [{ path: ['client', 'minimum_duration_seconds'], message }]
}

const error = { level: 'valid', severity: 'error' } as const

export const TIMING_RULES: readonly Rule[] = [
  {
    id: 'no-warm-up',
    title: 'There is no warm-up',
    ...error,
    why: 'The first requests meet kernels that are not compiled and connections that are not open; they would be judged as steady state.',
    mend: 'Set client.warmup_seconds: 60 is usual.',
    check: noWarmUp,
  },
  {
    id: 'retries-on',
    title: 'Automatic retries are on',
    ...error,
    why: 'A retried failure disappears from the error rate and adds load that nobody scheduled.',
    mend: 'Set client.automatic_retries to false.',
    check: fixedValue(['client', 'automatic_retries'], false),
  },
  {
    id: 'not-streaming',
    title: 'Answers are not streamed',
    ...error,
    why: 'Without a stream neither the first token nor the time between tokens can be seen.',
    mend: 'Set client.streaming to true.',
    check: fixedValue(['client', 'streaming'], true),
  },
  {
    id: 'timeout-too-short',
    title: 'The request timeout cuts off admissible requests',
    ...error,
    why: 'A request may take its TTFT cutoff and its TPOT cutoff for every token. A shorter deadline turns passing requests into errors.',
    mend: 'Raise client.request_timeout_seconds (it is in seconds; cutoffs are in milliseconds).',
    check: timeoutTooShort,
  },
  {
    id: 'first-token-timeout-too-short',
    title: 'The first-token deadline is below a TTFT cutoff',
    ...error,
    why: 'It turns requests that meet their cutoff into timeouts.',
    mend: 'Raise client.first_token_timeout_seconds above the largest TTFT cutoff.',
    check: firstTokenTimeout,
  },
  {
    id: 'stall-timeout-too-short',
    title: 'The stall deadline is below a TPOT cutoff',
    ...error,
    why: 'TPOT is an average: single gaps are longer. A deadline below it ends requests that meet their cutoff.',
    mend: 'Raise client.stall_timeout_seconds to many times the largest TPOT cutoff.',
    check: stallTimeout,
  },
  {
    id: 'duration-unit',
    title: 'A duration looks like milliseconds',
    level: 'valid',
    severity: 'warning',
    why: 'Durations are seconds. A deadline of many hours never ends a hung request.',
    mend: 'Write the duration in seconds.',
    check: milliseconds,
  },
  {
    id: 'durations-crossed',
    title: 'The minimum duration is longer than the maximum',
    ...error,
    why: 'No point could satisfy both.',
    mend: 'Correct one of the two.',
    check: durations,
  },
]
