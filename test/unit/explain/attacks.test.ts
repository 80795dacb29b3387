import { describe, expect, test } from 'vitest'
import { SMALL_ENGINE } from '../../../fixtures/engine/model/parameters.ts'
import type { Explanation } from '../../../src/core/report/explain/explain.ts'
import { explain } from '../../../src/core/report/explain/explain.ts'
import type { Side } from '../../../src/core/report/explain/cause.ts'
import { explained, recordOf } from './planted.ts'
import type { Plant } from './planted.ts'

const { baseUs, perPrefillTokenUs } = SMALL_ENGINE
const idsOf = ({ causes }: Explanation) => causes.map(({ id }) => id)

const stalls = (stallEverySteps: number, stallUs: number): Plant => ({
  subject: { faults: { stallEverySteps, stallUs } },
})

describe('a point that was stopped early tells less, and nothing is made of that', () => {
  test('a standstill before which nothing was decoded is no limit of the batch', async () => {
    const found = await explained(stalls(200, 1_000_000))
    expect(found.causes).toMatchObject([{ id: 'queue', basis: 'inferred' }])
  })

  test('a longer one is a standstill, though no token’s gap shows it', async () => {
    expect(idsOf(await explained(stalls(200, 2_000_000)))).toEqual(['standstills'])
  })

  test.each([4, 8])('prefill that is slower by %f is not called slower decode', async (factor) => {
    const found = await explained({ parameters: { perPrefillTokenUs: perPrefillTokenUs * factor } })
    expect(idsOf(found)).toEqual(['prefill'])
  })

  test('nor called that beside it, where few answers came', async () => {
    const found = await explained({ parameters: { perPrefillTokenUs: perPrefillTokenUs * 2.5 } }, { rate: 50 })
    expect(idsOf(found)).toEqual(['prefill'])
  })

  test('decode that is slower for each sequence is', async () => {
    expect(idsOf(await explained({ parameters: { perDecodeSequenceUs: 1500 } }))).toEqual(['decode'])
  })
})

describe('an engine whose answers do not tell what came from a cache', () => {
  const untold = { subject: { tellsCached: false } }
  const heavy = { perPrefillTokenUs: 100 }

  test('is held to its counters: fewer hits are fewer hits', async () => {
    const plant = { parameters: heavy, subject: { tellsCached: false, faults: { cacheHits: false } } }
    const found = await explained(plant, { cache: 'warm', rate: 44 }, { parameters: heavy, ...untold })
    expect(idsOf(found)).toEqual(['hit_rate'])
    expect(found.causes[0]?.figures[0]).toMatchObject({ was: expect.closeTo(0.32, 1), is: 0 })
  })

  test('and slower prefill is slower prefill', async () => {
    const plant = { parameters: { perPrefillTokenUs: 200 }, ...untold }
    const found = await explained(plant, { cache: 'warm', rate: 40 }, untold)
    expect(found.causes[0]).toMatchObject({ id: 'prefill', title: 'slower prefill' })
  })

  test('nothing planted, nothing stands out', async () => {
    expect(idsOf(await explained(untold))).toEqual([])
  })
})

test('one chunk an answer hides what a step costs: what the chunks do not add is left open, and said to be', async () => {
  const found = await explained({ parameters: { baseUs: baseUs * 2.5 }, subject: { chunkTokens: 16 } })
  expect(found.unexplainedShare).toBeGreaterThan(0.3)
  expect(found.notKnown).toContain('what a step costs')
})

test('of two or three chunks an answer neither: no slower decode is made of larger chunks', async () => {
  const found = await explained({ subject: { chunkTokens: 32 } })
  expect(idsOf(found)).toEqual(['chunks'])
  expect(found.notKnown).toContain('what a step costs')
})

test('a quicker engine has lost nothing', async () => {
  const found = await explained({ parameters: { baseUs: baseUs / 2 } })
  expect([found.parts, found.causes]).toEqual([[], []])
})

test('a point beside itself has lost nothing', async () => {
  const { capacity, boots } = await recordOf({ parameters: { perPrefillTokenUs: 150 } })
  const [point] = capacity[0]?.points ?? []
  if (point === undefined) throw new Error('no point')
  const side: Side = { point, boot: boots[0] }
  expect(explain({ was: side, is: side })).toMatchObject({ lostShare: 0, parts: [], causes: [], unexplainedShare: 0 })
})
