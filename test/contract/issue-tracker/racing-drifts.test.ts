import { expect, it } from 'vitest'
import { driftRace } from './racing-drifts.ts'

it('two jobs that find a drift at once leave one open issue', { timeout: 120_000 }, async () => {
  const ends = await Promise.all([1, 2, 3, 4].map(driftRace))
  expect(ends.map(({ open }) => open)).toEqual([1, 1, 1, 1])
})
