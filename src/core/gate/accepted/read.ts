import { milliRps } from '../../capacity/guard-rate.ts'
import type { Finding } from '../../manifest/finding.ts'
import { readBesideManifest } from '../../manifest/beside-manifest.ts'
import type { AcceptedLoss } from './loss.ts'
import { entryBreaches, isExpired, repeated } from './rules.ts'
import type { AcceptedFacts } from './rules.ts'
import { acceptedFileSchema } from './schema.ts'
import type { AcceptedLossEntry } from './schema.ts'

export interface ReadAccepted {
  /** Everything that is wrong, in the order of the file; an expired loss is a warning. */
  findings: Finding[]
  /** Null exactly when a finding is an error. */
  losses: AcceptedLoss[] | null
}

/** Reads the file of accepted losses from hostile text and judges it. Never throws. */
export function readAcceptedLosses(text: string, facts: AcceptedFacts): ReadAccepted {
  const { findings, value } = readBesideManifest(text, acceptedFileSchema, ({ losses }) => [
    ...losses.flatMap((entry, index) => entryBreaches(entry, index, facts)),
    ...repeated(losses),
  ])
  if (value === null) return { findings, losses: null }
  return { findings, losses: value.losses.map((entry) => lossOf(entry, facts.asOf)) }
}

function lossOf(entry: AcceptedLossEntry, asOf: string): AcceptedLoss {
  return {
    gateId: entry.gate,
    subjectSha256: entry.subject,
    cache: entry.cache,
    // The rules let through whole milli-requests alone.
    guardMilliRps: milliRps(entry.guard_rps),
    floorMilliRps: milliRps(entry.floor_rps),
    reason: entry.reason,
    acceptedBy: entry.accepted_by,
    expires: entry.expires,
    isExpired: isExpired(entry.expires, asOf),
  }
}
