import type { AcceptedLosses } from '../core/gate/accepted/loss.ts'
import type { CapacityRecord } from '../core/capacity/record.ts'
import type { OnHostChange } from '../core/gate/host-proof.ts'
import { parseCapacityRecord, parseVerdict } from '../core/gate/read.ts'
import type { Verdict } from '../core/gate/verdict.ts'
import type { ReportContext } from '../core/report/context.ts'
import { readPackText } from './point/files.ts'
import type { Pack } from './ports/pack.ts'
import type { BaselineStore } from './ports/store.ts'
import { finishPack } from './run/finish.ts'
import type { Settled } from './run/settle.ts'

export interface GatePackRequest {
  onMissingBaseline: 'fail' | 'record'
  acceptedLosses: AcceptedLosses | null
  onHostChange: OnHostChange
  context: ReportContext
}

/** The record that a pack holds. Throws GateError `pack_incomplete` for an unfinished one. */
export async function packRecord(pack: Pack): Promise<CapacityRecord> {
  return parseCapacityRecord(await readPackText(pack, 'capacity.json'))
}

/** The verdict that a pack holds; null where it holds none. */
export async function packVerdict(pack: Pack): Promise<Verdict | null> {
  return (await pack.read('verdict.json')) === null ? null : parseVerdict(await readPackText(pack, 'verdict.json'))
}

/** Compares a pack's record with what is accepted now, and writes verdict and reports anew. Nothing is measured. */
export async function gatePack(pack: Pack, store: BaselineStore, request: GatePackRequest): Promise<Settled> {
  const record = await packRecord(pack)
  const accepted = await store.load({
    gateId: record.gateId,
    kind: record.kind,
    mustEqual: record.hardware.mustEqual,
  })
  return finishPack(pack, record, { ...accepted, ...request })
}
