import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Turns } from '../../../../src/adapters/replay/turns.ts'
import { testRows, testSessions } from '../../../contract/replay/shape.ts'

function turnsOf(rows = testSessions({ sessions: 3, turns: 3, thinkUs: 1000, among: 10 }), warmupRows = 0) {
  const ready: number[] = []
  const latestUs = (index: number) => (index < warmupRows ? 0 : 50_000)
  return { turns: new Turns({ rows, warmupRows, latestUs, onReady: (index) => ready.push(index) }), ready }
}

it('takes ready turns by their due times, the one that was ready first on a tie', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 40 }), (dues) => {
      const { turns } = turnsOf(testRows(dues.length))
      for (const [index, dueUs] of dues.entries()) turns.setAside(index, dueUs)
      expect(turns.pending).toBe(dues.length)
      expect(turns.overdue(4)).toBe(dues.filter((dueUs) => dueUs <= 4).length)
      const taken = dues.map(() => turns.takeFirst())
      const expected = dues.map((dueUs, index) => ({ index, dueUs }))
      expect(taken).toEqual(expected.toSorted((a, b) => a.dueUs - b.dueUs || a.index - b.index))
      expect(turns).toMatchObject({ pending: 0, firstUs: Infinity })
      expect(() => turns.takeFirst()).toThrow(RangeError)
    }),
  )
})

it('makes a turn ready when the one before it ends, not before', () => {
  const { turns, ready } = turnsOf()
  expect(turns.dueUs(3, 7000)).toBeNull()
  turns.setAside(3, 7000)
  expect(turns).toMatchObject({ pending: 1, firstUs: Infinity })
  turns.ended(1, 6500)
  expect(ready).toEqual([])
  turns.ended(0, 6500)
  expect(ready).toEqual([3])
  expect(turns.takeFirst()).toEqual({ index: 3, dueUs: 7500 })
  expect(turns.dueUs(4, 7000)).toBe(7500)
  expect(turns.dueUs(4, 9000)).toBe(9000)
})

it('loses a turn that would be due too late, and all that follows on it, whenever that comes', () => {
  const { turns } = turnsOf()
  turns.setAside(3, 7000)
  turns.setAside(6, 8000)
  expect(turns.pending).toBe(2)
  turns.ended(0, 49_001)
  expect(turns).toMatchObject({ pending: 0, isCut: true, firstUs: Infinity })
  const later = turnsOf()
  later.turns.setAside(3, 7000)
  later.turns.ended(0, 49_001)
  later.turns.setAside(6, 8000)
  expect(later.turns).toMatchObject({ pending: 0, firstUs: Infinity })
})

it('counts no warm-up turn as the cohort’s', () => {
  const { turns } = turnsOf(undefined, 10)
  turns.setAside(3, -7000)
  turns.ended(0, -9000)
  expect(turns).toMatchObject({ pending: 0, firstUs: -7000 })
  turns.loseWarmup()
  turns.setAside(4, -7000)
  turns.ended(1, 5)
  expect(turns).toMatchObject({ isCut: false, firstUs: Infinity })
})
