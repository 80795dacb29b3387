import type { Evidence } from '../kernel/evidence.ts'
import type { RequestRecord } from '../record/record.ts'
import { ERROR_CODES } from '../stream/error-codes.ts'
import type { PointView } from './point-view.ts'
import { sampledShare } from './queue-trend.ts'

type View = Pick<PointView, 'manifest' | 'facts' | 'records' | 'timeline'>

const SAMPLED_MIN = 0.9
/** Least part of an equal share that a replica must have got. */
const SHARE_MIN = 0.9

/**
 * Whether the client did its part: `client.send_lag` (p99, nearest rank, of how far from its time, late or early, within the manifest's
 * limit), `client.offered_rate` (share of the requests due that were sent within the arrival window), `client.resources` (none failed
 * for want of the client's own ports or descriptors), `client.replicas` (each got its share of the requests) and `client.sampled` (its
 * state was recorded). The first two hold for an open loop alone: a closed one has no due times.
 */
export function pacingEvidence(view: View): Evidence[] {
  const isOpen = 'openMilliRps' in view.facts.key.load
  return [...(isOpen ? [sendLag(view), offeredRate(view)] : []), resources(view), spread(view), sampled(view)]
}

function sendLag({ manifest, records }: View): Evidence {
  const limit = manifest.client.send_lag_p99_max_ms
  const lagsUs = records
    .flatMap(({ sentUs, dueUs }) => (sentUs === null ? [] : [Math.abs(sentUs - dueUs)]))
    .toSorted((a, b) => a - b)
  const p99Us = lagsUs[Math.ceil(0.99 * lagsUs.length) - 1]
  const shared = { probe: 'client.send_lag', required: true, blames: 'client', limit, unit: 'ms' } as const
  if (p99Us === undefined) return { ...shared, state: 'unknown', text: 'no request was sent' }
  const value = p99Us / 1000
  const text = `99 % of ${lagsUs.length} requests were sent within ${value} ms of their time`
  return { ...shared, state: value <= limit ? 'pass' : 'fail', value, text }
}

function offeredRate({ manifest, facts, records }: View): Evidence {
  const limit = manifest.client.offered_rate_min_share
  const untilUs = facts.arrivalUs + manifest.client.send_lag_p99_max_ms * 1000
  const due = records.filter((record) => record.dueUs <= facts.arrivalUs)
  const offered = due.filter((record) => wasOffered(record, untilUs)).length
  const shared = { probe: 'client.offered_rate', required: true, blames: 'client', limit, unit: 'share' } as const
  if (due.length === 0) return { ...shared, state: 'unknown', text: 'no request was due' }
  const value = offered / due.length
  const text = `${offered} of ${due.length} requests due in the arrival window were sent in it`
  return { ...shared, state: value >= limit ? 'pass' : 'fail', value, text }
}

/** An engine that takes no connection was offered the request nevertheless. */
function wasOffered(record: RequestRecord, untilUs: number): boolean {
  if (record.sentUs !== null) return record.sentUs <= untilUs
  return record.status !== 'ok' && record.status !== 'cancelled' && !isClientFault(record)
}

const clientCodes = new Set<string>(
  Object.entries(ERROR_CODES).flatMap(([code, { blames }]) => (blames === 'client' ? [code] : [])),
)

/** A planned cancellation is the schedule's, no fault. */
function isClientFault({ status, errorCode }: RequestRecord): boolean {
  return status !== 'cancelled' && errorCode !== null && clientCodes.has(errorCode)
}

function resources({ records }: View): Evidence {
  const starved = records.filter(isClientFault)
  const codes = [...new Set(starved.map(({ errorCode }) => errorCode))].join(', ')
  return {
    probe: 'client.resources',
    state: starved.length === 0 ? 'pass' : 'fail',
    required: true,
    blames: 'client',
    value: starved.length,
    limit: 0,
    unit: 'requests',
    text:
      starved.length === 0
        ? 'no request failed for want of the client’s own resources'
        : `${starved.length} requests failed for want of the client’s own resources (${codes})`,
  }
}

/** Of requests sent in turn, each replica's count is the others', but for one; a tenth less is another load than the declared one. */
function spread({ facts, records }: View): Evidence {
  const counts = Array.from({ length: facts.replicas }, () => 0)
  for (const { replica } of records)
    if (replica !== null && replica in counts) counts[replica] = (counts[replica] ?? 0) + 1
  const total = counts.reduce((sum, count) => sum + count, 0)
  const limit = Math.floor((total / facts.replicas) * SHARE_MIN - 1)
  const value = Math.min(...counts)
  const shared = { probe: 'client.replicas', required: true, blames: 'client', unit: 'requests' } as const
  if (total === 0) return { ...shared, state: 'unknown', text: 'the records do not say which replica was asked' }
  const text = `the replica asked least got ${value} of ${total} requests over ${facts.replicas}`
  return { ...shared, state: value >= limit ? 'pass' : 'fail', value, limit: Math.max(0, limit), text }
}

function sampled({ facts, timeline }: View): Evidence {
  const times = timeline.client.map(({ atUs, inFlight }) => ({ atUs, value: inFlight }))
  const value = sampledShare(times, facts.arrivalUs)
  return {
    probe: 'client.sampled',
    state: value >= SAMPLED_MIN ? 'pass' : 'unknown',
    required: true,
    blames: 'client',
    value,
    limit: SAMPLED_MIN,
    unit: 'share',
    text: `the client’s own state is known for ${Math.round(value * 100)} % of the arrival window`,
  }
}
