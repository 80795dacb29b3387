import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { historyLine, readHistory, withPoints } from '../../../src/core/history/lines.ts'
import { seriesKey } from '../../../src/core/history/point.ts'
import { historyPoint, night, nights, wavering } from './point-fixture.ts'

const three = nights(wavering(3))
const text = three.map(historyLine).join('')
const lineOf = (over: object) => `${JSON.stringify({ ...historyPoint(), ...over })}\n`

describe('a history’s lines', () => {
  it('read back as they were written, one a line', () => {
    expect(readHistory(text)).toEqual({ points: three, faults: [], newer: [] })
    expect(text.match(/\n/g)).toHaveLength(3)
  })

  it('lose at most the last one where they are cut off, wherever that is', () => {
    const start = text.lastIndexOf('\n', text.length - 2) + 1
    for (let length = start; length < text.length; length += 7) {
      const { points, faults } = readHistory(text.slice(0, length))
      expect(points).toEqual(three.slice(0, 2))
      expect(faults).toEqual(length === start ? [] : [{ line: 3, code: 'torn' }])
    }
    expect(readHistory(text.trimEnd()).points).toEqual(three)
  })

  it('go on behind a torn one, which stays where it is', () => {
    const torn = text.slice(0, -40)
    const later = historyPoint({ at: night(9) })
    const after = withPoints(torn, [later])
    expect(after.text.startsWith(torn)).toBe(true)
    expect(readHistory(after.text)).toEqual({
      points: [...three.slice(0, 2), later],
      faults: [{ line: 3, code: 'malformed' }],
      newer: [],
    })
  })

  it('take a run once, each cache state and series for itself', () => {
    const [first] = three
    expect(withPoints(text, three)).toEqual({ text, added: [] })
    const warm = { ...first!, cache: 'warm' as const }
    const other = { ...first!, series: 'other' }
    expect(withPoints(text, [warm, first!, other]).added).toEqual([warm, other])
    expect(readHistory(text + historyLine(first!))).toMatchObject({
      points: three,
      faults: [{ line: 4, code: 'twice' }],
    })
  })

  it('know the runs inside a merged point', () => {
    const merged = historyPoint({ merged: { points: 2, notCounted: 0, runs: ['1'.repeat(64), '2'.repeat(64)] } })
    expect(withPoints(historyLine(merged), [historyPoint({ run: '2'.repeat(64) })]).added).toEqual([])
  })

  it('keep a later version’s as it stands', () => {
    const newer = JSON.stringify({ schema: 2, whatever: true })
    expect(readHistory(`${newer}\n${text}`)).toEqual({
      points: three,
      faults: [{ line: 1, code: 'newer' }],
      newer: [newer],
    })
  })

  it.each<[string, string]>([
    ['no JSON', 'capacity went down\n'],
    ['a list', '[]\n'],
    ['null', 'null\n'],
    ['deep nesting', `${'['.repeat(50_000)}\n`],
    ['an unknown key', lineOf({ extra: 1 })],
    ['a key of every object', `${JSON.stringify(historyPoint()).replace('{', '{"__proto__":{"x":1},')}\n`],
    ['a missing key', lineOf({ runUrl: undefined })],
    ['a rate of zero', lineOf({ capacityMilliRps: 0 })],
    ['a broken rate', lineOf({ capacityMilliRps: 1.5 })],
    ['an attainment above one', lineOf({ attainmentAtGuard: 1.01 })],
    ['a time that is none', lineOf({ at: '2026-13-01T02:00:00Z' })],
    ['a time with words', lineOf({ at: '2026-11-01T02:00:00Z<script>' })],
    ['a run that is no hash', lineOf({ run: '../../etc/passwd' })],
    ['a series without end', lineOf({ series: 'x'.repeat(201) })],
    ['half a character', lineOf({ series: '\ud800' })],
    ['an unknown outcome', lineOf({ outcome: 'great' })],
    ['a line without end', `${JSON.stringify({ ...historyPoint(), machine: 'x'.repeat(200_000) })}\n`],
  ])('pass over %s', (_, line) => {
    const read = readHistory(`${line}${text}`)
    expect(read.points).toEqual(three)
    expect(read.faults).toEqual([{ line: 1, code: 'malformed' }])
  })

  it('are read whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json(), fc.constant(text))), (parts) => {
        const { points, faults } = readHistory(parts.join('\n'))
        expect(points.every((point) => point.schema === 1)).toBe(true)
        expect(faults.every(({ line }) => line >= 1)).toBe(true)
      }),
    )
  })

  it('are never compared across another experiment, hardware, kind, state or name', () => {
    const keys = [
      {},
      { experiment: 'f'.repeat(64) },
      { hardware: 'f'.repeat(64) },
      { kind: 'simulated' as const },
      { cache: 'warm' as const },
      { series: 'other' },
    ].map((over) => seriesKey(historyPoint(over)))
    expect(new Set(keys).size).toBe(keys.length)
    expect(seriesKey(historyPoint({ at: night(3), outcome: 'invalid' }))).toBe(keys[0])
  })
})
