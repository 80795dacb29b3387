import { isDecisive, openMilliRps } from '../capacity/by-rate.ts'
import type { CapacityRecord, CapacityResult } from '../capacity/record.ts'
import { recordSha256 } from '../gate/read.ts'
import { readTerms } from '../gate/terms.ts'
import type { StateVerdict, Verdict } from '../gate/verdict.ts'
import { canonicalSha256 } from '../kernel/canonical.ts'
import { EXIT, GateError } from '../kernel/errors.ts'
import { worstAttainment } from '../slo/worst-attainment.ts'
import { historyPointSchema } from './point-schema.ts'
import type { HistoryPoint } from './point.ts'

const DEFAULT_TOLERANCE = 0.04

export interface RunFacts {
  /** Null: the gate's id. */
  series: string | null
  runUrl: string | null
}

/**
 * The points of a run, one for each cache state of its record, under the verdict that was given on it.
 *
 * @throws GateError (exit 4) `history_verdict_differs` where the verdict is on another record, `history_kind` for an imported
 *   record, `history_point_invalid` for facts that no history takes (a time that is none, a name without a character)
 */
export function historyPoints(record: CapacityRecord, verdict: Verdict, facts: RunFacts): HistoryPoint[] {
  const run = recordSha256(record)
  if (verdict.candidateSha256 !== run) {
    throw refusal(
      'history_verdict_differs',
      'verdict.json is on another record than capacity.json',
      'take both from one unchanged pack',
    )
  }
  const { kind } = record
  if (kind === 'imported') {
    throw refusal(
      'history_kind',
      'an imported record has no place in the history: another tool sent its requests',
      'add the record of a run',
    )
  }
  return record.capacity.map((result) => checked(pointOf({ ...record, kind }, result, verdict, { ...facts, run })))
}

function pointOf(
  record: CapacityRecord & { kind: HistoryPoint['kind'] },
  result: CapacityResult,
  verdict: Verdict,
  facts: RunFacts & { run: string },
): HistoryPoint {
  const { subject, hardware } = record
  const state = verdict.states.find(({ cache }) => cache === result.cache)
  return {
    schema: 1,
    at: record.createdAt,
    run: facts.run,
    series: line(facts.series ?? record.gateId, 200),
    kind: record.kind,
    cache: result.cache,
    experiment: record.experiment.sha256,
    hardware: canonicalSha256(hardware.mustEqual),
    machine: machineText(hardware.mustEqual),
    subject: {
      sha256: subject.sha256,
      name: line(subject.name, 200),
      version: line(subject.version, 200),
      image: subject.image === null ? null : line(subject.image, 400),
    },
    commit: record.commit === null ? null : line(record.commit, 100),
    ...judged(state, verdict),
    ...measured(result, state),
    toleranceShare: readTerms(record)?.toleranceShare ?? DEFAULT_TOLERANCE,
    runUrl: facts.runUrl === null ? null : line(facts.runUrl, 600),
    toolVersion: line(record.tool.version, 100),
    merged: null,
  }
}

/** A state that the verdict does not speak of was not decided, whatever the run's worst was. */
function judged(state: StateVerdict | undefined, verdict: Verdict) {
  const reason = verdict.reasons[0]?.code ?? state?.reasons[0]?.code ?? null
  return {
    outcome: state?.outcome ?? ('inconclusive' as const),
    reason: reason === null ? null : line(reason, 100),
    baselineMilliRps: state?.baselineMilliRps ?? null,
    guardMilliRps: state?.guardMilliRps ?? null,
    limiting:
      state === undefined || state.limiting === null
        ? null
        : { class: line(state.limiting.class, 200), metric: state.limiting.metric },
  }
}

function measured(result: CapacityResult, state: StateVerdict | undefined) {
  return {
    plan: result.plan,
    capacityMilliRps: result.passMilliRps,
    failMilliRps: result.failMilliRps,
    perReplicaRps: result.perReplicaRps,
    attainmentAtGuard: attainmentAt(result, state?.guardMilliRps ?? null),
    attainmentSpread: result.attainmentSpread,
    bootSpread: result.bootSpread,
  }
}

function attainmentAt(result: CapacityResult, guardMilliRps: number | null): number | null {
  if (guardMilliRps === null) return null
  const atGuard = result.points.filter((point) => openMilliRps(point) === guardMilliRps && isDecisive(point))
  const worst = atGuard.map(({ slo }) => worstAttainment(slo))
  const known = worst.filter((share) => share !== null)
  return known.length === 0 || known.length < worst.length ? null : Math.min(...known)
}

function machineText(facts: Readonly<Record<string, string>>): string {
  const named = Object.keys(facts)
    .toSorted()
    .map((key) => `${key} ${facts[key] ?? ''}`)
  return line(named.join(', '), 400)
}

/** Text from outside as the history takes it: whole characters, and not without end. */
function line(text: string, max: number): string {
  return text.slice(0, max).toWellFormed()
}

function checked(point: HistoryPoint): HistoryPoint {
  const parsed = historyPointSchema.safeParse(point)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const what = `${issue?.path.join('.') ?? 'the point'}: ${issue?.message ?? 'not of the expected shape'}`
  throw refusal('history_point_invalid', `the record makes no point of the history: ${what}`, 'take an unchanged pack')
}

function refusal(code: string, message: string, hint: string): GateError {
  return new GateError({ code, message, hint, exitCode: EXIT.invalid })
}
