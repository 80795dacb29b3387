import { describe, expect, it } from 'vitest'
import { parseOpenDrifts, planDrifts } from '../../../src/core/history/drift-plan.ts'
import type { HistoryPoint } from '../../../src/core/history/point.ts'
import { pointValue } from '../../../src/core/history/point.ts'
import { latest, trendsOf } from '../../../src/core/history/trend.ts'
import { historyPoint, night, nights, wavering } from './point-fixture.ts'

const driftOf = (points: readonly HistoryPoint[]) => trendsOf(points)[0]!.drift
const fallen = [...wavering(20), ...wavering(6, 22_000)]

describe('what counts', () => {
  it.each<[string, Partial<HistoryPoint>, ReturnType<typeof pointValue>]>([
    ['a sweep’s bracket', {}, { milliRps: 24_000, isBound: false }],
    ['a loss', { outcome: 'regressed', capacityMilliRps: 20_000 }, { milliRps: 20_000, isBound: false }],
    ['a first record', { outcome: 'recorded' }, { milliRps: 24_000, isBound: false }],
    ['nothing passed: at most', { outcome: 'regressed', capacityMilliRps: null }, { milliRps: 24_480, isBound: true }],
    ['a confirmation: at least', { plan: 'confirm' }, null],
    ['no ceiling: at least', { failMilliRps: null }, null],
    ['inconclusive', { outcome: 'inconclusive' }, null],
    ['invalid', { outcome: 'invalid' }, null],
    ['nothing measured', { outcome: 'regressed', capacityMilliRps: null, failMilliRps: null }, null],
  ])('%s', (_, over, value) => {
    expect(pointValue(historyPoint(over))).toEqual(value)
  })

  it('is one value a day, its median, and invalid nights are none', () => {
    const points = [
      ...nights([24_000, null, 23_000]),
      historyPoint({ at: night(0, '09:00:00'), capacityMilliRps: 20_000 }),
      historyPoint({ at: night(0, '10:00:00'), capacityMilliRps: 25_000 }),
    ]
    const [trend] = trendsOf(points)
    expect(trend?.days.map(({ day, milliRps }) => [day, milliRps])).toEqual([
      ['2026-09-01', 24_000],
      ['2026-09-03', 23_000],
    ])
    expect(trend?.points).toHaveLength(5)
  })
})

describe('a drift', () => {
  it('is not spoken of while there are few values', () => {
    expect(driftOf(nights([24_000, 12_000, 11_000, null, null, null, null, null]))).toEqual({
      state: 'short',
      values: 3,
      needed: 7,
    })
  })

  it('stands from the second night of a fall on, with what it was and is', () => {
    expect(driftOf(nights(wavering(20)))).toEqual({ state: 'steady' })
    expect(driftOf(nights([...wavering(20), 22_000]))).toEqual({ state: 'steady' })
    expect(driftOf(nights([...wavering(20), 22_000, 22_000]))).toMatchObject({
      state: 'drifting',
      fall: { since: '2026-09-21', nowMilliRps: 22_000, by: 'two-in-a-row' },
    })
  })

  it('is abandoned where other series are measured and this one has had no run for more than thirty days', () => {
    const other = (days: number) => historyPoint({ series: 'other', at: night(25 + days) })
    const stateOf = (days: number) =>
      trendsOf([...nights(fallen), other(days)]).find((trend) => latest(trend).series === 'dense-70b')?.drift.state
    expect([stateOf(30), stateOf(31)]).toEqual(['drifting', 'abandoned'])
    const invalid = historyPoint({ at: night(50), outcome: 'invalid', capacityMilliRps: null, failMilliRps: null })
    expect(trendsOf([...nights(fallen), invalid, other(50)]).map(({ drift }) => drift.state)).toContain('drifting')
    expect(trendsOf([...nights(wavering(26)), other(60)]).map(({ drift }) => drift.state)).toContain('steady')
  })

  it('names the engine before and after', () => {
    const points = nights(fallen).map((point, index) =>
      index < 20 ? point : { ...point, subject: { ...point.subject, sha256: 'e'.repeat(64), version: '0.33.0' } },
    )
    expect(driftOf(points)).toMatchObject({ fall: { from: { version: '0.32.0' }, to: { version: '0.33.0' } } })
  })

  it('is over when the level is back', () => {
    expect(driftOf(nights([...fallen, ...wavering(6)])).state).toBe('recovered')
  })

  it('stands while the level is only partly back', () => {
    const partly = driftOf(nights([...fallen, ...wavering(10, 23_100)]))
    expect(partly.state).toBe('drifting')
    expect(partly).toMatchObject({ fall: { since: '2026-09-21' } })
  })

  it('deepens, and stands from its first night', () => {
    const deeper = driftOf(nights([...fallen, ...wavering(8, 20_000)]))
    expect(deeper).toMatchObject({ state: 'drifting', fall: { since: '2026-09-21', latest: '2026-09-27' } })
    expect('fall' in deeper && deeper.fall.share).toBeCloseTo(-1 / 6, 2)
  })

  it('is none for a rise', () => {
    expect(driftOf(nights([...wavering(20), ...wavering(6, 26_000)]))).toEqual({ state: 'steady' })
  })

  it('is over when a lower baseline was accepted since, and holds', () => {
    const points = nights(fallen)
    const accepted = points.map((point, index) => (index < 24 ? point : { ...point, baselineMilliRps: 22_000 }))
    expect(driftOf(accepted).state).toBe('accepted')
    const back = [...accepted.slice(0, -1), { ...accepted.at(-1)!, baselineMilliRps: 24_000 }]
    expect(driftOf(back).state).toBe('drifting')
    expect(driftOf(points.map((point) => ({ ...point, baselineMilliRps: 22_000 }))).state).toBe('drifting')
  })

  it('stays over for one night that regresses against what was accepted, and not for two', () => {
    const regressing = (count: number) =>
      nights([...fallen, ...wavering(3, 22_000)]).map((point, index, { length }) => ({
        ...point,
        baselineMilliRps: index < 23 ? 24_000 : 22_000,
        outcome: index < length - count ? ('held' as const) : ('regressed' as const),
      }))
    expect([0, 1, 2].map((count) => driftOf(regressing(count)).state)).toEqual(['accepted', 'accepted', 'drifting'])
  })

  it('is another one where the level falls on from what was accepted, though every night holds', () => {
    const points = nights([...fallen, ...wavering(10, 22_000), ...wavering(10, 21_300)]).map((point, index) => ({
      ...point,
      baselineMilliRps: index < 24 ? 24_000 : 22_000,
    }))
    const { state, fall } = driftOf(points) as Extract<ReturnType<typeof driftOf>, { fall: unknown }>
    expect([state, fall.since, fall.latest]).toEqual(['drifting', '2026-10-07', '2026-10-07'])
    expect([fall.beforeMilliRps, fall.nowMilliRps].map((rate) => Math.round(rate / 100))).toEqual([220, 213])
    const again = points.map((point, index) => (index < 40 ? point : { ...point, baselineMilliRps: 21_300 }))
    expect(driftOf(again).state).toBe('accepted')
  })

  it('counts a night on which no tested rate passed', () => {
    const dead = { outcome: 'regressed', capacityMilliRps: null, failMilliRps: 16_000 } as const
    const points = [...nights(wavering(20)), ...[20, 21].map((index) => historyPoint({ at: night(index), ...dead }))]
    expect(driftOf(points)).toMatchObject({ state: 'drifting', fall: { nowMilliRps: 16_000 } })
  })
})

describe('the plan', () => {
  const action = (points: readonly HistoryPoint[], facts?: string) => {
    const trends = trendsOf(points)
    const open = facts === undefined ? [] : [{ number: 7, key: trends[0]!.key, facts, closedOn: null }]
    return planDrifts(trends, open)[0]!
  }

  it('opens one issue a fall, and no second one', () => {
    const planned = action(nights(fallen))
    expect(planned).toMatchObject({ action: 'open', facts: expect.stringMatching(/^[0-9a-f]{16}$/) })
    expect(action(nights(fallen), planned.facts!).action).toBe('keep')
    expect(action(nights([...fallen, 22_010]), planned.facts!).action).toBe('keep')
  })

  it('updates it when it deepens', () => {
    const { facts } = action(nights(fallen))
    expect(action(nights([...fallen, ...wavering(12, 20_000)]), facts!).action).toBe('update')
  })

  it('closes it when the fall is over or no longer seen, and not where there is none', () => {
    const back = nights([...fallen, ...wavering(6)])
    expect(action(back, '0'.repeat(16)).action).toBe('close')
    expect(action(back).action).toBe('none')
    expect(action(nights(wavering(20)), '0'.repeat(16)).action).toBe('close')
  })

  const closed = (facts: string, closedOn: string, points = nights(fallen)) => {
    const trends = trendsOf(points)
    const { action, issue } = planDrifts(trends, [{ number: 7, key: trends[0]!.key, facts, closedOn }])[0]!
    return [action, issue?.number ?? null]
  }
  const BY_HAND = '0'.repeat(16)

  it('leaves one alone that a person closed, until the capacity falls further', () => {
    expect(closed(BY_HAND, '2026-09-24')).toEqual(['leave', 7])
    const deeper = nights([...fallen, ...wavering(8, 20_000)])
    expect(closed(BY_HAND, '2026-09-24', deeper)).toEqual(['reopen', 7])
    expect(closed(BY_HAND, '2026-10-01', deeper)).toEqual(['leave', 7])
  })

  it('opens one again that it closed itself, where the same fall stands after all, or one soon after', () => {
    expect(closed('over', '2026-09-24')).toEqual(['reopen', 7])
    expect(closed('over', '2026-09-12')).toEqual(['reopen', 7])
  })

  it('opens another one for a fall long after', () => {
    expect(closed('over', '2026-09-02')).toEqual(['open', null])
    expect(closed(BY_HAND, '2026-09-02')).toEqual(['open', null])
  })

  it('keeps the first of several that are open, closes the others, and takes none for its own that ended as one too many', () => {
    const trends = trendsOf(nights(fallen))
    const { key } = trends[0]!
    const facts = planDrifts(trends, [])[0]!.facts!
    const issue = (number: number, own = facts, closedOn: string | null = null) => ({
      number,
      key,
      facts: own,
      closedOn,
    })
    expect(
      planDrifts(trends, [issue(9), issue(8), issue(3, 'duplicate'), issue(5, 'over', '2026-09-01')])[0],
    ).toMatchObject({
      action: 'keep',
      issue: { number: 8 },
      duplicates: [{ number: 9 }],
    })
    expect(planDrifts(trends, [issue(3, 'duplicate', '2026-09-24')])[0]?.action).toBe('open')
  })

  it('leaves one open that a person opened again after it was over', () => {
    expect(action(nights(wavering(20)), 'over').action).toBe('keep')
    expect(action(nights(fallen), 'over').action).toBe('update')
  })

  it('leaves it alone where there is too little to say anything', () => {
    expect(action(nights(wavering(3)), '0'.repeat(16)).action).toBe('keep')
  })

  it('keeps experiments, hardware and states apart, each with a key that stays', () => {
    const points = nights(fallen)
    const sets = [
      points,
      points.map((point) => ({ ...point, cache: 'warm' as const })),
      points.map((point) => ({ ...point, hardware: 'f'.repeat(64) })),
      points.map((point) => ({ ...point, experiment: 'f'.repeat(64) })),
    ]
    const plan = planDrifts(trendsOf(sets.flat()), [])
    expect(plan.map((planned) => planned.action)).toEqual(['open', 'open', 'open', 'open'])
    expect(new Set(plan.map(({ key }) => key)).size).toBe(4)
    const alone = trendsOf(points.slice(0, 9))[0]!
    expect(plan.filter(({ key }) => key === alone.key).map(({ trend }) => latest(trend).cache)).toEqual(['cold'])
  })

  it('reads the open ones, and refuses what is no list of them', () => {
    const open = [{ key: '0123456789abcdef', facts: 'fedcba9876543210' }]
    expect(parseOpenDrifts(JSON.stringify(open), 'open.json')).toEqual([{ ...open[0], number: 1, closedOn: null }])
    for (const text of ['', '{}', '[{"key":"x","facts":"y"}]', '[null]'])
      expect(() => parseOpenDrifts(text, 'open.json')).toThrow(/open.json is no list/)
  })
})
