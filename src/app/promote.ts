import type { CapacityRecord } from '../core/capacity/record.ts'
import { promotionObstacles } from '../core/gate/promotion.ts'
import { recordSha256 } from '../core/gate/read.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { BaselineStore } from './ports/store.ts'

export interface PromoteRequest {
  /** The candidate's file, for messages. */
  file: string
  record: CapacityRecord
  /** Accept it as the last release's too. */
  anchor: boolean
}

export interface Promoted {
  path: string
  gateId: string
  kind: CapacityRecord['kind']
  sha256: string
  anchor: boolean
}

/** Accepts a record as baseline. Throws GateError `not_promotable` (exit 4) with every reason; nothing is written then. */
export async function promote(store: BaselineStore, request: PromoteRequest): Promise<Promoted> {
  const { record, anchor } = request
  const obstacles = promotionObstacles(record)
  if (obstacles.length > 0) {
    throw new GateError({
      code: 'not_promotable',
      message: `${request.file} cannot become a baseline: ${obstacles.map((item) => item.text).join('; ')}`,
      hint: 'promote the record of a finished sweep whose bracket is no wider than the tolerance',
      exitCode: EXIT.invalid,
    })
  }
  const { path } = await store.accept(record, { anchor })
  return { path, gateId: record.gateId, kind: record.kind, sha256: recordSha256(record), anchor }
}
