import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Calibration } from '../../../src/core/telemetry/calibration.ts'
import { ceilingOf } from '../../../src/core/telemetry/calibration.ts'
import { calibrationEvidence, covers, isFit } from '../../../src/core/telemetry/calibration-evidence.ts'
import { calibrationNeed, neededEventsPerSecond, pointNeed } from '../../../src/core/telemetry/calibration-need.ts'
import type { FakeClient } from '../../fakes/calibrator.ts'
import { calibrationOf } from '../../fakes/calibrator.ts'
import { workedExample } from '../../virtual/virtual-manifest.ts'

/** TTFT cutoffs 500, 2500 and 800 ms; TPOT 40, 50 and 45 ms at 128, 256 and 1024 tokens; a send lag of 5 ms; a share of 2 %. */
const manifest = workedExample()
const need = calibrationNeed(manifest, 28_000)

const judge = (found: FakeClient, change: Partial<Calibration> = {}) =>
  calibrationEvidence({ ...calibrationOf(need, found), ...change }, manifest, need)
const probe = (name: string, found: FakeClient, change: Partial<Calibration> = {}) =>
  judge(found, change).find((item) => item.probe === `client.calibration.${name}`)

describe('a calibration, judged', () => {
  test('passes a client that is good enough, with every probe required and blamed on it', () => {
    const evidence = judge({})
    expect(evidence.map((item) => item.probe.replace('client.calibration.', ''))).toEqual([
      'rate',
      'ttft',
      'tpot',
      'send_lag',
    ])
    for (const item of evidence) expect(item).toMatchObject({ state: 'pass', required: true, blames: 'client' })
    expect(isFit(evidence)).toBe(true)
  })

  test.each<[name: string, found: FakeClient, value: number, limit: number]>([
    // 28 RPS of 243.2 tokens; 1 µs of a core for 1e6 events: half of that.
    ['rate', { cpuUsPerEvent: 73 }, 6809.6, 6849.315],
    ['ttft', { ttftP99Us: 10_000 }, 10, 10],
    // Of the interactive class: 101.6 ms over 127 gaps.
    ['tpot', { decodeP99Us: 101_600 }, 0.8, 0.8],
    ['send_lag', { sendLagP99Us: 5000 }, 5, 5],
  ])('lets %s stand at its limit and fails it beyond, saying how to mend it', (name, found, value, limit) => {
    expect(probe(name, found)).toMatchObject({ state: 'pass', value, limit })
    const worse = Object.fromEntries(Object.entries(found).map(([key, number]) => [key, Number(number) * 1.01]))
    const failed = probe(name, worse)
    expect(failed).toMatchObject({ state: 'fail' })
    expect(failed?.text).toMatch(/: (quiet|use a faster|give)/)
    expect(isFit(judge(worse))).toBe(false)
  })

  test('holds TPOT to the class whose own length and cutoff are nearest their limit', () => {
    const few = workedExample()
    const [interactive, ...rest] = few.workload
    if (!interactive) throw new Error('there is a class')
    // Three tokens: the same error of the ends weighs 64 times as much.
    const short = { ...few, workload: [{ ...interactive, output_tokens: 3 }, ...rest] }
    const asked = calibrationNeed(short, 28_000)
    const evidence = calibrationEvidence(calibrationOf(asked, { decodeP99Us: 1700 }), short, asked)
    const tpot = evidence.find((item) => item.probe === 'client.calibration.tpot')
    expect(tpot).toMatchObject({ state: 'fail', value: 0.85, limit: 0.8 })
    expect(tpot?.text).toContain('of interactive 40 ms')
  })

  test('holds E2E to its tightest cutoff where there is one', () => {
    const timed = workedExample()
    const workload = timed.workload.map((entry, index) =>
      index === 1 ? { ...entry, request_e2e_cutoff_ms: 400 } : entry,
    )
    const evidence = calibrationEvidence(calibrationOf(need, { ttftP99Us: 9000 }), { ...timed, workload }, need)
    expect(evidence.find((item) => item.probe === 'client.calibration.e2e')).toMatchObject({ state: 'fail', limit: 8 })
  })

  test('fails a rate that could not be sent in the calibration itself', () => {
    const paced = { requestsPerSecond: 20, eventsPerSecond: 5000, cpuUsPerEvent: 30 }
    expect(probe('rate', {}, { paced })).toMatchObject({ state: 'fail', limit: 5000 })
  })

  test('takes what was reached for the ceiling of a client that fell behind', () => {
    const heavy = { eventsPerSecond: 12_000, cpuUsPerEvent: 10, readDelayP50Us: 10_001 }
    expect(ceilingOf({ heavy })).toEqual({ eventsPerSecond: 12_000, from: 'reached' })
    expect(ceilingOf({ heavy: { ...heavy, readDelayP50Us: 10_000 } })).toEqual({
      eventsPerSecond: 100_000,
      from: 'cpu',
    })
    expect(probe('rate', {}, { heavy })).toMatchObject({ state: 'fail', limit: 6000 })
  })

  test('is unknown where there is none, it could not be made, or it is of another load; and then nothing may begin', () => {
    const { milliRps } = need
    const unmade = { schema: 1, made: false, need, measuredAt: '', cause: 'no process may be started' } as const
    const other = calibrationOf({ ...need, milliRps: milliRps / 2 })
    for (const file of [null, unmade, other]) {
      const evidence = calibrationEvidence(file, manifest, need)
      expect(evidence).toMatchObject([{ probe: 'client.calibration', state: 'unknown', required: true }])
      expect(isFit(evidence)).toBe(false)
    }
    expect(calibrationEvidence(unmade, manifest, need)[0]?.text).toContain('no process may be started')
    const lax = workedExample({ acceptance: { required_evidence: ['queue'] } })
    expect(isFit(calibrationEvidence(unmade, lax, need))).toBe(true)
    expect(isFit(calibrationEvidence(calibrationOf(need, { ttftP99Us: 1e6 }), lax, need))).toBe(false)
  })
})

describe('what a calibration covers', () => {
  const rates = fc.integer({ min: 1, max: 5_000_000 })

  test('is every rate up to its own, which is at most a quarter above what was asked', () => {
    fc.assert(
      fc.property(rates, rates, (asked, other) => {
        const made = calibrationOf({ ...need, milliRps: asked })
        expect(made.need.milliRps).toBeGreaterThanOrEqual(asked)
        expect(made.need.milliRps).toBeLessThanOrEqual(Math.ceil(asked * 1.25))
        expect(covers(made.need, { ...need, milliRps: asked })).toBe(true)
        const isCovered = covers(made.need, { ...need, milliRps: other })
        expect(isCovered || other > asked).toBe(true)
        expect(isCovered && other > made.need.milliRps).toBe(false)
      }),
    )
  })

  test('is nothing of other bytes', () => {
    const made = calibrationOf(need).need
    const longer = need.classes.map((entry) => ({ ...entry, inputTokens: entry.inputTokens + 1 }))
    expect(covers(made, { ...need, classes: longer })).toBe(false)
    expect(covers(made, { ...need, endpoint: 'chat' })).toBe(false)
    expect(covers(made, { ...need, dialect: 'openai' })).toBe(false)
  })

  test('counts the tokens of sessions with their history, and a closed loop by its cutoffs', () => {
    const turns = { turns: 4, concurrent: 2, think_seconds: 0, history: 'synthetic' } as const
    const talking = workedExample()
    const workload = talking.workload.map((entry) => ({ ...entry, session: turns }))
    // The first turn's own, then each with one more prompt and answer before it: (1 + 2 + 3 + 4) / 4 and (0 + 1 + 2 + 3) / 4.
    expect(calibrationNeed({ ...talking, workload }, 1).classes[0]?.inputTokens).toBe(1024 * 2.5 + 128 * 1.5)
    expect(neededEventsPerSecond(need)).toBeCloseTo(28 * (0.7 * 128 + 0.2 * 256 + 0.1 * 1024), 6)
    const one = pointNeed(manifest, { closedConcurrency: 64 })
    const meanSeconds = 0.7 * (0.5 + 127 * 0.04) + 0.2 * (2.5 + 255 * 0.05) + 0.1 * (0.8 + 1023 * 0.045)
    expect(one.milliRps / 1000).toBeCloseTo(64 / (meanSeconds / 2), 2)
  })
})
