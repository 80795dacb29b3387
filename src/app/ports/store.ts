import type { CapacityRecord } from '../../core/capacity/record.ts'
import type { Promotion } from '../../core/gate/promotion-schema.ts'

export interface AcceptedRecords {
  baseline: CapacityRecord | null
  /** The last release's. */
  anchor: CapacityRecord | null
}

/** What is asked for. Where several machines have a baseline of the newest experiment, `mustEqual` chooses its own. */
export interface BaselineKey {
  gateId: string
  kind: CapacityRecord['kind']
  /** The must-equal hardware of the run that compares; the newest record of any machine where it is not given or has none. */
  mustEqual?: CapacityRecord['hardware']['mustEqual']
}

/** What was accepted so far. */
export interface Standing {
  /** Throws GateError for a record that is corrupt or of a newer schema; a missing one is null. */
  load(key: BaselineKey): Promise<AcceptedRecords>
  /** Every record of the gate that was ever accepted and can still be read, oldest first. */
  history(key: BaselineKey): Promise<readonly CapacityRecord[]>
}

/** Where accepted capacity records are kept: `branch:NAME[:FOLDER]`, `dir:PATH` or `file:PATH`. */
export interface BaselineStore extends Standing {
  readonly location: string
  /**
   * Accepts a record, whole or not at all, beside all that were accepted before: nothing is ever overwritten. `promotionOn` is asked again
   * wherever another record was accepted meanwhile: what it says is of just what this record comes after. Where it throws nothing is written.
   */
  accept(record: CapacityRecord, promotionOn: PromotionOn): Promise<{ path: string }>
}

export type PromotionOn = (standing: Standing) => Promotion | Promise<Promotion>
