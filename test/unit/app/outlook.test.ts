import { expect, it } from 'vitest'
import type { Outlook } from '../../../src/app/ports/progress.ts'
import { RunOutlook } from '../../../src/app/run/outlook.ts'
import { estimatePlan } from '../../../src/core/capacity/estimate.ts'
import { secondsAhead } from '../../../src/core/capacity/seconds-ahead.ts'
import type { StepPoint } from '../../../src/core/capacity/by-rate.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { smallExample } from '../../virtual/virtual-manifest.ts'

const manifest = smallExample()
const baseline = {
  capacity: [
    { cache: 'cold' as const, passMilliRps: 24_000 },
    { cache: 'warm' as const, passMilliRps: 30_000 },
  ],
}
const INPUT = { manifest, plan: 'confirm', caches: ['cold', 'warm'], baseline, anchor: null } as const

const measured = (milliRps: number, repeat: number, outcome: StepPoint['outcome']): StepPoint => ({
  key: { cache: 'cold', load: { openMilliRps: milliRps }, repeat },
  outcome,
  deployId: `cold-boot-${repeat}`,
  stoppedEarly: false,
  evidence: [],
  slo: { queue_trend: outcome === 'pass' ? 'flat' : 'growing', successful: 1 },
  ratesRps: { completed: milliRps / 1000, good: milliRps / 1000 },
})

const GUARD = 23_040

it('ahead of a plan of which nothing is measured lie the points and seconds that it was estimated at', () => {
  for (const plan of ['confirm', 'sweep'] as const) {
    const input = { ...INPUT, plan }
    const ahead = INPUT.caches.flatMap((cache) => secondsAhead(input, cache, []))
    const { points, seconds } = estimatePlan(input)
    expect(ahead).toHaveLength(points)
    expect(ahead.reduce((sum, each) => sum + each, 0)).toBeCloseTo(seconds, 6)
  }
})

it('a guard rate that passed leaves nothing to measure; one that failed more than before', () => {
  expect(secondsAhead(INPUT, 'cold', [measured(GUARD, 1, 'pass')])).toEqual([])
  expect(secondsAhead(INPUT, 'cold', [measured(GUARD, 1, 'fail')]).length).toBeGreaterThan(1)
})

it('tells which point of how many is next, and by how long points took what is left', async () => {
  const told: (Outlook | null)[] = []
  const clock = fakeClock()
  const progress = { outlook: (outlook: Outlook | null) => void told.push(outlook), point() {}, note() {}, warn() {} }
  const outlook = new RunOutlook({ clock, progress }, INPUT, 0)
  const [cold = 0] = secondsAhead(INPUT, 'cold', [])
  const [warm = 0] = secondsAhead(INPUT, 'warm', [])
  outlook.begins('cold', [])
  expect(told.pop()).toEqual({ point: 1, ofAbout: 2, secondsLeft: cold + warm, secondsAfterPoint: warm })
  // It took half as long again as it was estimated at: so will the next one.
  await clock.advanceMs(cold * 1500)
  const failed = [measured(GUARD, 1, 'fail')]
  const [, ...more] = secondsAhead(INPUT, 'cold', failed)
  outlook.begins('cold', failed)
  const grown = told.pop()
  expect(grown?.ofAbout).toBe(3 + more.length)
  expect(grown?.secondsAfterPoint).toBeCloseTo((more.reduce((sum, each) => sum + each, 0) + warm) * 1.5, 6)
  await clock.advanceMs((secondsAhead(INPUT, 'cold', failed)[0] ?? 0) * 1500)
  outlook.begins('warm', [])
  const after = told.pop()
  expect(after).toMatchObject({ point: 3, ofAbout: 3, secondsAfterPoint: 0 })
  expect(after?.secondsLeft).toBeCloseTo(warm * 1.5, 6)
  outlook.over()
  expect(told).toEqual([null])
})
