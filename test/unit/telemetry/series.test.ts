import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { VLLM } from '../../../src/core/dialect/vllm-table.ts'
import { parsePrometheus, seriesValues } from '../../../src/core/telemetry/prometheus.ts'
import { cohortWindows, counterRise, readMetric, totalRise } from '../../../src/core/telemetry/series.ts'
import type { Scrape } from '../../../src/core/telemetry/timeline.ts'

const scrapeOf = (name: string, atUs = 0): Scrape => {
  const text = readFileSync(new URL(`../../../fixtures/metrics/${name}.txt`, import.meta.url), 'utf8')
  return { atUs, values: seriesValues(parsePrometheus(text)) }
}
const scrape = (values: Record<string, number>): Scrape => ({ atUs: 0, values })
const sources = VLLM.metrics!.sources

describe('one metric of a scrape', () => {
  test('of what vLLM sent', () => {
    const { values } = scrapeOf('vllm-kv-full')
    expect(readMetric(values, sources.running!)).toBe(3)
    expect(readMetric(values, sources.waiting!)).toBe(5)
    expect(readMetric(values, sources.kvUsage!)).toBe(1)
    expect(readMetric(values, sources.generationTokens!)).toBe(5776)
  })

  test('adds counters up over engine ranks and takes the fullest KV cache', () => {
    const values = { 'a{engine="0"}': 2, 'a{engine="1"}': 3, a_created: 99, 'a_sum{engine="0"}': 7, ab: 5 }
    expect(readMetric(values, { names: ['a'], across: 'sum' })).toBe(5)
    expect(readMetric(values, { names: ['a'], across: 'max' })).toBe(3)
  })

  test('takes the newest name that is there, and null where none is', () => {
    expect(readMetric({ old: 1, new: 2 }, { names: ['new', 'old'], across: 'sum' })).toBe(2)
    expect(readMetric({ old: 1 }, { names: ['new', 'old'], across: 'sum' })).toBe(1)
    expect(readMetric({ other: 1 }, { names: ['new', 'old'], across: 'sum' })).toBeNull()
  })
})

describe('a counter between two scrapes', () => {
  test('of what vLLM sent', () => {
    const [fresh, after] = [scrapeOf('vllm-fresh'), scrapeOf('vllm-preempted')]
    expect(counterRise(fresh, after, sources.preemptions!)).toEqual({ state: 'risen', by: 2 })
    expect(counterRise(fresh, after, sources.generationTokens!)).toEqual({ state: 'risen', by: 7328 })
    expect(counterRise(after, fresh, sources.generationTokens!)).toEqual({ state: 'backwards' })
    expect(counterRise(fresh, after, { names: ['vllm:corrupted_requests_total'] })).toEqual({ state: 'absent' })
    const rejections = VLLM.stability.find(({ id }) => id === 'admission_rejections')!
    const refused = counterRise(scrapeOf('vllm-idle'), scrapeOf('vllm-refused'), rejections)
    expect(refused).toEqual({ state: 'risen', by: 11 })
  })

  test('with label values reads those series alone', () => {
    const before = scrape({ 'c{r="error"}': 1, 'c{r="stop"}': 4 })
    const after = scrape({ 'c{r="error"}': 3, 'c{r="stop"}': 9 })
    expect(counterRise(before, after, { names: ['c'], labels: { r: 'error' } })).toEqual({ state: 'risen', by: 2 })
    expect(counterRise(before, after, { names: ['c'] })).toEqual({ state: 'risen', by: 7 })
  })

  test('a label set that appears started from zero; one that is gone was restarted', () => {
    const [one, two] = [scrape({ 'c{r="a"}': 4 }), scrape({ 'c{r="a"}': 4, 'c{r="b"}': 2 })]
    expect(counterRise(one, two, { names: ['c'] })).toEqual({ state: 'risen', by: 2 })
    expect(counterRise(two, one, { names: ['c'] })).toEqual({ state: 'backwards' })
    expect(counterRise(scrape({}), two, { names: ['c'] })).toEqual({ state: 'risen', by: 6 })
    expect(counterRise(two, scrape({ up: 1 }), { names: ['c'] })).toEqual({ state: 'backwards' })
  })

  test('one fallen series is not hidden by another’s rise', () => {
    const [before, after] = [scrape({ 'c{e="0"}': 9, 'c{e="1"}': 1 }), scrape({ 'c{e="0"}': 2, 'c{e="1"}': 50 })]
    expect(counterRise(before, after, { names: ['c'] })).toEqual({ state: 'backwards' })
  })

  test('over replicas: absent if one is, never zero', () => {
    const window = { before: scrape({ c: 1 }), after: scrape({ c: 3 }) }
    expect(totalRise([window, window], { names: ['c'] })).toEqual({ state: 'risen', by: 4 })
    expect(totalRise([window, { ...window, after: undefined }], { names: ['c'] })).toEqual({ state: 'absent' })
    expect(totalRise([], { names: ['c'] })).toEqual({ state: 'absent' })
  })
})

test('a cohort’s window runs from the last scrape before it to the last of all, if that came to its end', () => {
  const at = (...seconds: number[]) => seconds.map((second) => ({ atUs: second * 1e6, values: {} }))
  const [whole, broken, late] = cohortWindows([at(-2, -1, 5, 10), at(-1, 5), at(1, 10)], 10e6)
  expect([whole?.before?.atUs, whole?.after?.atUs]).toEqual([-1e6, 10e6])
  expect([broken?.before?.atUs, broken?.after]).toEqual([-1e6, undefined])
  expect([late?.before, late?.after?.atUs]).toEqual([undefined, 10e6])
})
