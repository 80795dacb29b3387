import { expect, it } from 'vitest'
import { writersTrial } from './history-writers.ts'

/** A few here; `npm run bench -- history-writers` for the long run. */
const TRIALS = 3

it('two jobs that add to a branch’s history at once lose no run', { timeout: TRIALS * 60_000 }, async () => {
  const ends: boolean[] = []
  for (let trial = 0; trial < TRIALS; trial += 1) ends.push((await writersTrial()).isWhole)
  expect(ends).toEqual(Array(TRIALS).fill(true))
})
