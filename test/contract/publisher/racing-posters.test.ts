import { expect, it } from 'vitest'
import { raceTrial, refusedTrial } from './racing-posters.ts'

it('two posters at once leave one comment that tells of both, and know its address', async () => {
  const ends = await Promise.all(Array.from({ length: 8 }, (_, seed) => raceTrial(seed)))
  expect(ends).toEqual(ends.map(() => ({ comments: 1, lostHeads: 0, deadAddresses: 0 })))
})

it('an update that GitHub lets wait tells of what another job wrote meanwhile', async () => {
  expect(await refusedTrial()).toEqual(['0', '1', '2'])
})
