import type { CapacityRecord } from '../core/capacity/record.ts'
import { spreadFindings } from '../core/gate/pooled-spread.ts'
import type { PooledSpread } from '../core/gate/pooled-spread.ts'
import { promotionObstacles } from '../core/gate/promotion.ts'
import { recordSha256 } from '../core/gate/read.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { Reason } from '../core/kernel/evidence.ts'
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
  /** Boot-to-boot spreads of each cache state, pooled with what was accepted before. */
  bootSpreads: PooledSpread[]
  /** What does not hinder the acceptance and should be known. */
  warnings: Reason[]
}

/**
 * Accepts a record as baseline. Nothing is written where it throws.
 *
 * @throws GateError (exit 4) with every reason: `not_promotable`, or `tolerance_below_spread` where only the boots' spread hinders it
 */
export async function promote(store: BaselineStore, request: PromoteRequest): Promise<Promoted> {
  const { record, anchor } = request
  const unfit = promotionObstacles(record)
  if (unfit.length > 0) {
    const hint = 'promote the record of a finished sweep whose bracket is no wider than the tolerance'
    throw refusal('not_promotable', request.file, unfit, hint)
  }
  const { spreads, warnings, obstacles } = spreadFindings(record, await store.history(record))
  if (obstacles.length > 0) {
    const hint =
      'raise acceptance.capacity_tolerance, or steady the machine (clocks, cooling, neighbours) and sweep again'
    throw refusal('tolerance_below_spread', request.file, obstacles, hint)
  }
  const { path } = await store.accept(record, { anchor })
  const { gateId, kind } = record
  return { path, gateId, kind, sha256: recordSha256(record), anchor, bootSpreads: spreads, warnings }
}

function refusal(code: string, file: string, obstacles: readonly Reason[], hint: string): GateError {
  const message = `${file} cannot become a baseline: ${obstacles.map((item) => item.text).join('; ')}`
  return new GateError({ code, message, hint, exitCode: EXIT.invalid })
}
