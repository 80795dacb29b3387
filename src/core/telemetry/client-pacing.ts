import type { Evidence } from '../kernel/evidence.ts'
import type { RequestRecord } from '../record/record.ts'
import { replicaPolicy, stickyReplica } from '../schedule/replica-choice.ts'
import { isOwnDoing } from '../stream/error-codes.ts'
import type { PointView } from './point-view.ts'
import { sampledShare } from './queue-trend.ts'

type View = Pick<PointView, 'manifest' | 'schedule' | 'facts' | 'records' | 'timeline'>

const SAMPLED_MIN = 0.9
/** Least part of an equal share that a replica must have got. */
const SHARE_MIN = 0.9

/**
 * Whether the client did its part: `client.send_lag` (p99, nearest rank, of how far from its time, late or early, a request was handed
 * over, within the manifest's limit), `client.offered_rate` (share of the requests due that were handed over within the arrival window),
 * `client.resources` (none failed for want of the client's own ports or descriptors), `client.replicas` (each got its share of the
 * requests, or those that the router's policy gives it) and `client.sampled` (its state was recorded). The first two hold for an open
 * loop alone: a closed one has no due times.
 */
export function pacingEvidence(view: View): Evidence[] {
  const isOpen = 'openMilliRps' in view.facts.key.load
  return [...(isOpen ? [sendLag(view), offeredRate(view)] : []), resources(view), replicas(view), sampled(view)]
}

function sendLag({ manifest, records }: View): Evidence {
  const limit = manifest.client.send_lag_p99_max_ms
  const lagsUs = records.flatMap((record) => ownLagUs(record) ?? []).toSorted((a, b) => a - b)
  const p99Us = lagsUs[Math.ceil(0.99 * lagsUs.length) - 1]
  const shared = { probe: 'client.send_lag', required: true, blames: 'client', limit, unit: 'ms' } as const
  if (p99Us === undefined) return { ...shared, state: 'unknown', text: 'no request was handed over' }
  const value = p99Us / 1000
  const text = `99 % of ${lagsUs.length} requests were handed over within ${value} ms of their time`
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

/**
 * How far from its time the client had done its part: a connection had the request, or was being opened for it. What the engine then takes
 * to accept and to read it is the engine's (`queue.intake`). Null where it never came so far.
 */
export function ownLagUs({ dueUs, handedUs, sentUs }: RequestRecord): number | null {
  const offeredUs = handedUs ?? sentUs
  return offeredUs === null ? null : Math.abs(offeredUs - dueUs)
}

/** Whether a request was offered by then. An engine that takes no connection was offered it nevertheless. */
export function wasOffered(record: RequestRecord, untilUs: number): boolean {
  const offeredUs = record.handedUs ?? record.sentUs
  if (offeredUs !== null && offeredUs > untilUs) return false
  if (record.sentUs !== null) return true
  return record.status !== 'ok' && record.status !== 'cancelled' && !isClientFault(record)
}

/** A planned cancellation is the schedule's, no fault. */
function isClientFault({ status, errorCode }: RequestRecord): boolean {
  return status !== 'cancelled' && isOwnDoing(errorCode)
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

/** Requests that the router's policy binds must be where it says; the others in equal shares. */
function replicas(view: View): Evidence {
  const { manifest, schedule, facts, records } = view
  const policy = replicaPolicy(manifest)
  const sticky = stickyReplica(policy, facts.replicas, schedule.header, schedule.rows)
  const rows = new Map(policy === 'round_robin' ? [] : schedule.rows.map((row) => [row.id, row]))
  const [bound, inTurn] = [counters(facts.replicas), counters(facts.replicas)]
  let strayed = 0
  for (const { id, replica } of records) {
    const row = rows.get(id)
    const own = row ? sticky(row) : null
    if (replica === null || !(replica in inTurn)) continue
    const counts = own === null ? inTurn : bound
    counts[replica] = (counts[replica] ?? 0) + 1
    if (own !== null && own !== replica) strayed += 1
  }
  const total = sum(bound)
  const shared = { probe: 'client.replicas', required: true, blames: 'client', unit: 'requests' } as const
  if (strayed > 0) {
    const text = `${strayed} of ${total} requests went to another replica than their ${policy}’s`
    return { ...shared, state: 'fail', value: strayed, limit: 0, text }
  }
  if (total === 0) return { ...shared, ...spread(inTurn) }
  const kept = `each of ${total} requests went to the replica of its ${policy} (${bound.join(', ')})`
  if (sum(inTurn) === 0) return { ...shared, state: 'pass', value: 0, limit: 0, text: kept }
  const others = spread(inTurn)
  return { ...shared, ...others, text: `${kept}; of the others ${others.text}` }
}

/** Of requests sent in turn, each replica's count is the others', but for one; a tenth less is another load than the declared one. */
function spread(counts: readonly number[]): Pick<Evidence, 'state' | 'text' | 'value' | 'limit'> {
  const total = sum(counts)
  const limit = Math.floor((total / counts.length) * SHARE_MIN - 1)
  const value = Math.min(...counts)
  if (total === 0) return { state: 'unknown', text: 'the records do not say which replica was asked' }
  const text = `the replica asked least got ${value} of ${total} requests over ${counts.length}`
  return { state: value >= limit ? 'pass' : 'fail', value, limit: Math.max(0, limit), text }
}

function counters(length: number): number[] {
  return Array.from({ length }, () => 0)
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
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
