import { describe, expect, test } from 'vitest'
import { drawBootSpeed, mixSeed } from '../../../fixtures/engine/model/seeded-random.ts'
import { bracketOf } from '../../../src/core/capacity/by-rate.ts'
import { judgeFiles } from '../../../src/app/point/judge.ts'
import { dialectFor } from '../../../src/core/dialect/choose.ts'
import { pointName } from '../../../src/core/kernel/point.ts'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import { workedExample, workedSubject } from '../../virtual/virtual-manifest.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'

const HOUR_US = 3_600_000_000

/** Every tenth request of the smallest class is refused in the schedule's first 22,000 and its extension: 220 and 20. */
function starves(rows: readonly { id: string; class: string }[]): ReadonlySet<string> {
  const small = rows.filter((row) => row.class === 'generation_heavy')
  return new Set(small.filter((_, index) => index % 10 === 0).map(({ id }) => id))
}

describe('the whole worked example in virtual time', () => {
  test(
    'cold and warm at 16, 20, 24 and 28 RPS, 22,000 requests each, the starved class extended to 24,000',
    { timeout: 600_000 },
    async () => {
      const manifest = workedExample({ sweep: { refine_step: 0, repeats: 1 } })
      const starved = starves(buildSchedule(manifest, 'cold').schedule.rows)
      const { record, verdict, world } = await runVirtually({
        manifest,
        subject: workedSubject({ jitter: 0.03, driftAmplitude: 0.005 }),
        plan: { refuses: (row, boot) => boot === 1 && starved.has(row.id) },
      })
      const { pack, clock } = world.effects

      expect(verdict.outcome).toBe('recorded')
      expect(
        record.capacity.map(({ cache, passMilliRps, failMilliRps }) => [cache, passMilliRps, failMilliRps]),
      ).toEqual([
        ['cold', 24_000, 28_000],
        ['warm', 24_000, 28_000],
      ])
      expect(record.capacity[0]).toMatchObject({ perReplicaRps: 6, perGpuRps: 3 })

      const points = record.capacity.flatMap((state) => state.points)
      const shown = points.map((point) => [pointName(point.key), point.outcome, point.stoppedEarly, point.deployId])
      expect(shown).toEqual([
        ['cold-open-16000-r1', 'pass', false, 'cold-boot-1'],
        ['cold-open-20000-r1', 'pass', false, 'cold-boot-1'],
        ['cold-open-24000-r1', 'pass', false, 'cold-boot-1'],
        ['cold-open-28000-r1', 'fail', true, 'cold-boot-1'],
        ['warm-open-16000-r1', 'pass', false, 'warm-boot-1'],
        ['warm-open-20000-r1', 'pass', false, 'warm-boot-1'],
        ['warm-open-24000-r1', 'pass', false, 'warm-boot-1'],
        ['warm-open-28000-r1', 'fail', true, 'warm-boot-1'],
      ])
      // 1,980 of 2,200 is short of the floor of 2,000: the block follows, and 2,160 of 2,400 are enough; 240 of 24,000 failed.
      for (const { slo } of points.slice(0, 3)) {
        expect(slo).toMatchObject({ attempted: 24_000, failed: 240, error_rate: 0.01, queue_trend: 'flat' })
        expect(slo.classes.generation_heavy).toMatchObject({ successful_count: 2160, attempted_count: 2400 })
      }
      for (const { slo } of points.slice(4, 7)) expect(slo).toMatchObject({ attempted: 22_000, failed: 0 })
      for (const { slo, reasons } of [points[3], points[7]].flatMap((point) => point ?? [])) {
        expect(slo.attempted).toBeLessThan(22_000)
        expect(reasons.map(({ code }) => code)).toContain('cannot_pass')
      }
      // Everything that must be known is known.
      const unknown = points.flatMap(({ evidence }) => evidence.filter((one) => one.required && one.state !== 'pass'))
      expect(unknown).toEqual([])
      expect(clock.nowUs() / HOUR_US).toBeGreaterThan(2)
      expect(clock.nowUs() / HOUR_US).toBeLessThan(3)
      expect(record.capacity.reduce((sum, { gpuMinutes }) => sum + gpuMinutes, 0)).toBeGreaterThan(1000)
      expect(world.deployer.standing).toBe(0)

      const perPoint = ['gaps.json', 'point.json', 'requests.csv', 'slo-report.json', 'telemetry.jsonl.gz']
      const files = await pack.list('points')
      expect(files).toEqual(
        points
          .flatMap(({ key }) => perPoint.map((file) => `points/${pointName(key)}/${file}`))
          .toSorted((a, b) => (a < b ? -1 : 1)),
      )
      for (const file of [
        'capacity.json',
        'verdict.json',
        'report.md',
        'SHA256SUMS',
        'engine.log',
        'failure-test.md',
      ]) {
        expect(pack.text(file)).not.toBeNull()
      }
      expect(record.selected).toBe('cold-open-24000-r1')
      expect(pack.text('requests.csv')).toBe(pack.text('points/cold-open-24000-r1/requests.csv'))

      // A point's report follows from its files alone.
      const again = points[2]
      if (!again) throw new Error('no point')
      const { schedule } = buildSchedule(manifest, 'cold')
      expect(await judgeFiles(pack, { manifest, dialect: dialectFor(manifest), schedule, key: again.key })).toEqual(
        again,
      )
    },
  )

  test(
    'refined, on boots that differ: a bracket no wider than the step, its ends repeated',
    { timeout: 600_000 },
    async () => {
      const manifest = workedExample({ sweep: { rates_rps: [24, 28], refine_step: 0.02, repeats: 3 } })
      const { record } = await runVirtually({
        manifest,
        subject: workedSubject({ seed: 3, bootSpread: 0.01, jitter: 0.03 }),
        gaps: false,
        request: { caches: ['cold'] },
      })
      const [state] = record.capacity
      if (!state) throw new Error('no state')
      const { passMilliRps: pass, failMilliRps: fail, points } = state
      expect(pass).toBeGreaterThanOrEqual(24_000)
      expect(fail).toBeLessThanOrEqual((pass ?? 0) * 1.02)
      expect(bracketOf(points)).toMatchObject({ pass, fail })
      const at = (rate: number | null, outcome: string) =>
        points.filter((point) => JSON.stringify(point.key.load).includes(`:${rate}}`) && point.outcome === outcome)
      expect(at(pass, 'pass').length).toBeGreaterThanOrEqual(2)
      expect(at(fail, 'fail').length).toBeGreaterThanOrEqual(2)
      // Three boots at the pass rate, drawn 1 % apart in speed, of which this engine makes 1.5 % of capacity each.
      const atPass = new Set([...at(pass, 'pass'), ...at(pass, 'fail')].map(({ deployId }) => deployId))
      expect(atPass.size).toBe(3)
      const speeds = [...atPass].map((id) => drawBootSpeed(mixSeed(3, Number(id.split('-').at(-1))), 0.01))
      const mean = speeds.reduce((sum, speed) => sum + speed, 0) / 3
      const drawn = 1.5 * Math.sqrt(speeds.reduce((sum, speed) => sum + (speed - mean) ** 2, 0) / 2)
      expect(state.bootSpread ?? 0).toBeGreaterThan(drawn * 0.7)
      expect(state.bootSpread ?? 0).toBeLessThan(drawn * 1.4)
      // An engine that ended overloaded is not used again.
      const boots = new Set(points.map(({ deployId }) => deployId))
      expect(boots.size).toBeGreaterThan(points.filter(({ stoppedEarly }) => stoppedEarly).length - 1)
      expect(record.boots.map(({ deployId }) => deployId)).toEqual([...boots])
    },
  )
})
