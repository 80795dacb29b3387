import { describe, expect, test } from 'vitest'
import type { Evidence } from '../../../src/core/kernel/evidence.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import { pacingEvidence } from '../../../src/core/telemetry/client-pacing.ts'
import { sliceEvidence } from '../../../src/core/telemetry/client-slices.ts'
import { intakeEvidence } from '../../../src/core/telemetry/intake-evidence.ts'
import type { PointView } from '../../../src/core/telemetry/point-view.ts'
import { UNDISTURBED } from '../../fakes/client-watch.ts'
import { workedExample } from '../../virtual/virtual-manifest.ts'

/** Its interactive class: a TTFT cutoff of 500 ms. A send lag of 5 ms. */
const MANIFEST = workedExample()
const COUNT = 200
const TTFT_US = 300_000

/** A cohort at 10 requests a second; of the first `slow` ones the engine took the last byte so much later than it was handed over. */
function cohort(slow: number, takenUs: number, change: (record: RequestRecord) => Partial<RequestRecord> = () => ({})) {
  return Array.from({ length: COUNT }, (_, index): RequestRecord => {
    const dueUs = index * 100_000
    const handedUs = dueUs + 100
    const sentUs = handedUs + (index < slow ? takenUs : 0)
    const [firstTokenUs, lastTokenUs] = [sentUs + TTFT_US, sentUs + TTFT_US + 1_270_000]
    const times = { dueUs, handedUs, sentUs, firstTokenUs, lastTokenUs, endUs: lastTokenUs }
    const record = {
      id: `r-${index}`,
      class: 'interactive',
      status: 'ok',
      errorCode: null,
      ...times,
      outputTokens: 128,
    }
    return { ...record, ...change(record as RequestRecord) } as RequestRecord
  })
}

function judge(records: readonly RequestRecord[]): Record<string, Evidence> {
  const load = { openMilliRps: 10_000 }
  const endUs = COUNT * 100_000
  const client = [{ t: 'client' as const, atUs: 1, inFlight: 1, backlog: 0, sent: 0, resolved: 0, ...UNDISTURBED }]
  const timeline = { client, scrapes: [], failedScrapes: 0, events: [], evidence: [] }
  const facts = { key: { cache: 'cold', load, repeat: 1 }, arrivalUs: endUs, cohortUs: endUs + 2_000_000, replicas: 1 }
  const schedule = { header: {}, rows: [] }
  const view = { manifest: MANIFEST, facts, records, timeline, schedule } as unknown as PointView
  const found = [intakeEvidence(view), sliceEvidence(view), ...pacingEvidence(view)]
  return Object.fromEntries(found.map((evidence) => [evidence.probe, evidence]))
}

describe('an engine that is slow to take requests', () => {
  test('is to blame for it itself, where its users would miss their cutoffs', () => {
    const found = judge(cohort(20, 1_000_000))
    expect(found['queue.intake']).toMatchObject({
      state: 'fail',
      required: true,
      blames: 'engine',
      value: 1000,
      limit: 5,
      text: 'the engine took 99 % of 200 requests within 1000 ms: with that counted in, 90 % of interactive meet their cutoffs, and 95 % must',
    })
    for (const probe of ['client.send_lag', 'client.offered_rate', 'client.slices']) {
      expect(found[probe]).toMatchObject({ probe, state: 'pass' })
    }
  })

  test.each<[what: string, slow: number, takenUs: number]>([
    ['so much faster than its cutoffs that it does not matter', COUNT, 190_000],
    ['too rare to matter', 10, 1_000_000],
    ['shorter than the client itself may be late', COUNT, 4000],
  ])('is let pass: %s', (_, slow, takenUs) => {
    expect(judge(cohort(slow, takenUs))['queue.intake']).toMatchObject({ state: 'pass', blames: 'engine' })
  })

  test('excuses no client that is late itself', () => {
    const late = cohort(0, 0, ({ dueUs }) => ({ handedUs: dueUs + 12_000, sentUs: dueUs + 12_000 }))
    const found = judge(late)
    expect(found['queue.intake']).toMatchObject({ state: 'pass', value: 0 })
    expect(found['client.send_lag']).toMatchObject({ state: 'fail', value: 12 })
    expect(found['client.slices']).toMatchObject({ state: 'fail' })
  })

  test('was offered a request when it was asked for a connection, which may be after the window', () => {
    const refused = (handedLateUs: number) => (record: RequestRecord) => {
      const isLast = record.dueUs >= 19_000_000
      const handedUs = record.dueUs + (isLast ? handedLateUs : 0)
      return isLast ? { status: 'timeout' as const, errorCode: 'whole_deadline', handedUs, sentUs: null } : {}
    }
    expect(judge(cohort(0, 0, refused(100)))['client.offered_rate']).toMatchObject({ state: 'pass', value: 1 })
    expect(judge(cohort(0, 0, refused(5_000_000)))['client.offered_rate']).toMatchObject({ state: 'fail', value: 0.95 })
  })

  test('is unknown, and asked for by nobody, in a file that does not tell', () => {
    const found = judge(cohort(20, 1_000_000, () => ({ handedUs: null })))
    expect(found['queue.intake']).toMatchObject({ state: 'unknown', required: false })
    expect(found['client.send_lag']).toMatchObject({ state: 'fail', value: 1000.1 })
  })
})
