import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JointLengths } from '../../../../src/core/schedule/trace/profile/joint-lengths.ts'
import { lengthTable } from '../../../../src/core/schedule/trace/profile/length-table.ts'
import { suggestClasses } from '../../../../src/core/schedule/trace/profile/suggest-classes.ts'

type Pair = readonly [input: number, output: number]

function joint(pairs: readonly Pair[]): JointLengths {
  const lengths = new JointLengths()
  for (const [input, output] of pairs) lengths.add(input, output)
  return lengths
}

const length = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 40_000 }))
const trace = fc.array(fc.tuple(length, length), { minLength: 1, maxLength: 120 })

describe('suggested classes', () => {
  test('what stands apart is told apart', () => {
    const around = (value: number, index: number) => value + ((index * 7919) % Math.ceil(value / 5))
    const chat = Array.from({ length: 70 }, (_, i): Pair => [around(400, i), around(200, i)])
    const long = Array.from({ length: 20 }, (_, i): Pair => [around(6000, i), around(250, i)])
    const writing = Array.from({ length: 10 }, (_, i): Pair => [around(420, i), around(2000, i)])
    const classes = suggestClasses(joint([...chat, ...long, ...writing]), 5)
    expect(classes.map(({ requests }) => requests)).toEqual([70, 10, 20])
    expect(classes.map(({ share }) => share)).toEqual([0.7, 0.1, 0.2])
    expect(classes[2]?.inputTokens.mean).toBeGreaterThan(6000)
    expect(classes[1]?.outputTokens.mean).toBeGreaterThan(2000)
  })

  test('all lengths the same are one class', () => {
    const classes = suggestClasses(
      joint([
        [512, 128],
        [512, 128],
      ]),
      4,
    )
    expect(classes).toEqual([
      {
        name: 'in512_out128',
        requests: 2,
        share: 1,
        inputTokens: { mean: 512, from: 512, to: 512 },
        outputTokens: { mean: 128, from: 128, to: 128 },
      },
    ])
  })

  test('they hold every request once, 5 % at the least each, carry the trace’s tokens, and have names of their own', () => {
    fc.assert(
      fc.property(trace, fc.integer({ min: 1, max: 8 }), (pairs, most) => {
        const classes = suggestClasses(joint(pairs), most)
        expect(classes.length).toBeLessThanOrEqual(most)
        expect(classes.reduce((sum, { requests }) => sum + requests, 0)).toBe(pairs.length)
        expect(classes.every(({ share }) => share >= 0.05)).toBe(true)
        expect(new Set(classes.map(({ name }) => name)).size).toBe(classes.length)
        const tokens = classes.reduce((sum, { requests, inputTokens }) => sum + requests * inputTokens.mean, 0)
        const exact = pairs.reduce((sum, [input]) => sum + input, 0)
        expect(Math.abs(tokens - exact)).toBeLessThanOrEqual(pairs.length / 2)
      }),
    )
  })

  test('the first class whose upper ends hold both lengths of a request is its class', () => {
    fc.assert(
      fc.property(trace, fc.integer({ min: 1, max: 8 }), (pairs, most) => {
        const classes = suggestClasses(joint(pairs), most)
        const counts = classes.map(() => 0)
        for (const [input, output] of pairs) {
          const at = classes.findIndex(
            ({ inputTokens, outputTokens }) => input <= inputTokens.to && output <= outputTokens.to,
          )
          counts[at] = (counts[at] ?? 0) + 1
          const { inputTokens, outputTokens } = classes[at] ?? {
            inputTokens: { from: Infinity },
            outputTokens: { from: Infinity },
          }
          expect(input >= inputTokens.from && output >= outputTokens.from).toBe(true)
        }
        expect(counts).toEqual(classes.map(({ requests }) => requests))
      }),
    )
  })

  test('the order of the rows does not matter', () => {
    fc.assert(
      fc.property(trace, (pairs) => {
        expect(suggestClasses(joint(pairs.toReversed()), 4)).toEqual(suggestClasses(joint(pairs), 4))
      }),
    )
  })
})

describe('the table of lengths', () => {
  test('its shares are those of its bins and sum to 1; no margin of it is empty', () => {
    fc.assert(
      fc.property(trace, (pairs) => {
        const { inputFrom, outputFrom, shares } = lengthTable(joint(pairs))
        expect(outputFrom.length).toBeLessThanOrEqual(7)
        expect(shares.flat().reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
        const bin = (froms: readonly number[], value: number) =>
          Math.max(
            0,
            froms.findLastIndex((from) => from <= value),
          )
        const counts = shares.map((row) => row.map(() => 0))
        for (const [input, output] of pairs) {
          const row = counts[bin(inputFrom, input)] ?? []
          const column = bin(outputFrom, output)
          row[column] = (row[column] ?? 0) + 1
        }
        expect(shares.map((row) => row.map((share) => Math.round(share * pairs.length)))).toEqual(counts)
        expect([shares[0], shares.at(-1)].every((row) => row?.some((share) => share > 0))).toBe(true)
      }),
    )
    expect(
      lengthTable(
        joint([
          [1, 1],
          [1, 100_000_000],
        ]),
      ),
    ).toMatchObject({ inputFrom: [1], outputFrom: [1, 65536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864] })
  })
})
