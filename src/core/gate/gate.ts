import type { Evidence, Reason } from '../kernel/evidence.ts'
import { EXIT, GateError } from '../kernel/errors.ts'
import type { Cache } from '../kernel/point.ts'
import { hostDifferences, hostDifferencesText } from '../capacity/host-change.ts'
import type { CapacityRecord, CapacityResult } from '../capacity/record.ts'
import { withAcceptedLoss } from './accepted/apply.ts'
import type { AcceptedLoss } from './accepted/loss.ts'
import { experimentReasons, incomparabilities, recordedDifferences, scheduleReasons } from './comparable.ts'
import { contradictions } from './consistency.ts'
import { hostFinding } from './host-proof.ts'
import type { HostFinding, OnHostChange } from './host-proof.ts'
import { importedReasons, shownState } from './imported.ts'
import { GATE_REASONS } from './reason-table.ts'
import { recordSha256 } from './read.ts'
import { judgeState } from './state.ts'
import type { Comparison } from './state.ts'
import { readTerms } from './terms.ts'
import type { Terms } from './terms.ts'
import { worstOutcome } from './verdict.ts'
import type { Outcome, StateVerdict, Verdict } from './verdict.ts'
import { evidenceText, reason } from './wording.ts'

const CACHES = ['cold', 'warm'] as const

export interface GateInput {
  candidate: CapacityRecord
  /** The accepted record of the same gate; null where there is none yet. */
  baseline: CapacityRecord | null
  /** The last release's record, so that small losses do not add up unseen; null where there is none. */
  anchor: CapacityRecord | null
  onMissingBaseline: 'fail' | 'record'
  /** Losses that were accepted; none where they are left out. */
  acceptedLosses?: readonly AcceptedLoss[]
  /** What a machine that differs from the baseline's in what is recorded means. By default it must be proven. */
  onHostChange?: OnHostChange
}

/**
 * Compares a run's capacity with the accepted one, each cache state apart; the worst counts. Pure: everything comes from the
 * records. A verdict is a value, whatever it says; throws GateError `record_schema_newer` (exit 4) for a record of a later schema.
 */
export function gate(input: GateInput): Verdict {
  const { candidate, baseline, anchor } = input
  for (const record of [candidate, baseline, anchor]) if (record !== null) requireOwnSchema(record)
  const terms = readTerms(candidate)
  const reasons = [...runReasons(input, terms), ...evidenceReasons(candidate)]
  const imported = importedReasons(candidate, baseline)
  const fixed = barsOf(input, imported.length > 0)
  const host = terms === null || imported.length > 0 || fixed.length > 0 ? SAME_HOST : hostOf(input, terms)
  const bars = [...fixed, ...host.bars]
  const states =
    terms === null ? [] : imported.length > 0 ? showStates(input, terms, bars) : judgeStates(input, terms, bars, host)
  reasons.push(...imported, ...bars)
  // What could not have been compared need not be measured: the bars say why.
  if (candidate.capacity.length === 0 && bars.length === 0 && !reasons.some(({ code }) => code === 'engine_failed')) {
    reasons.push(reason('nothing_measured', 'the candidate holds no cache state'))
  }
  // A void measurement says nothing, not even a loss: invalid here outranks what the states say.
  const isVoid = reasons.some((item) => outcomeOf(item) === 'invalid')
  const runOutcome = isVoid ? 'invalid' : worstOutcome(reasons.map(outcomeOf))
  const settled = states.map((state) => settle(state, runOutcome, isVoid))
  return {
    version: 1,
    outcome: worstOutcome(settled.map((state) => state.outcome)) ?? runOutcome ?? 'invalid',
    candidateSha256: recordSha256(candidate),
    baselineSha256: baseline === null ? null : recordSha256(baseline),
    anchorSha256: anchor === null ? null : recordSha256(anchor),
    reasons,
    states: settled,
  }
}

/** A state under the run's own outcome. What the state alone would have said is then a note: it did not decide. */
function settle(state: StateVerdict, runOutcome: Outcome | null, isVoid: boolean): StateVerdict {
  const outcome = isVoid ? 'invalid' : (worstOutcome([state.outcome, runOutcome ?? state.outcome]) ?? state.outcome)
  if (outcome === state.outcome) return state
  const { acceptedLoss: _, ...alone } = state
  return { ...alone, outcome, changeShare: null, reasons: [], notes: [...state.reasons, ...state.notes] }
}

/** What stands in the way of a comparison. Another tool's cohort is only shown beside another: for that the experiment must be one. */
function barsOf({ candidate, baseline }: GateInput, isImported: boolean): Reason[] {
  if (baseline === null) return []
  return isImported ? experimentReasons(candidate, baseline) : incomparabilities(candidate, baseline)
}

const SAME_HOST: HostFinding = { bars: [], notes: [] }

function hostOf({ candidate, baseline, onHostChange = 'remeasure' }: GateInput, terms: Terms): HostFinding {
  if (baseline === null) return SAME_HOST
  const caches = CACHES.filter((cache) => isAsked(candidate, cache))
  return hostFinding({ candidate, baseline, onHostChange, terms, caches })
}

function showStates({ candidate, baseline }: GateInput, terms: Terms, bars: readonly Reason[]): StateVerdict[] {
  return CACHES.filter((cache) => isAsked(candidate, cache)).map((cache) => {
    const base = baseline === null || bars.length > 0 ? null : resultOf(baseline, cache)
    return shownState({ cache, terms, now: resultOf(candidate, cache), base })
  })
}

function judgeStates(input: GateInput, terms: Terms, bars: readonly Reason[], host: HostFinding): StateVerdict[] {
  const { candidate, baseline, anchor } = input
  // The states that the run was asked for have a frozen schedule; another that the baseline holds is named, and not judged.
  const caches = CACHES.filter((cache) => isAsked(candidate, cache))
  const unasked = CACHES.filter(
    (cache) => !isAsked(candidate, cache) && baseline !== null && resultOf(baseline, cache) !== null,
  )
  const elsewhere = anchor === null ? [] : anchorElsewhere(candidate, anchor)
  // On a machine that was not proven, a loss against another machine's anchor may be the machine's as well.
  const anchorBars =
    anchor === null ? [] : [...incomparabilities(candidate, anchor), ...(host.bars.length > 0 ? elsewhere : [])]
  return caches.map((cache) => {
    const held = anchor === null ? null : anchorFor(candidate, anchor, cache, anchorBars)
    const notes = held === null || held.milliRps !== null ? [] : [reason('anchor_not_compared', held.why)]
    if (held !== null && held.milliRps !== null) notes.push(...elsewhere)
    notes.push(...host.notes)
    if (baseline !== null && bars.length === 0) notes.push(...recordedDifferences(candidate, baseline))
    for (const other of unasked)
      notes.push(reason('state_not_asked', `the run was not asked for ${other}: it says nothing of it`))
    const state = judgeState({
      cache,
      terms,
      result: resultOf(candidate, cache),
      boots: candidate.boots,
      comparison: comparisonFor(input, cache, bars),
      anchorMilliRps: held?.milliRps ?? null,
      notes,
    })
    return withAcceptedLoss({
      state,
      result: resultOf(candidate, cache),
      terms,
      losses: input.acceptedLosses ?? [],
      owner: { gateId: candidate.gateId, subjectSha256: candidate.subject.sha256 },
    })
  })
}

function anchorElsewhere(candidate: CapacityRecord, anchor: CapacityRecord): Reason[] {
  const differences = hostDifferences(candidate.hardware.recorded, anchor.hardware.recorded)
  if (differences.length === 0) return []
  const text = `the anchor was measured on another machine: ${hostDifferencesText(differences)}`
  return [reason('anchor_of_another_machine', text)]
}

/** The anchor's capacity in one state, or why it takes no part. */
function anchorFor(
  candidate: CapacityRecord,
  anchor: CapacityRecord,
  cache: Cache,
  bars: readonly Reason[],
): { milliRps: number } | { milliRps: null; why: string } {
  const milliRps = resultOf(anchor, cache)?.passMilliRps ?? null
  const barred = bars[0] ?? (milliRps === null ? undefined : scheduleReasons(candidate, anchor, cache)[0])
  if (barred !== undefined) return { milliRps: null, why: barred.text }
  return milliRps === null ? { milliRps, why: `the anchor holds no ${cache} capacity` } : { milliRps }
}

function comparisonFor(
  { candidate, baseline, onMissingBaseline }: GateInput,
  cache: Cache,
  bars: readonly Reason[],
): Comparison {
  const missing = (why: Reason): Comparison => ({
    kind: 'none',
    otherwise: onMissingBaseline === 'record' ? null : [why],
  })
  if (baseline === null) return missing(reason('baseline_missing', 'there is no accepted capacity to compare with'))
  // The run's own reasons say why; the state has nothing to add.
  if (bars.length > 0) return { kind: 'none', otherwise: [] }
  const result = resultOf(baseline, cache)
  if (result === null) return missing(reason('baseline_state_missing', `the baseline holds no ${cache} result`))
  const otherwise = scheduleReasons(candidate, baseline, cache)
  if (result.plan !== 'sweep')
    otherwise.push(reason('baseline_not_a_sweep', `the baseline’s ${cache} result is a confirmation`))
  if (result.passMilliRps === null)
    otherwise.push(reason('baseline_without_capacity', `no ${cache} rate passed in the baseline`))
  if (otherwise.length > 0) return { kind: 'none', otherwise }
  return { kind: 'baseline', result, boots: baseline.boots }
}

/** Records that contradict themselves, or do not hold their own terms. */
function runReasons({ candidate, baseline, anchor }: GateInput, terms: Terms | null): Reason[] {
  if (terms === null) return [reason('experiment_unreadable', 'the candidate does not hold its acceptance terms')]
  return [
    ...contradictions(candidate, terms, 'candidate'),
    ...(baseline === null ? [] : contradictions(baseline, readTerms(baseline) ?? terms, 'baseline')),
    ...(anchor === null ? [] : contradictions(anchor, readTerms(anchor) ?? terms, 'anchor')),
  ]
}

/** Facts of the whole run: what runs is what is pinned, and neither client nor host nor engine failed outside a point. */
function evidenceReasons(record: CapacityRecord): Reason[] {
  const required = (items: readonly Evidence[]) => items.filter((item) => item.required && item.state !== 'pass')
  return [
    ...required(record.identity).map((item) =>
      reason(item.state === 'fail' ? 'identity_failed' : 'identity_unknown', evidenceText(item)),
    ),
    ...required(record.evidence).map((item) => {
      if (item.state === 'unknown') return reason('evidence_unknown', evidenceText(item))
      return reason(item.blames === 'engine' ? 'engine_failed' : 'evidence_failed', evidenceText(item))
    }),
  ].slice(0, 20)
}

function outcomeOf({ code }: Reason): Outcome {
  const outcome = Object.hasOwn(GATE_REASONS, code)
    ? GATE_REASONS[code as keyof typeof GATE_REASONS].outcome
    : 'invalid'
  return outcome === 'note' ? 'held' : outcome
}

function isAsked(record: CapacityRecord, cache: Cache): boolean {
  return Object.hasOwn(record.schedules, cache) || resultOf(record, cache) !== null
}

function resultOf(record: CapacityRecord, cache: Cache): CapacityResult | null {
  return record.capacity.find((result) => result.cache === cache) ?? null
}

function requireOwnSchema(record: CapacityRecord): void {
  const schema: number = record.schema
  if (schema === 1) return
  throw new GateError({
    code: 'record_schema_newer',
    message: `a capacity record is of schema ${schema}; this tool reads schema 1`,
    hint: 'update Capacity Gate, or measure the baseline again with this version',
    exitCode: EXIT.invalid,
  })
}
