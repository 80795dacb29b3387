import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PointReport } from '../../../src/core/capacity/record.ts'
import type { Side } from '../../../src/core/report/explain/cause.ts'
import { explain } from '../../../src/core/report/explain/explain.ts'
import { lossText, restText } from '../../../src/core/report/explain/wording.ts'
import { plainInk } from '../../../src/core/report/escape.ts'
import type { EngineWork } from '../../../src/core/telemetry/engine-work.ts'
import { baseline, evidence } from '../gate/record-fixture.ts'

const [sound] = baseline().capacity[0]?.points ?? []
if (sound === undefined) throw new Error('no point')
const names = Object.keys(sound.slo.classes)

const amount = fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e6, noNaN: true }))
const known = fc.option(amount)
const share = fc.double({ min: 0, max: 1, noNaN: true })

const work: fc.Arbitrary<EngineWork | undefined> = fc.option(
  fc.record({
    replicas: fc.integer({ min: 0, max: 4 }),
    cost: fc.option(fc.record({ stepUs: amount, sequenceUs: amount, prefillTokenUs: amount })),
    batch: known,
    prefillPerStep: known,
    hitsTold: fc.constantFrom('answers', 'counters', null),
    computedTokens: fc.dictionary(fc.constantFrom(...names, '__proto__', 'constructor'), amount),
    runningMax: known,
    queueWaitMs: known,
    standstill: fc.option(fc.record({ share, waitMs: amount })),
    intakeMs: known,
  }),
  { nil: undefined },
)

const classes = fc.tuple(
  ...names.map((name) =>
    fc
      .record({
        attainment: share,
        ttft: share,
        tpot: share,
        failed: share,
        p50: known,
        tpotMs: known,
        isE2e: fc.boolean(),
      })
      .map((drawn) => [name, drawn] as const),
  ),
)

const codes = fc.dictionary(fc.constantFrom('http_status', 'connection_reset', '__proto__'), fc.nat(5000))

/** Any point: its parts need not fit together, since a record is what somebody wrote. */
const side: fc.Arbitrary<Side> = fc
  .record({
    work,
    classes,
    codes,
    kvTokens: known,
    clocks: known,
    preemptions: known,
    usage: share,
    isDue: fc.boolean(),
  })
  .map((drawn) => {
    const reports = drawn.classes.map(([name, own]) => {
      const report = sound.slo.classes[name] as PointReport['slo']['classes'][string]
      const failed = Math.round(report.attempted_count * own.failed)
      return [
        name,
        {
          ...report,
          failed_count: failed,
          successful_count: report.attempted_count - failed,
          attainment: own.attainment,
          attainment_block_bootstrap95: [own.attainment, own.attainment],
          miss_share: { ttft: own.ttft, tpot: own.tpot, e2e: own.ttft },
          request_e2e_cutoff_ms: own.isE2e ? 1000 : null,
          ttft_ms: { ...report.ttft_ms, p50: own.p50 },
          ttft_from_due_ms: { ...report.ttft_ms, p50: own.p50 },
          tpot_ms: { ...report.tpot_ms, p50: own.tpotMs },
        },
      ]
    })
    const probes = [
      ['host.clocks', drawn.clocks],
      ['stability.preemptions', drawn.preemptions],
      ['stability.kv_usage', drawn.usage],
    ] as const
    const point = {
      ...sound,
      ...(drawn.work === undefined ? {} : { work: drawn.work }),
      evidence: probes.flatMap(([probe, value]) => (value === null ? [] : [evidence(probe, { value })])),
      slo: {
        ...sound.slo,
        classes: Object.fromEntries(reports),
        error_codes: drawn.codes,
        latency_origin: drawn.isDue ? 'due' : 'send',
      },
    } as PointReport
    const boot = drawn.kvTokens === null ? undefined : { ...baseline().boots[0], kvTokens: drawn.kvTokens }
    return { point, boot: boot as Side['boot'] }
  })

test('of any two points the causes account for no more than what was lost, the largest first', () => {
  fc.assert(
    fc.property(side, side, (was, is) => {
      const found = explain({ was, is })
      const shares = found.causes.map((cause) => cause.share)
      const accounted = shares.reduce((sum, one) => sum + one, 0)
      expect(shares.every((one) => one >= 0.05 && one <= 1 + 1e-9)).toBe(true)
      expect(shares).toEqual(shares.toSorted((a, b) => b - a))
      expect(accounted).toBeLessThanOrEqual(1 + 1e-9)
      expect(found.lostShare).toBeGreaterThanOrEqual(0)
      expect(found.parts.reduce((sum, part) => sum + part.share, 0)).toBeCloseTo(found.lostShare, 9)
      // Of nothing lost nothing is accounted for, and nothing is left.
      expect(accounted + found.unexplainedShare).toBeCloseTo(found.parts.length > 0 ? 1 : 0, 6)
      expect(new Set(found.causes.map(({ id }) => id)).size).toBe(found.causes.length)
      expect(`${lossText(found, plainInk)} ${restText(found)}`).not.toMatch(/NaN|undefined|Infinity/)
    }),
    { numRuns: 500 },
  )
})
