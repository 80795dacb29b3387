import type { CapacityRecord } from '../../core/capacity/record.ts'

export interface AcceptedRecords {
  baseline: CapacityRecord | null
  /** The last release's. */
  anchor: CapacityRecord | null
}

/** Where accepted capacity records are kept: `dir:PATH` or `file:PATH`. */
export interface BaselineStore {
  readonly location: string
  /** Throws GateError for a record that is corrupt or of a newer schema; a missing one is null. */
  load(key: { gateId: string; kind: CapacityRecord['kind'] }): Promise<AcceptedRecords>
  /** Every record that was ever accepted and can still be read, oldest first. */
  history(key: { gateId: string; kind: CapacityRecord['kind'] }): Promise<readonly CapacityRecord[]>
  /** Accepts a record, atomically, keeping the former one in its history. */
  accept(record: CapacityRecord, as: { anchor: boolean }): Promise<{ path: string }>
}
