import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import { sliceEvidence } from '../../../src/core/telemetry/client-slices.ts'
import { watchEvidence } from '../../../src/core/telemetry/client-watch.ts'
import type { ClientWatch, PointFacts } from '../../../src/core/telemetry/line.ts'
import { stampToleranceUs } from '../../../src/core/telemetry/stamp-tolerance.ts'
import type { Timeline } from '../../../src/core/telemetry/timeline.ts'
import { UNDISTURBED } from '../../fakes/client-watch.ts'
import { workedExample } from '../../virtual/virtual-manifest.ts'

/** A send lag of 5 ms; 2 % of a TTFT cutoff of 500 ms: 10 ms. */
const MANIFEST: Manifest = workedExample()
const SECOND = 1_000_000
const SAMPLES_A_SECOND = 5

interface Client {
  seconds: number
  rps: number
  manifest?: Manifest
  closed?: boolean
  /** How late the request due then is sent; null: never. */
  lagUs?: (dueUs: number) => number | null
  /** What the sample at that time tells. */
  saw?: (atUs: number) => Partial<ClientWatch & { backlog: number }>
}

function judge({ seconds, rps, manifest = MANIFEST, closed = false, lagUs = () => 0, saw = () => ({}) }: Client) {
  const records = Array.from({ length: Math.round(seconds * rps) }, (_, index): RequestRecord => {
    const dueUs = Math.round((index / rps) * SECOND)
    return requestOf(dueUs, lagUs(dueUs))
  })
  const client = Array.from({ length: Math.ceil(seconds * SAMPLES_A_SECOND) + 1 }, (_, index) => {
    const atUs = (index * SECOND) / SAMPLES_A_SECOND
    const counts = { inFlight: 1, backlog: 0, sent: 0, resolved: 0 }
    return { t: 'client' as const, atUs, ...counts, ...UNDISTURBED, ...saw(atUs) }
  })
  const timeline: Timeline = { client, scrapes: [], failedScrapes: 0, events: [], machine: [], evidence: [] }
  const load = closed ? { closedConcurrency: 4 } : { openMilliRps: rps * 1000 }
  const facts = {
    key: { cache: 'cold', load, repeat: 1 },
    arrivalUs: seconds * SECOND,
    cohortUs: seconds * SECOND,
  } as unknown as PointFacts
  return sliceEvidence({ manifest, facts, records, timeline })
}

function requestOf(dueUs: number, lagUs: number | null): RequestRecord {
  const sentUs = lagUs === null ? null : dueUs + lagUs
  return { id: `r-${dueUs}`, status: sentUs === null ? 'error' : 'ok', errorCode: null, dueUs, sentUs } as RequestRecord
}

/** Within the slice that begins there. */
const inSlice = (from: number) => (us: number) => us >= from * SECOND && us < (from + 10) * SECOND

describe('a client, slice by slice', () => {
  test('passes where nothing held it up', () => {
    expect(judge({ seconds: 60, rps: 28 })).toMatchObject({ state: 'pass', required: true, blames: 'client', value: 0 })
  })

  test('names the slice in which its send lag rose, that no point’s P99 would show', () => {
    const late = (dueUs: number) => inSlice(40)(dueUs) && dueUs >= 49.5 * SECOND
    const found = judge({ seconds: 300, rps: 28, lagUs: (dueUs) => (late(dueUs) ? 12_000 : 100) })
    expect(found).toMatchObject({ state: 'fail', value: 1, limit: 0 })
    expect(found.text).toBe('40–50 s: send lag p99 12 ms > 5 ms (14 of 280 requests late)')
  })

  test.each<[rps: number, late: number, state: 'pass' | 'fail']>([
    [0.2, 1, 'pass'],
    [2, 2, 'pass'],
    [2, 3, 'fail'],
    [28, 8, 'pass'],
    [28, 9, 'fail'],
    [200, 34, 'pass'],
    [200, 35, 'fail'],
  ])('at %d a second lets %d late requests of a slice: %s', (rps, late, state) => {
    const first = 10 * SECOND
    const lagUs = (dueUs: number) => (dueUs >= first && dueUs < first + (late / rps) * SECOND - 1 ? 6000 : 0)
    expect(judge({ seconds: 30, rps, lagUs }).state).toBe(state)
  })

  test('counts a request that went ahead of its time as one that was late', () => {
    expect(judge({ seconds: 20, rps: 28, lagUs: (dueUs) => (inSlice(10)(dueUs) ? -6000 : 0) }).state).toBe('fail')
  })

  test('compares what was due in a slice with what of it was sent, not with the nominal rate', () => {
    // Arrivals that pause are a schedule's own affair.
    expect(judge({ seconds: 30, rps: 0.2 }).state).toBe('pass')
    const slow = judge({ seconds: 30, rps: 28, lagUs: (dueUs) => (inSlice(10)(dueUs) ? 4 * SECOND : 0) })
    expect(slow.text).toMatch(
      /^10–20 s: send lag p99 4000 ms > 5 ms \(280 of 280 requests late\), 1\d\d of 280 requests due were not sent/,
    )
  })

  test('lets an engine that takes no connection be the engine’s affair', () => {
    expect(judge({ seconds: 20, rps: 28, lagUs: (dueUs) => (inSlice(10)(dueUs) ? null : 0) }).state).toBe('pass')
  })

  test.each<[stallsMs: number[], state: 'pass' | 'fail']>([
    [[110], 'pass'],
    [[111], 'fail'],
    [[60, 60], 'pass'],
    [[61, 61], 'fail'],
    [Array.from({ length: 50 }, () => 10), 'pass'],
  ])('weighs stalls of %j ms by what is stamped more than 10 ms late: %s', (stallsMs, state) => {
    const saw = (atUs: number) => ({ loopStallUs: (stallsMs[(atUs - 20 * SECOND) / 200_000] ?? 0) * 1000 })
    expect(judge({ seconds: 60, rps: 28, saw }).state).toBe(state)
    expect(judge({ seconds: 60, rps: 28, saw, closed: true }).state).toBe(state)
  })

  test.each([
    [100_000, 'pass'],
    [100_001, 'fail'],
  ])('adds up several stalls between two samples, %d µs of them too long: %s', (loopBlindUs, state) => {
    const saw = (atUs: number) => (atUs === 20 * SECOND ? { loopStallUs: 30_000, loopBlindUs } : {})
    expect(judge({ seconds: 60, rps: 28, saw }).state).toBe(state)
  })

  test('tells a stall with how much it spoils, and names a collector that was behind it', () => {
    const at = 45 * SECOND
    const stalled = (more: Partial<ClientWatch>) =>
      judge({ seconds: 60, rps: 28, saw: (atUs) => (atUs === at ? { loopStallUs: 180_000, ...more } : {}) }).text
    expect(stalled({})).toBe('40–50 s: the event loop stood still for 180 ms, 1.7 % of answers more than 10 ms late')
    expect(stalled({ gcMaxUs: 170_000, gcUs: 170_000 })).toMatch(
      /^40–50 s: the event loop stood still .* \(garbage collection paused 170 ms in that slice\)$/,
    )
    expect(stalled({ gcMaxUs: 20_000, gcUs: 20_000 })).not.toContain('garbage')
  })

  test('names what a late slice was late for, as far as it can be seen', () => {
    const late = (seen: Partial<ClientWatch & { backlog: number }>) =>
      judge({
        seconds: 20,
        rps: 28,
        lagUs: (dueUs) => (inSlice(10)(dueUs) ? 8000 : 0),
        saw: (atUs) => (atUs === 15 * SECOND ? seen : {}),
      }).text
    expect(late({})).not.toContain('in that slice')
    expect(late({ backlog: 12 })).toContain('(up to 12 requests waited unsent in that slice)')
    expect(late({ backlog: 12, loopStallUs: 60_000 })).toContain('(the event loop stood still for 60 ms in that slice)')
    expect(late({ loopStallUs: 60_000, gcMaxUs: 50_000 })).toContain('(garbage collection paused 50 ms in that slice)')
  })

  test('names three slices and counts the others', () => {
    const { text, value } = judge({ seconds: 60, rps: 28, lagUs: () => 6000 })
    expect(value).toBe(6)
    expect(text?.match(/ s: send lag/g)).toHaveLength(3)
    expect(text).toMatch(/ and 3 more$/)
  })

  test('adds a short rest to the slice before it', () => {
    const last = (seconds: number) =>
      judge({ seconds, rps: 28, lagUs: (dueUs) => (dueUs > (seconds - 1) * SECOND ? 6000 : 0) }).text
    expect(last(24.9)).toMatch(/^10–24\.9 s: /)
    expect(last(25)).toMatch(/^20–25 s: /)
    expect(last(3)).toMatch(/^0–3 s: /)
  })

  test('is unknown where nothing was sampled', () => {
    const timeline: Timeline = { client: [], scrapes: [], failedScrapes: 0, events: [], machine: [], evidence: [] }
    const facts = { key: { load: { closedConcurrency: 1 } }, arrivalUs: 0, cohortUs: SECOND } as unknown as PointFacts
    expect(sliceEvidence({ manifest: MANIFEST, facts, records: [], timeline }).state).toBe('unknown')
    expect(watchEvidence(timeline).map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown'])
  })

  test('puts each request and each stall in exactly one slice', () => {
    const times = fc.integer({ min: 0, max: 119 })
    fc.assert(
      fc.property(times, fc.integer({ min: 60, max: 180 }), (second, seconds) => {
        const lagUs = (dueUs: number) => (Math.floor(dueUs / SECOND) === second ? 6000 : 0)
        const saw = (atUs: number) => (atUs === (second + 1) * SECOND ? { loopStallUs: 5 * SECOND } : {})
        const isIn = second < seconds
        expect(judge({ seconds, rps: 20, lagUs }).value).toBe(isIn ? 1 : 0)
        expect(judge({ seconds, rps: 20, saw }).value).toBe(second + 1 <= seconds ? 1 : 0)
      }),
      { numRuns: 25 },
    )
  })
})

describe('what the client saw of itself', () => {
  test('is told over the cohort, without the time before it', () => {
    const sample = (atUs: number, more: Partial<ClientWatch>) =>
      ({ t: 'client', atUs, inFlight: 0, backlog: 0, sent: 0, resolved: 0, ...UNDISTURBED, ...more }) as const
    const client = [
      sample(-SECOND, { loopStallUs: 900_000, cpuUs: 900_000 }),
      sample(0, { loopStallUs: 900_000 }),
      sample(SECOND, { loopStallUs: 12_000, gcMaxUs: 3000, gcUs: 4000, cpuUs: 250_000 }),
      sample(2 * SECOND, { loopStallUs: 2000, gcMaxUs: 1000, gcUs: 1000, cpuUs: 750_000 }),
    ]
    expect(watchEvidence({ client })).toMatchObject([
      { probe: 'client.event_loop', state: 'pass', required: false, value: 12 },
      { probe: 'client.gc', value: 3, text: 'garbage collection paused 3 ms at most and 5 ms in all' },
      { probe: 'client.cpu', value: 0.5, unit: 'cores' },
    ])
  })

  test('may be stamped late by a share of the tightest cutoff of any metric', () => {
    expect(stampToleranceUs(MANIFEST)).toBe(10_000)
    const [first] = MANIFEST.workload
    if (!first) throw new Error('there is a class')
    const of = (change: object) => stampToleranceUs({ ...MANIFEST, workload: [{ ...first, ...change }] })
    expect(of({ output_tokens: 3 })).toBeCloseTo(2 * 40 * 0.02 * 1000, 6)
    expect(of({ output_tokens: 1 })).toBe(10_000)
    expect(of({ request_e2e_cutoff_ms: 100 })).toBeCloseTo(2000, 6)
  })
})
