import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TokensPerChunk } from '../../../src/core/record/tokens-per-chunk.ts'

function counted(list: readonly number[]): TokensPerChunk {
  const tokens = new TokensPerChunk()
  for (const one of list) tokens.add(one)
  return tokens
}

test('counts, sums and ranks the known chunks, and counts the unknown ones apart', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1023 })), fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
      const tokens = counted(list)
      const known = list.filter((one) => one > 0).sort((a, b) => a - b)
      expect(tokens.unknown).toBe(list.length - known.length)
      expect(tokens.known).toBe(known.length)
      expect(tokens.tokens).toBe(known.reduce((sum, one) => sum + one, 0))
      expect(tokens.max).toBe(known.at(-1) ?? 0)
      expect(tokens.percentile(share)).toBe(known[Math.max(0, Math.ceil(share * known.length) - 1)] ?? null)
      expect(tokens.bins().reduce((sum, [each, chunks]) => sum + each * chunks, 0)).toBe(tokens.tokens)
    }),
  )
})

test('of 1,024 tokens and more keeps the sum and the most exactly', () => {
  const tokens = counted([1, 1024, 5000, 0])
  expect(tokens.bins()).toEqual([
    [1, 1],
    [1024, 2],
  ])
  expect(tokens).toMatchObject({ tokens: 6025, max: 5000, known: 3, unknown: 1 })
  expect(tokens.percentile(0.95)).toBe(5000)
})

test('has no percentile where nothing is known', () => {
  expect(counted([0, 0]).percentile(0.5)).toBeNull()
  expect(counted([0, 0])).toMatchObject({ known: 0, unknown: 2, max: 0 })
})
