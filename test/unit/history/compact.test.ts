import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactHistory } from '../../../src/core/history/compact.ts'
import { historyLine, readHistory, withPoints } from '../../../src/core/history/lines.ts'
import type { HistoryPoint } from '../../../src/core/history/point.ts'
import { trendsOf } from '../../../src/core/history/trend.ts'
import { historyPoint, night, nights, wavering } from './point-fixture.ts'

const written = (points: readonly HistoryPoint[]) => points.map(historyLine).join('')
const said = (text: string) =>
  trendsOf(readHistory(text).points).map(({ key, days, changes, drift }) => ({
    key,
    days: days.map(({ day, milliRps, isBound }) => ({ day, milliRps, isBound })),
    changes,
    drift,
  }))

/** Several runs a day: of any value, some invalid, some below every tested rate. */
const anyPoints = fc
  .array(
    fc.array(
      fc.record({
        rate: fc.integer({ min: 20_000, max: 26_000 }),
        kind: fc.constantFrom('value', 'value', 'value', 'invalid', 'bound', 'confirm'),
        cache: fc.constantFrom<'cold' | 'warm'>('cold', 'cold', 'warm'),
      }),
      { minLength: 0, maxLength: 4 },
    ),
    { minLength: 3, maxLength: 30 },
  )
  .map((days) =>
    days.flatMap((runs, day) =>
      runs.map(({ rate, kind, cache }, index) =>
        historyPoint({
          at: night(day, `0${index}:30:00`),
          cache,
          capacityMilliRps: kind === 'bound' ? null : rate,
          failMilliRps: rate + 400,
          outcome: kind === 'invalid' ? 'invalid' : 'held',
          plan: kind === 'confirm' ? 'confirm' : 'sweep',
        }),
      ),
    ),
  )

describe('compaction', () => {
  const keepFrom = night(15).slice(0, 10)

  it('never changes what is said of any day', () => {
    fc.assert(
      fc.property(anyPoints, (points) => {
        const text = written(points)
        expect(said(compactHistory(text, keepFrom).text)).toEqual(said(text))
      }),
      { numRuns: 150 },
    )
  })

  it('leaves one point a day, state and series before the kept days, and the kept ones as they are', () => {
    fc.assert(
      fc.property(anyPoints, (points) => {
        const { text, after } = compactHistory(written(points), keepFrom)
        const kept = readHistory(text).points
        expect(kept).toHaveLength(after)
        const old = kept.filter(({ at }) => at.slice(0, 10) < keepFrom)
        expect(new Set(old.map(({ at, cache }) => `${at.slice(0, 10)} ${cache}`)).size).toBe(old.length)
        const recent = (all: readonly HistoryPoint[]) => all.filter(({ at }) => at.slice(0, 10) >= keepFrom)
        expect(recent(kept)).toEqual(recent(points))
      }),
      { numRuns: 80 },
    )
  })

  it('twice is once', () => {
    fc.assert(
      fc.property(anyPoints, (points) => {
        const { text } = compactHistory(written(points), keepFrom)
        expect(compactHistory(text, keepFrom)).toMatchObject({ text, dropped: [] })
      }),
      { numRuns: 80 },
    )
  })

  it('keeps the lower median with how many it stands for, and takes none of its runs again', () => {
    const day = [23_000, 24_000, 22_000, 25_000].map((capacityMilliRps, index) =>
      historyPoint({ at: night(0, `0${index}:00:00`), capacityMilliRps }),
    )
    const failed = historyPoint({ at: night(0, '05:00:00'), outcome: 'invalid' })
    const { text, before, after } = compactHistory(written([...day, failed]), keepFrom)
    expect([before, after]).toEqual([5, 1])
    const [merged] = readHistory(text).points
    expect(merged).toMatchObject({ capacityMilliRps: 23_000, merged: { points: 4, notCounted: 1 } })
    expect(withPoints(text, [...day, failed]).added).toEqual([])
  })

  it('keeps the last of a day on which nothing counts', () => {
    const points = [0, 1].map((index) => historyPoint({ at: night(0, `0${index}:00:00`), outcome: 'invalid' }))
    expect(readHistory(compactHistory(written(points), keepFrom).text).points).toMatchObject([
      { at: night(0, '01:00:00'), merged: { points: 0, notCounted: 2 } },
    ])
  })

  it('keeps a later version’s lines, and says what it drops', () => {
    const newer = JSON.stringify({ schema: 2 })
    const points = nights(wavering(2))
    const compacted = compactHistory(`${written(points)}${newer}\n{"torn`, keepFrom)
    expect(compacted.text).toContain(`${newer}\n`)
    expect(compacted.dropped).toEqual([{ line: 4, code: 'torn' }])
    expect(readHistory(compacted.text).points).toEqual(points)
  })
})
