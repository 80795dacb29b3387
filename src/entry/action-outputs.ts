import { join } from 'node:path'
import { outputsOf } from '../core/gate/outputs.ts'
import type { VerdictOutputs } from '../core/gate/outputs.ts'
import { EXIT } from '../core/kernel/errors.ts'
import type { ReportInput } from '../core/report/context.ts'
import type { SignOffPredicate } from '../core/signoff/record-schema.ts'
import type { Failure } from './failure.ts'

/** Every output of the action. An output whose fact was not found is empty, and set all the same. */
export type ActionOutputs = VerdictOutputs &
  Record<
    | 'estimated-gpu-minutes'
    | 'pack-path'
    | 'report-path'
    | 'comment-url'
    | 'drift'
    | 'drifts'
    | 'trend-page-path'
    | 'sign-off'
    | 'predicate-path'
    | 'subject-name'
    | 'subject-digest',
    string
  >

const NOTHING: ActionOutputs = {
  verdict: '',
  'cold-verdict': '',
  'warm-verdict': '',
  'capacity-rps': '',
  'baseline-rps': '',
  'delta-percent': '',
  'cold-capacity-rps': '',
  'warm-capacity-rps': '',
  'limiting-class': '',
  reasons: '[]',
  'gpu-minutes': '',
  'estimated-gpu-minutes': '',
  'pack-path': '',
  'report-path': '',
  'comment-url': '',
  drift: '',
  drifts: '',
  'trend-page-path': '',
  'sign-off': '',
  'predicate-path': '',
  'subject-name': '',
  'subject-digest': '',
}

export const OUTPUT_NAMES = Object.keys(NOTHING)

export function verdictOutputs({ verdict, record }: ReportInput, pack: string): ActionOutputs {
  return { ...NOTHING, ...outputsOf(verdict, record), 'pack-path': pack, 'report-path': join(pack, 'report.md') }
}

/** Of a step that came to no verdict. A manifest or a file that is not valid is a verdict of its own. */
export function failureOutputs({ code, exitCode, what }: Failure, pack: string): ActionOutputs {
  const verdict = exitCode === EXIT.invalid ? 'invalid' : ''
  return { ...NOTHING, verdict, reasons: JSON.stringify([{ cache: null, code, text: what }]), 'pack-path': pack }
}

export function packOutputs(pack: string): ActionOutputs {
  return { ...NOTHING, 'pack-path': pack }
}

export function estimateOutputs(gpuMinutes: number | null): ActionOutputs {
  return { ...NOTHING, 'estimated-gpu-minutes': gpuMinutes === null ? '' : String(Math.ceil(gpuMinutes)) }
}

/** Of a history: whether a fall stands, and each that does, with its issue where it has one. */
export function historyOutputs(falls: readonly object[], trendPage: string, pack: string): ActionOutputs {
  return {
    ...packOutputs(pack),
    drift: String(falls.length > 0),
    drifts: JSON.stringify(falls),
    'trend-page-path': trendPage,
  }
}

/** Of a sign-off: what an attestation takes. The predicate's path stays empty where nothing was signed off, so that nothing is attested. */
export function signOffOutputs({ result, capacityGateSignOff }: SignOffPredicate, path: string): ActionOutputs {
  const { subject } = capacityGateSignOff
  return {
    ...NOTHING,
    'sign-off': result.toLowerCase(),
    'predicate-path': result === 'FAILED' ? '' : path,
    'subject-name': subject?.name ?? '',
    'subject-digest': subject === null ? '' : `sha256:${subject.digest}`,
  }
}
