import { recordSha256 } from '../core/gate/read.ts'
import type { MeasuredRun } from '../core/gate/plan-basis.ts'
import type { CapacityRecord } from '../core/capacity/record.ts'
import type { Verdict } from '../core/gate/verdict.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { BaselineStore } from './ports/store.ts'

/** A run that was read, with its verdict; null where none stands beside it. Throws GateError `plan_basis`, exit 4, for another record's. */
export function measuredRun(record: CapacityRecord, verdict: Verdict | null): MeasuredRun {
  if (verdict === null || verdict.candidateSha256 === recordSha256(record)) return { record, verdict }
  throw new GateError({
    code: 'plan_basis',
    message: 'no capacity to plan on: the verdict beside the record is of another record',
    hint: 'plan on a pack as its run wrote it',
    exitCode: EXIT.invalid,
  })
}

/**
 * The accepted baseline of a gate: of a measured engine, or else of the embedded one. A store of one record needs no gate's name. Throws
 * GateError `plan_no_baseline`, exit 4.
 */
export async function acceptedRun(store: BaselineStore, gateId: string): Promise<MeasuredRun> {
  for (const kind of ['measured', 'simulated'] as const) {
    const { baseline } = await store.load({ gateId, kind })
    if (baseline !== null) return { record: baseline, verdict: 'accepted' }
  }
  throw new GateError({
    code: 'plan_no_baseline',
    message: `${store.location} holds no accepted baseline of the gate ${JSON.stringify(gateId)}`,
    hint: 'name the gate as gate.id in its manifest does, or plan on a pack',
    exitCode: EXIT.invalid,
  })
}
