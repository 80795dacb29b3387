import { expect, test } from 'vitest'
import { fuzzStreams } from '../../fuzz/stream-fuzz.ts'

test('changed and made-up bodies read alike whole and in parts, as the second reading has them', () => {
  const found = fuzzStreams(1, (streams) => streams >= 400)
  expect(found.faults).toEqual([])
  expect(found.streams).toBe(400)
  expect(found.ends.size).toBeGreaterThan(5)
})
