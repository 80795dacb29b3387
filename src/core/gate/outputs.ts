import type { CapacityRecord } from '../capacity/record.ts'
import { allReasons, decidingState } from './verdict.ts'
import type { Verdict } from './verdict.ts'

/** The action's outputs that a verdict determines; an output whose fact was not found is empty. */
export type VerdictOutputs = Record<
  | 'verdict'
  | 'cold-verdict'
  | 'warm-verdict'
  | 'capacity-rps'
  | 'baseline-rps'
  | 'delta-percent'
  | 'cold-capacity-rps'
  | 'warm-capacity-rps'
  | 'limiting-class'
  | 'reasons'
  | 'gpu-minutes',
  string
>

/** An action's output may hold 1 MiB; reasons are the only list among them. */
const REASONS_MAX = 50
const TEXT_MAX = 500

/**
 * Values for workflows to compute with: plain decimals without units. Capacity, baseline, delta and limiting class are those of the
 * deciding state (worst outcome; cold on a tie). `reasons` is a JSON array of {cache, code, text, class?, value?, limit?}.
 */
export function outputsOf(verdict: Verdict, record: CapacityRecord): VerdictOutputs {
  const state = decidingState(verdict)
  const stateOf = (cache: string) => verdict.states.find((item) => item.cache === cache)
  const reasons = allReasons(verdict)
    .slice(0, REASONS_MAX)
    .map((item) => ({ ...item, text: item.text.slice(0, TEXT_MAX).toWellFormed() }))
  const measured = [...record.capacity, ...(record.hostProof?.capacity ?? [])]
  const minutes = measured.reduce((sum, result) => sum + result.gpuMinutes, 0)
  return {
    verdict: verdict.outcome,
    'cold-verdict': stateOf('cold')?.outcome ?? '',
    'warm-verdict': stateOf('warm')?.outcome ?? '',
    'capacity-rps': plainRps(state?.candidateMilliRps ?? null),
    'baseline-rps': plainRps(state?.baselineMilliRps ?? null),
    'delta-percent': plainPercent(state?.changeShare ?? null),
    'cold-capacity-rps': plainRps(stateOf('cold')?.candidateMilliRps ?? null),
    'warm-capacity-rps': plainRps(stateOf('warm')?.candidateMilliRps ?? null),
    'limiting-class': state?.limiting?.class.slice(0, TEXT_MAX) ?? '',
    reasons: JSON.stringify(reasons),
    'gpu-minutes': String(Number(minutes.toFixed(1))),
  }
}

function plainPercent(share: number | null): string {
  return share === null ? '' : String(Number((share * 100).toFixed(1)))
}

function plainRps(milliRps: number | null): string {
  return milliRps === null ? '' : String(milliRps / 1000)
}
