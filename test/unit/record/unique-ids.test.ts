import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UniqueIds } from '../../../src/core/record/unique-ids.ts'

const ids = fc.array(
  fc.oneof(
    fc.nat({ max: 30 }).map(String),
    fc.nat({ max: 30 }).map((n) => `r-${String(n).padStart(3, '0')}`),
  ),
)

describe('unique ids', () => {
  it('are what a set says, ascending at first or not at all', () => {
    fc.assert(
      fc.property(fc.nat({ max: 40 }), ids, (ascending, tail) => {
        const list = [...Array.from({ length: ascending }, (_, n) => String(n)), ...tail]
        const unique = new UniqueIds()
        const seen = new Set<string>()
        for (const id of list) {
          expect(unique.add(id)).toBe(!seen.has(id))
          seen.add(id)
        }
        expect(unique.all).toEqual([...seen])
      }),
      { numRuns: 500 },
    )
  })
})
