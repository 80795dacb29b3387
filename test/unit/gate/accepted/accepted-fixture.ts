import { stringify } from 'yaml'
import { readAcceptedLosses } from '../../../../src/core/gate/accepted/read.ts'
import type { AcceptedLoss } from '../../../../src/core/gate/accepted/loss.ts'
import type { AcceptedFacts } from '../../../../src/core/gate/accepted/rules.ts'

export const FACTS: AcceptedFacts = { asOf: '2026-11-30', gateId: 'dense-70b-8xh100', minCapacityMilliRps: null }

/** The loss that a cold state is most often tested with: a guard rate of 23.04 RPS, and a floor of 21.6. */
const ENTRY = {
  gate: 'dense-70b-8xh100',
  subject: 'd'.repeat(64),
  cache: 'cold',
  guard_rps: 23.04,
  floor_rps: 21.6,
  reason: 'the security fix is worth it',
  accepted_by: '@ada',
  expires: '2026-12-20',
}

export type Entry = typeof ENTRY

/** The file of these entries, each the usual one but for what is given. */
export function fileOf(...changes: Partial<Record<keyof Entry, unknown>>[]): string {
  return stringify({ losses: changes.map((change) => ({ ...ENTRY, ...change })) })
}

/** The losses of a file that is good. */
export function lossesOf(...changes: Partial<Entry>[]): AcceptedLoss[] {
  const { losses, findings } = readAcceptedLosses(fileOf(...changes), FACTS)
  if (losses === null) throw new Error(JSON.stringify(findings))
  return losses
}
