import type { Outcome } from './verdict.ts'

const DISTURBED =
  'The client or the host disturbed the measurement, so it says nothing about the engine: mend that and run again.'

/** Every code the gate itself gives a reason: the outcome it leads to (`note` decides nothing) and what to do about it. */
export const GATE_REASONS = {
  below_baseline: {
    outcome: 'regressed',
    mend: 'Look at the limiting class at the guard rate, then mend or pin back the revision. If the loss is meant: accept it in a reviewed change.',
  },
  below_anchor: {
    outcome: 'regressed',
    mend: 'Several small losses since the last release add up: compare with the release before accepting another.',
  },
  below_min_capacity: {
    outcome: 'regressed',
    mend: 'The capacity is under `acceptance.min_capacity_rps`: mend the revision, or add replicas and measure anew.',
  },
  below_accepted_floor: {
    outcome: 'regressed',
    mend: 'The loss is deeper than the one that was accepted: mend or pin back the revision, or have the lower floor reviewed.',
  },
  accepted_floor_not_shown: {
    outcome: 'regressed',
    mend: 'What was accepted is not proven: run `--plan confirm` again, which measures the accepted floor as well.',
  },
  accepted_floor_under_minimum: {
    outcome: 'regressed',
    mend: 'No loss below `acceptance.min_capacity_rps` can be accepted.',
  },
  loss_not_acceptable: {
    outcome: 'regressed',
    mend: 'Only a loss of capacity can be accepted, and the engine failed otherwise: mend that.',
  },
  engine_failed: {
    outcome: 'regressed',
    mend: 'The engine itself failed: read engine.log in the pack.',
  },

  record_contradictory: {
    outcome: 'invalid',
    mend: 'A record contradicts itself: take it from an unchanged pack, or measure again.',
  },
  experiment_unreadable: {
    outcome: 'invalid',
    mend: 'The record does not hold its own acceptance terms: measure again with this version.',
  },
  identity_failed: {
    outcome: 'invalid',
    mend: 'What ran is not what the manifest pins: mend the image, version or model revision.',
  },
  evidence_failed: {
    outcome: 'invalid',
    mend: DISTURBED,
  },
  point_invalid: {
    outcome: 'invalid',
    mend: DISTURBED,
  },
  nothing_measured: {
    outcome: 'invalid',
    mend: 'No cache state was measured: read the log for what stopped the run.',
  },

  baseline_missing: {
    outcome: 'inconclusive',
    mend: 'Sweep the revision that is accepted today and promote its record; `on-missing-baseline: record` lets a first run pass ungated.',
  },
  baseline_state_missing: {
    outcome: 'inconclusive',
    mend: 'Sweep this cache state and promote a record that holds it.',
  },
  candidate_state_missing: {
    outcome: 'inconclusive',
    mend: 'Finish the run: it was asked for this cache state and did not measure it.',
  },
  state_not_asked: {
    outcome: 'note',
    mend: 'Run both cache states where both are to be held to the baseline.',
  },
  experiment_differs: {
    outcome: 'inconclusive',
    mend: 'Revert the named fields; or, if the change is meant, sweep under the new experiment and promote that record.',
  },
  kind_differs: {
    outcome: 'inconclusive',
    mend: 'Simulated and measured capacities are never compared: give a baseline of the same kind.',
  },
  schedule_differs: {
    outcome: 'inconclusive',
    mend: 'Replay the schedule whose digest the baseline names.',
  },
  hardware_differs: {
    outcome: 'inconclusive',
    mend: 'Run on the hardware of the baseline, or sweep here and promote that record.',
  },
  hardware_unknown: {
    outcome: 'inconclusive',
    mend: 'Mend the probe of the named fact: what is unknown is never taken to be equal.',
  },
  baseline_not_a_sweep: {
    outcome: 'inconclusive',
    mend: 'A confirmation does not find a capacity: promote the record of a sweep.',
  },
  baseline_without_capacity: {
    outcome: 'inconclusive',
    mend: 'No rate passed in the baseline: sweep lower rates and promote that record.',
  },
  imported_cohort: {
    outcome: 'inconclusive',
    mend: 'Another tool’s cohort can be looked at and never gated: measure with `run` for a verdict.',
  },
  host_changed: {
    outcome: 'inconclusive',
    mend: 'Run on the baseline’s machine; or let `on-host-change: remeasure` measure the baseline’s revision here first; or sweep the accepted revision here and promote that record.',
  },
  host_unproven: {
    outcome: 'inconclusive',
    mend: 'Let `run` deploy the baseline’s revision here: its image or program must be there. Or sweep the accepted revision here and promote that record.',
  },
  host_misses_baseline: {
    outcome: 'inconclusive',
    mend: 'This machine is at fault, not the candidate: compare its cooling, clocks, driver and neighbours with the baseline’s; or sweep the accepted revision here and promote that record.',
  },
  host_proof_invalid: {
    outcome: 'invalid',
    mend: DISTURBED,
  },
  host_proof_undecided: {
    outcome: 'inconclusive',
    mend: 'The baseline’s revision gave no answer on this machine: look at its points below `host-proof/` in the pack, then run again.',
  },
  boots_incomparable: {
    outcome: 'inconclusive',
    mend: 'Boots with different KV sizes cannot be compared: warm the compile cache with one boot, then run again.',
  },
  clocks_below_baseline: {
    outcome: 'inconclusive',
    mend: 'The GPUs ran slower than in the baseline: undo fixed clocks, look to cooling and to the driver, then run again.',
  },
  boots_undecided: {
    outcome: 'inconclusive',
    mend: 'Fewer than two boots agree at the guard rate: run again with more time.',
  },
  boots_contradict: {
    outcome: 'inconclusive',
    mend: 'A rate fails on two boots and a higher one passes on two: look for what changed in between, then run again.',
  },
  drop_not_confirmed: {
    outcome: 'inconclusive',
    mend: 'A sweep saw a drop that no second boot confirmed at the guard rate: run `--plan confirm`.',
  },
  guard_not_tested: {
    outcome: 'inconclusive',
    mend: 'No point decides at the guard rate: run `--plan confirm` against this baseline.',
  },
  point_undersampled: {
    outcome: 'inconclusive',
    mend: 'A class ended short of its sample floor: allow a longer maximum duration or more extension requests.',
  },
  point_unknown: {
    outcome: 'inconclusive',
    mend: 'Required evidence is missing: mend the named probe.',
  },
  identity_unknown: {
    outcome: 'inconclusive',
    mend: 'Mend the probe that proves what is running.',
  },
  evidence_unknown: {
    outcome: 'inconclusive',
    mend: 'Mend the named probe, or leave its group out of `acceptance.required_evidence`.',
  },
  saturation_not_found: {
    outcome: 'inconclusive',
    mend: '`rates_rps: auto` found no rates, since no closed loop told what the engine completes: read those points’ reasons and engine.log, or declare the rates.',
  },
  no_passing_rate: {
    outcome: 'inconclusive',
    mend: 'No tested rate passed, so there is nothing to accept: sweep lower rates, or mend the engine where it did not start or crashed.',
  },

  guard_held: { outcome: 'held', mend: 'Nothing to do.' },
  loss_accepted: {
    outcome: 'held',
    mend: 'Before the acceptance expires, promote a sweep of this revision and remove the entry: until then every other revision is held to the old capacity.',
  },
  above_baseline: {
    outcome: 'improved',
    mend: 'Promote this record, so that the gain is kept from now on.',
  },
  first_record: {
    outcome: 'recorded',
    mend: 'Promote this record in a reviewed change: from then on the capacity is gated.',
  },

  accepted_loss_expired: {
    outcome: 'note',
    mend: 'The acceptance of a loss has expired and is ignored: remove it, or renew it in a reviewed change.',
  },
  accepted_loss_outgrown: {
    outcome: 'note',
    mend: 'A loss was accepted against another guard rate than today’s: have it reviewed anew against this one.',
  },
  accepted_loss_not_needed: { outcome: 'note', mend: 'A loss was accepted that is not there: remove its entry.' },
  accepted_loss_of_another: { outcome: 'note', mend: 'Accepted losses of other subjects do not apply to this one.' },
  anchor_not_compared: {
    outcome: 'note',
    mend: 'The anchor is of another experiment, kind, schedule or hardware, or found no capacity, and took no part.',
  },
  baseline_bracket_wide: { outcome: 'note', mend: 'Sweep the baseline again with a finer `sweep.refine_step`.' },
  improvement_unproven: { outcome: 'note', mend: 'Sweep the baseline up to a rate that fails, then compare again.' },
  repeats_not_counted: { outcome: 'note', mend: 'The named repeats were run again and decided nothing.' },
  anchor_of_another_machine: {
    outcome: 'note',
    mend: 'Promote the next release’s record with a sweep of this machine.',
  },
  host_proven: { outcome: 'note', mend: 'Sweep and promote on this machine, and its runs need no proof of it.' },
  host_change_accepted: {
    outcome: 'note',
    mend: 'A loss may be the machine’s: `on-host-change: remeasure` tells.',
  },
  recorded_hardware_differs: {
    outcome: 'note',
    mend: 'Recorded of both machines; docs/baselines.md says which of them make another machine.',
  },
  flukes_not_used: { outcome: 'note', mend: 'A pass above a failing rate is reported and not used.' },
  drop_refuted: { outcome: 'note', mend: 'A fail on one boot that two boots at a higher rate did not show again.' },
  deltas_not_comparable: { outcome: 'note', mend: 'No two points have comparable rates.' },
} as const satisfies Record<string, { outcome: Outcome | 'note'; mend: string }>

export type GateReasonCode = keyof typeof GATE_REASONS

/** What to do about a reason of the gate's own; null for a code that a point brought along. */
export function mendOf(code: string): string | null {
  return Object.hasOwn(GATE_REASONS, code) ? GATE_REASONS[code as GateReasonCode].mend : null
}
