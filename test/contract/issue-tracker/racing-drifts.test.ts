import { expect, it } from 'vitest'
import { driftRace, refusedDrift } from './racing-drifts.ts'

it('two jobs that find a drift at once leave one open issue', { timeout: 120_000 }, async () => {
  const ends = await Promise.all([1, 2, 3, 4].map(driftRace))
  expect(ends.map(({ open }) => open)).toEqual([1, 1, 1, 1])
})

it('an update that GitHub lets wait does not undo what a later night’s job wrote meanwhile', async () => {
  expect(await refusedDrift()).toEqual({ isOpen: false, text: 'Recovered' })
})
