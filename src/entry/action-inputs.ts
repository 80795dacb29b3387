import { closest } from 'fastest-levenshtein'
import type { OnHostChange } from '../core/gate/host-proof.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { Cache } from '../core/kernel/point.ts'
import { parseDecimal } from '../core/record/decimal.ts'
import { quoted } from '../core/record/refusal.ts'

export interface ActionInputs {
  command: 'run' | 'gate' | 'comment' | 'promote' | 'history' | 'lint' | 'sign-off'
  manifest: string
  /** Null: no override. */
  subject: string | null
  plan: 'confirm' | 'sweep'
  caches: Cache[]
  pack: string
  baseline: string
  /** Empty: no loss is accepted. */
  accepted: string
  /** Null: no budget. */
  budgetMinutes: number | null
  onInconclusive: 'fail' | 'warn'
  onMissingBaseline: 'fail' | 'record'
  onHostChange: OnHostChange
  comment: 'auto' | 'never'
  commentKey: string
  prNumber: number | null
  approvedSha: string | null
  newExperiment: boolean
  promoteAnchor: boolean
  /** Empty: the default branch's own right. */
  promoteEnvironment: string
  promoteReason: string
  /** How long another run on the same ports or GPUs is waited for; 0: not at all. */
  lockWaitMinutes: number
  /** `branch:NAME[:FOLDER]` or `dir:PATH`. */
  history: string
  /** The trend that a run belongs to; empty: as its pack says, else the gate's id. */
  series: string
  /** Days that keep every run; older ones are put together. */
  historyKeepDays: number
  trendPage: string
  driftIssues: 'auto' | 'never'
  onDrift: 'warn' | 'fail'
  /** Null: no cost is told. */
  pricePerGpuHour: number | null
  signOff: SignOffInputs
  token: string
}

/** Of `sign-off` alone. */
export interface SignOffInputs {
  /** What a release must show; empty: cold and warm. */
  policy: string
  /** Empty: the packs' own. */
  subject: string
  /** `drill=FILE` and `parity=FILE`, one a line. */
  evidence: string
  /** Empty: nobody's approval is asked for. */
  environment: string
  /** The run that the packs were taken from; null: nobody asks where they came from. */
  run: number | null
  /** A sign-off to check; empty: one is made. */
  check: string
  allowSimulated: boolean
}

/** How long a `confirm` may take where nothing is said: under the six hours of a hosted job. */
const CONFIRM_BUDGET_MINUTES = 330

/** Reads and checks every input. Throws GateError `input_invalid` (exit 64) that names the input, what it may be and what it was. */
export function readActionInputs(get: (name: string) => string): ActionInputs {
  const text = (name: string) => get(name).trim()
  const plan = oneOf('plan', text('plan'), ['confirm', 'sweep'])
  return {
    command: oneOf('command', text('command'), ['run', 'gate', 'comment', 'promote', 'history', 'lint', 'sign-off']),
    manifest: required('manifest', text('manifest')),
    subject: text('subject') === '' ? null : get('subject'),
    plan,
    caches: cachesOf(text('cache')),
    pack: required('pack', text('pack')),
    baseline: required('baseline', text('baseline')),
    accepted: text('accepted'),
    budgetMinutes: budgetOf(text('budget-minutes'), plan),
    onInconclusive: oneOf('on-inconclusive', text('on-inconclusive'), ['fail', 'warn']),
    onMissingBaseline: oneOf('on-missing-baseline', text('on-missing-baseline'), ['fail', 'record']),
    onHostChange: oneOf('on-host-change', text('on-host-change'), ['remeasure', 'accept', 'fail']),
    comment: oneOf('comment', text('comment'), ['auto', 'never']),
    commentKey: text('comment-key'),
    prNumber: prNumberOf(text('pr-number')),
    approvedSha: approvedShaOf(text('approved-sha')),
    newExperiment: isTrue('new-experiment', text('new-experiment')),
    promoteAnchor: isTrue('promote-anchor', text('promote-anchor')),
    promoteEnvironment: text('promote-environment'),
    promoteReason: text('promote-reason').slice(0, 2000),
    lockWaitMinutes: numberOrZero('lock-wait-minutes', text('lock-wait-minutes')),
    history: required('history', text('history')),
    series: text('series').slice(0, 200),
    historyKeepDays: daysOf('history-keep-days', text('history-keep-days')),
    trendPage: required('trend-page', text('trend-page')),
    driftIssues: oneOf('drift-issues', text('drift-issues'), ['auto', 'never']),
    onDrift: oneOf('on-drift', text('on-drift'), ['warn', 'fail']),
    pricePerGpuHour: optionalNumber('price-per-gpu-hour', text('price-per-gpu-hour')),
    signOff: signOffInputs(text),
    token: text('github-token'),
  }
}

function signOffInputs(text: (name: string) => string): SignOffInputs {
  return {
    policy: text('sign-off-policy'),
    subject: text('sign-off-subject'),
    evidence: text('sign-off-evidence'),
    environment: text('sign-off-environment'),
    run: runOf(text('sign-off-run')),
    check: text('sign-off-check'),
    allowSimulated: isTrue('allow-simulated', text('allow-simulated')),
  }
}

function oneOf<const T extends string>(name: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value)
  if (found !== undefined) return found
  const meant = value === '' ? '' : `; did you mean ${closest(value, choices)}?`
  throw invalid(name, value, `it is one of ${choices.join(', ')}${meant}`)
}

function isTrue(name: string, value: string): boolean {
  return oneOf(name, value, ['true', 'false']) === 'true'
}

function required(name: string, value: string): string {
  if (value === '' || value.includes('\0')) throw invalid(name, value, 'it must not be empty')
  return value
}

function cachesOf(value: string): Cache[] {
  const asked = new Set(value.split(',').map((part) => part.trim()))
  const known = (['cold', 'warm'] as const).filter((cache) => asked.delete(cache))
  if (asked.size > 0 || known.length === 0) throw invalid('cache', value, 'it is cold, warm or cold,warm')
  return known
}

function budgetOf(value: string, plan: ActionInputs['plan']): number | null {
  return optionalNumber('budget-minutes', value) ?? (plan === 'confirm' ? CONFIRM_BUDGET_MINUTES : null)
}

function optionalNumber(name: string, value: string): number | null {
  if (value === '') return null
  const number = parseDecimal(value)
  if (!Number.isFinite(number) || number <= 0) throw invalid(name, value, 'it is a number above 0')
  return number
}

function daysOf(name: string, value: string): number {
  if (!/^\d{1,5}$/.test(value)) throw invalid(name, value, 'it is a whole number of days')
  return Number(value)
}

function runOf(value: string): number | null {
  if (value === '') return null
  if (!/^[1-9]\d{0,14}$/.test(value))
    throw invalid('sign-off-run', value, 'it is the number of a workflow run, from its address')
  return Number(value)
}

function numberOrZero(name: string, value: string): number {
  return value === '0' ? 0 : (optionalNumber(name, value) ?? 0)
}

function prNumberOf(value: string): number | null {
  if (value === '') return null
  if (!/^[1-9]\d{0,9}$/.test(value)) throw invalid('pr-number', value, 'it is the number of a pull request')
  return Number(value)
}

function approvedShaOf(value: string): string | null {
  if (value === '') return null
  if (!/^[0-9a-f]{40}$/.test(value))
    throw invalid('approved-sha', value, 'it is a whole commit: 40 hex digits, lower case')
  return value
}

function invalid(name: string, value: string, hint: string): GateError {
  return new GateError({
    code: 'input_invalid',
    message: `the input ${name} cannot be ${quoted(value)}`,
    hint,
    exitCode: EXIT.usage,
  })
}
