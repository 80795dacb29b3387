import type { Evidence } from '../kernel/evidence.ts'
import type { RequestRecord } from '../record/record.ts'
import { meetsCutoffs } from '../slo/meets-cutoffs.ts'
import { nearestRank } from '../slo/percentile.ts'
import type { PointView } from './point-view.ts'

type View = Pick<PointView, 'manifest' | 'records'>

/**
 * `queue.intake`: the time from when the client had handed a request to a connection to when its last byte was sent. It is neither the
 * client's lag nor part of a latency that counts from the send: an engine that is slow to accept connections or to read would hide its
 * queue there. It fails where 1 % of the requests waited for longer than the client itself may be late, and a class that counts them in
 * falls short of its attainment.
 */
export function intakeEvidence({ manifest, records }: View): Evidence {
  const { client, acceptance, workload } = manifest
  const shared = { probe: 'queue.intake', required: true, blames: 'engine' } as const
  const waitsUs = records.flatMap(({ handedUs, sentUs }) =>
    handedUs === null || sentUs === null ? [] : [sentUs - handedUs],
  )
  if (waitsUs.length === 0) {
    const text = 'no request tells when it was handed over and when it was sent'
    return { ...shared, required: false, state: 'unknown', text }
  }
  const p99Ms = (nearestRank(Float64Array.from(waitsUs).sort(), 0.99) ?? 0) / 1000
  const measured = { ...shared, value: p99Ms, limit: client.send_lag_p99_max_ms, unit: 'ms' }
  const text = `the engine took 99 % of ${waitsUs.length} requests within ${p99Ms} ms`
  const least = acceptance.class_slo_attainment_min
  const short = workload.flatMap((entry) => {
    const share = attainment(records, entry)
    return share === null || share >= least ? [] : [`${Number((100 * share).toFixed(2))} % of ${entry.name}`]
  })
  if (short.length === 0 || p99Ms <= client.send_lag_p99_max_ms) return { ...measured, state: 'pass', text }
  return {
    ...measured,
    state: 'fail',
    text: `${text}: with that counted in, ${short.join(', ')} meet their cutoffs, and ${100 * least} % must`,
  }
}

/** From when its requests were handed over. Null where none succeeded. */
function attainment(records: readonly RequestRecord[], entry: View['manifest']['workload'][number]): number | null {
  const ok = records.filter((record) => record.class === entry.name && record.status === 'ok')
  if (ok.length === 0) return null
  return ok.filter((record) => meetsCutoffs(record, entry, record.handedUs ?? record.sentUs)).length / ok.length
}
