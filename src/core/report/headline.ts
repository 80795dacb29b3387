import { mendOf } from '../gate/reason-table.ts'
import { allReasons, decidingState, isUnderAcceptedLoss } from '../gate/verdict.ts'
import type { Outcome, StateVerdict, Verdict } from '../gate/verdict.ts'
import type { CapacityRecord } from '../capacity/record.ts'
import type { ReportInput } from './context.ts'
import type { Ink } from './escape.ts'
import { milliRps, plural, rps, signedPercent } from './numbers.ts'

/** There are two cache states; a verdict from a file may claim more. */
export const STATES_MAX = 2
const REASON_MAX = 200

/** Says whether action is needed: the one line that everybody reads. */
const HEADINGS: Record<Outcome, string> = {
  held: '✅ Capacity held: no action needed',
  improved: '✅ Capacity improved: no action needed, accept it to keep it',
  regressed: '❌ Capacity regressed: action needed',
  inconclusive: '⚠️ Capacity not decided: action needed',
  invalid: '❌ Measurement invalid: action needed',
  recorded: '⚠️ NOT GATED: first capacity recorded, action needed to gate the next change',
}

/** The heading of a verdict. */
export function heading(verdict: Verdict): string {
  return isUnderAcceptedLoss(verdict)
    ? '⚠️ Capacity held (accepted loss): no action needed until it expires'
    : HEADINGS[verdict.outcome]
}

/** A verdict in a word or two: whether a loss was accepted is part of it. */
export function verdictWord(verdict: Verdict): string {
  return isUnderAcceptedLoss(verdict) ? 'held (accepted loss)' : verdict.outcome
}

export const SIMULATED =
  'Simulated: these numbers come from the embedded engine, a model. They are no measured capacity of any hardware.'

/** By a limiting metric's own name. A map: a name from a file may be one that every object answers to. */
export const METRIC_NAMES: ReadonlyMap<string, string> = new Map([
  ['ttft', 'TTFT'],
  ['tpot', 'TPOT'],
  ['e2e', 'E2E'],
  ['errors', 'errors'],
  ['queue', 'queue growth'],
  ['samples', 'too few samples'],
])

/**
 * The verdict in one sentence, without its word: which subject, capacity before and after for each state and a replica, and what limits
 * it. States that have nothing of their own to say share the run's reason. `where` follows the subject: its revision.
 */
export function sentence({ verdict, record }: ReportInput, ink: Ink, where = ''): string {
  const { name, version } = record.subject
  const states = verdict.states.slice(0, STATES_MAX)
  const why = verdict.reasons[0]
  const silent = why === undefined ? [] : states.filter(({ reasons }) => reasons.length === 0)
  const own = states.filter((state) => !silent.includes(state)).map((state) => phrase(state, ink, replicasOf(record)))
  const shared =
    why === undefined ? [] : [`${silent.map(({ cache }) => cache).join(' and ')} ${runPhrase(verdict, ink)}`.trim()]
  return `${ink.name(name)} ${ink.name(version)}${where}: ${[...own, ...shared].join('; ')}.`
}

function runPhrase(verdict: Verdict, ink: Ink): string {
  const [first, ...more] = verdict.reasons
  const rest = more.length === 0 ? '' : ` (and ${plural(more.length, 'more reason')})`
  return `${verdict.outcome}: ${ink.text(first?.text ?? '', REASON_MAX)}${rest}`
}

/** What the candidate carries, in RPS: a confirmation that held gives a lower bound. */
export function carriedRps(state: StateVerdict): string {
  return `${isLowerBound(state) ? '≥ ' : ''}${milliRps(state.candidateMilliRps)}`
}

/** A confirmation that held asked for nothing above the guard rate. */
function isLowerBound({ changeShare, outcome, candidateMilliRps }: StateVerdict): boolean {
  return changeShare === null && outcome === 'held' && candidateMilliRps !== null
}

/** How many replicas the experiment places; null where the record does not say. */
export function replicasOf({ experiment: { value } }: CapacityRecord): number | null {
  let found: unknown = value
  for (const key of ['engine', 'placement', 'replicas']) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return null
    found = (found as Record<string, unknown>)[key]
  }
  return typeof found === 'number' && Number.isSafeInteger(found) && found > 0 && found <= 65_536 ? found : null
}

/** What one replica of several carries, before and after. */
export function perReplica(state: StateVerdict, replicas: number | null): string {
  if (replicas === null || replicas === 1) return ''
  const share = (milli: number) => rps(Math.round(milli / replicas) / 1000)
  const { baselineMilliRps: before, candidateMilliRps: after } = state
  const each = [
    ...(before === null ? [] : [share(before)]),
    ...(after === null ? [] : [`${isLowerBound(state) ? '≥ ' : ''}${share(after)}`]),
  ]
  return each.length === 0 ? '' : `${each.join(' → ')} a replica`
}

function inBrackets(...parts: string[]): string {
  const said = parts.filter((part) => part !== '')
  return said.length === 0 ? '' : ` (${said.join('; ')})`
}

function phrase(state: StateVerdict, ink: Ink, replicas: number | null): string {
  const { cache, outcome } = state
  const after = milliRps(state.candidateMilliRps)
  const before = milliRps(state.baselineMilliRps)
  const each = perReplica(state, replicas)
  const change = state.changeShare === null ? '' : `${signedPercent(state.changeShare)} %`
  switch (outcome) {
    case 'recorded':
      return `${cache} carries ${after} RPS${inBrackets(each)}, compared with nothing`
    case 'inconclusive':
    case 'invalid': {
      const why = state.reasons[0]
      return why === undefined ? `${cache} ${outcome}` : `${cache} ${outcome}: ${ink.text(why.text, REASON_MAX)}`
    }
    case 'held':
    case 'improved':
      if (state.changeShare === null)
        return `${cache} holds ${after} of ${before} RPS${inBrackets(each)}${underLoss(state)}`
      return `${cache} ${before} → ${after} RPS${inBrackets(change, each)}${underLoss(state)}`
    case 'regressed': {
      const now = state.candidateMilliRps === null ? 'no tested rate passes' : `${after} RPS`
      const from = state.baselineMilliRps === null ? 'carries ' : `${before} → `
      const asked = state.guardFrom === 'baseline' ? '' : `, under the ${milliRps(state.guardMilliRps)} asked for`
      return `${cache} ${from}${now}${inBrackets(change, state.candidateMilliRps === null ? '' : each)}${asked}${limitedBy(state, ink)}`
    }
  }
}

function underLoss({ acceptedLoss }: StateVerdict): string {
  return acceptedLoss === undefined ? '' : `, a loss that was accepted down to ${milliRps(acceptedLoss.floorMilliRps)}`
}

function limitedBy({ limiting }: StateVerdict, ink: Ink): string {
  if (limiting === null) return ''
  return `, limited by ${ink.name(limiting.class)} (${METRIC_NAMES.get(limiting.metric) ?? ink.text(limiting.metric)})`
}

/** What to do now, most pressing first; empty where there is nothing to do. The commands are the command line's own. */
export function nextSteps({ verdict }: ReportInput): string[] {
  const steps = [
    ...new Set(decidingReasons(verdict).flatMap(({ code }) => (code === 'guard_held' ? [] : (mendOf(code) ?? [])))),
  ].slice(0, 5)
  const lost = verdict.states.filter(
    ({ outcome, baselineMilliRps }) => outcome === 'regressed' && baselineMilliRps !== null,
  )
  if (lost.length > 0 && lost.every((state) => state.changeShare === null)) {
    steps.push('The size of the loss was not found: `--plan sweep` measures it.')
  }
  return steps
}

/** The reasons that led to the verdict's outcome: the whole run's, and those of the states that have it. */
function decidingReasons(verdict: Verdict) {
  const worst = decidingState(verdict)?.outcome
  const deciding = new Set(verdict.states.filter((state) => state.outcome === worst).map((state) => state.cache))
  return allReasons(verdict).filter(({ cache }) => cache === null || deciding.has(cache))
}
