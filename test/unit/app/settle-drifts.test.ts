import { expect, it } from 'vitest'
import { settleDrifts } from '../../../src/app/settle-drifts.ts'
import type { HistoryPoint } from '../../../src/core/history/point.ts'
import { trendsOf } from '../../../src/core/history/trend.ts'
import { fakeIssueTracker } from '../../fakes/issue-tracker.ts'
import { nights, wavering } from '../history/point-fixture.ts'

const fallen = [...wavering(20), ...wavering(6, 22_000)]
const both = (rates: readonly number[]) => [...nights(rates), ...nights(rates, { cache: 'warm' })]
const settle = async (tracker: ReturnType<typeof fakeIssueTracker>, points: readonly HistoryPoint[]) => {
  const { drifts, refused } = await settleDrifts(tracker, trendsOf(points))
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
  tracker.open = async (text) => {
    tracker.open = open
    await open(text)
    await open(text)
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
  tracker.open = async (text) => {
    await open(text)
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
