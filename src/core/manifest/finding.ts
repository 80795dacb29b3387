import { redacted } from './secret-patterns.ts'

/** valid: enough for lint, schedule, analyze. deployable: what a run asks on top. */
export type Level = 'valid' | 'deployable'
type Severity = 'error' | 'warning'

/** One thing that is wrong with a manifest. Line and column count from 1. */
export interface Finding {
  rule: string
  severity: Severity
  /** `workload[2].mix`; of an override's field `subject override: engine.version`; empty: the whole file. */
  path: string
  line: number
  column: number
  message: string
  /** How to mend it. */
  hint: string
}

export type Path = readonly (string | number)[]

/** What a rule is, for its page; the checks stand beside it. */
export interface RuleText {
  /** Stable, kebab-case. */
  id: string
  title: string
  /** The level from which on it is asked. */
  level: Level
  severity: Severity
  why: string
  mend: string
}

/** A rule that was broken, and where. */
export interface Breach {
  path: Path
  message: string
  /** Where it says more than the rule's own `mend`. */
  hint?: string
  /** Point at the key instead of its value. */
  at?: 'key'
}

/** `workload[2].mix`; keys that are no plain words are quoted, cut and stripped of control characters. */
export function showPath(path: Path): string {
  return path.reduce<string>((shown, part) => {
    if (typeof part === 'number') return `${shown}[${part}]`
    if (!/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(part) || redacted(part) !== part) return `${shown}[${showValue(part)}]`
    return shown === '' ? part : `${shown}.${part}`
  }, '')
}

/** A finding's mend as a GateError's hint, which goes on after a colon: no capital, and no full stop. */
export function errorHint({ hint }: Pick<Finding, 'hint'>): string {
  return hint.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase()).replace(/\.$/, '')
}

/** A value for a message: one line, at most `longest` characters, a secret never shown. */
export function showValue(value: unknown, longest = 60): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'a mapping'
  if (typeof value !== 'string') return String(value)
  const safe = redacted(value)
  const cut = safe.length > longest ? `${safe.slice(0, longest - 1)}…` : safe
  return JSON.stringify(cut).replaceAll(/[\u007f-\u009f\u200b-\u200f\u2028-\u202f\u2066-\u2069\ufeff]/g, '\uFFFD')
}

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 })

/** 22000 → `22,000`; at most three decimals. */
export function showNumber(value: number): string {
  return grouped.format(value)
}
