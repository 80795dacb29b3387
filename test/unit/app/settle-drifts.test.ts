import { describe, expect, it } from 'vitest'
import { settleDrifts } from '../../../src/app/settle-drifts.ts'
import type { HistoryPoint } from '../../../src/core/history/point.ts'
import { trendsOf } from '../../../src/core/history/trend.ts'
import { GateError } from '../../../src/core/kernel/errors.ts'
import { fakeIssueTracker } from '../../fakes/issue-tracker.ts'
import { historyPoint, night, nights, wavering } from '../history/point-fixture.ts'

const fallen = [...wavering(20), ...wavering(6, 22_000)]
const both = (rates: readonly number[]) => [...nights(rates), ...nights(rates, { cache: 'warm' })]
const settle = async (tracker: ReturnType<typeof fakeIssueTracker>, points: readonly HistoryPoint[]) => {
  const { drifts, refused } = await settleDrifts(tracker, trendsOf(points), async () => trendsOf(points))
  return { actions: drifts.map(({ action, issue }) => [action, issue?.number ?? null]), refused }
}

it('opens an issue a drift once, updates it, closes it when the level is back, and opens it again', async () => {
  const tracker = fakeIssueTracker()
  expect((await settle(tracker, both(fallen))).actions).toEqual([
    ['open', 1],
    ['open', 2],
  ])
  expect((await settle(tracker, both(fallen))).actions).toEqual([
    ['keep', 1],
    ['keep', 2],
  ])
  const deeper = [...fallen, ...wavering(8, 20_000)]
  expect((await settle(tracker, nights(deeper))).actions).toEqual([['update', 1]])
  expect(tracker.issues[0]?.title).toBe('Capacity drift: dense-70b, cold: −16.8 % since 2026-09-21')
  tracker.today = '2026-10-11'
  expect((await settle(tracker, nights([...deeper, ...wavering(6)]))).actions).toEqual([['close', 1]])
  expect(tracker.issues[0]).toMatchObject({ isOpen: false, body: expect.stringContaining('**Recovered:**') })
  const again = [...deeper, ...wavering(6), ...wavering(6, 21_000)]
  expect((await settle(tracker, nights(again))).actions).toEqual([['reopen', 1]])
  expect(tracker.issues).toMatchObject([{ isOpen: true }, { isOpen: true }])
})

it('closes the issue of a series that is measured no more, and opens it again where that is measured again', async () => {
  const tracker = fakeIssueTracker()
  await settle(tracker, nights(fallen))
  const others = (days: number) => historyPoint({ series: 'other', at: night(days) })
  tracker.today = night(60).slice(0, 10)
  expect((await settle(tracker, [...nights(fallen), others(60)])).actions).toContainEqual(['close', 1])
  expect(tracker.issues).toMatchObject([
    {
      isOpen: false,
      body: expect.stringContaining('**No longer measured:** `dense-70b`, cold has had no run since 2026-09-26'),
    },
  ])
  expect((await settle(tracker, [...nights(fallen), others(61)])).actions).toContainEqual(['none', 1])
  const again = [...nights(fallen), historyPoint({ at: night(62), capacityMilliRps: 22_000, failMilliRps: 22_400 })]
  expect((await settle(tracker, [...again, others(62)])).actions).toContainEqual(['reopen', 1])
})

it('does nothing where nothing has fallen', async () => {
  const tracker = fakeIssueTracker()
  expect(await settle(tracker, nights(wavering(20)))).toEqual({ actions: [['none', null]], refused: null })
  expect(await settle(tracker, [])).toEqual({ actions: [], refused: null })
  expect(tracker.issues).toEqual([])
})

it('leaves an issue closed that a person closed', async () => {
  const tracker = fakeIssueTracker()
  await settle(tracker, nights(fallen))
  Object.assign(tracker.issues[0]!, { isOpen: false, closedOn: '2026-09-27' })
  expect((await settle(tracker, nights([...fallen, 22_000]))).actions).toEqual([['leave', 1]])
  expect(tracker.issues).toMatchObject([{ isOpen: false }])
})

it('closes the second of two that another job opened meanwhile', async () => {
  const tracker = fakeIssueTracker()
  const { open } = tracker
  // Both jobs looked before either wrote.
  tracker.open = async (text, isDue) => {
    tracker.open = open
    await open(text, isDue)
    await open(text, isDue)
  }
  expect((await settle(tracker, nights(fallen))).actions).toEqual([['open', 1]])
  expect(tracker.issues).toMatchObject([
    { isOpen: true },
    { isOpen: false, body: expect.stringContaining('told in #1') },
  ])
  expect((await settle(tracker, nights(fallen))).actions).toEqual([['keep', 1]])
})

it('says what was refused and what was done before, and does not fail', async () => {
  const tracker = fakeIssueTracker()
  const { open } = tracker
  tracker.open = async (text, isDue) => {
    await open(text, isDue)
    tracker.refusal = 'the token may not open the issue of a drift'
  }
  const refused = 'the token may not open the issue of a drift'
  expect(await settle(tracker, both(fallen))).toEqual({
    actions: [
      ['open', null],
      [null, null],
    ],
    refused,
  })
  expect(await settle(tracker, both(fallen))).toMatchObject({
    actions: [
      [null, null],
      [null, null],
    ],
    refused,
  })
})

it('does not take a fault of its own for a refusal', async () => {
  const tracker = fakeIssueTracker()
  tracker.list = () => Promise.reject(new TypeError('no'))
  await expect(settle(tracker, nights(fallen))).rejects.toThrow('no')
})

it('opens no second one where its first is not listed, and says so', async () => {
  const tracker = fakeIssueTracker()
  let looks = 0
  tracker.list = async () => ((looks += 1), [])
  const { actions, refused } = await settle(tracker, nights(fallen))
  expect(actions).toEqual([['open', null]])
  expect(refused).toMatch(/not found again/)
  expect([looks, tracker.issues.length]).toEqual([2, 1])
})

describe('what had to wait before it could be written', () => {
  const recovered = [...fallen, ...wavering(6)]

  it('is decided anew by what the history says then', async () => {
    const tracker = fakeIssueTracker()
    await settle(tracker, nights(fallen))
    tracker.waits = async () => {}
    const deeper = trendsOf(nights([...fallen, ...wavering(8, 20_000)]))
    const { drifts } = await settleDrifts(tracker, deeper, async () => trendsOf(nights(recovered)))
    expect(drifts.map(({ action }) => action)).toEqual(['close'])
    expect(tracker.issues).toMatchObject([{ isOpen: false, body: expect.stringContaining('**Recovered:**') }])
  })

  it('opens no second issue beside one that another job opened meanwhile', async () => {
    const tracker = fakeIssueTracker()
    tracker.waits = async () => void (await settle(tracker, nights(fallen)))
    expect((await settle(tracker, nights(fallen))).actions).toEqual([['keep', 1]])
    expect(tracker.issues).toHaveLength(1)
  })

  it('is written where it is still due', async () => {
    const tracker = fakeIssueTracker()
    tracker.waits = async () => {}
    expect((await settle(tracker, nights(fallen))).actions).toEqual([['open', 1]])
  })

  it('is left where the history cannot be read again, and said to be', async () => {
    const tracker = fakeIssueTracker()
    tracker.waits = async () => {}
    const error = new GateError({ code: 'store_unreachable', message: 'no answer', hint: 'none' })
    const { refused } = await settleDrifts(tracker, trendsOf(nights(fallen)), () => Promise.reject(error))
    expect([refused, tracker.issues]).toEqual(['no answer', []])
  })
})
