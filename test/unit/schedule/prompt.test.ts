import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256Hex } from '../../../src/core/kernel/hash.ts'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import { prewarmRequests } from '../../../src/core/schedule/prewarm.ts'
import { promptRequest, promptText, promptTokenIds } from '../../../src/core/schedule/prompt.ts'
import { requestId, type ScheduleRow } from '../../../src/core/schedule/schedule.ts'
import { type TokenRange, uniqueTokens } from '../../../src/core/schedule/unique-tokens.ts'
import { warmupRows } from '../../../src/core/schedule/warmup.ts'
import { WORDS } from '../../../src/core/schedule/word-table.ts'
import { codeOf, workedExample } from './worked-example.ts'

const wide: TokenRange = [1000, 100000]
const narrowest: TokenRange = [7, 23]
const { schedule } = buildSchedule(workedExample(), 'cold')
const warm = buildSchedule(workedExample(), 'warm').schedule
const first = (row: Pick<ScheduleRow, 'id'>, epoch: number, range: TokenRange, inputTokens: number) =>
  promptTokenIds({ seed: 20260911, id: row.id, epoch, inputTokens, range }).join()

describe('cold prompts', () => {
  test.each([
    ['the narrowest range', narrowest, 16],
    ['a usual range', wide, 4],
    ['a range that 64 bits fit just so', [0, 65536] as const, 4],
    ['an odd range', [0, 251] as const, 9],
  ])('of 24,000 rows, the warm-up and three epochs differ in their first tokens: %s', (_, range, unique) => {
    expect(uniqueTokens(range)).toBe(unique)
    const rows = [...schedule.rows, ...warmupRows(schedule, 28_000, 60)]
    const seen = new Set<string>()
    for (const epoch of [0, 1, 0xffff_ffff]) for (const row of rows) seen.add(first(row, epoch, range, unique))
    expect(seen.size).toBe(3 * rows.length)
  })

  test('any two ids and epochs differ within the unique tokens', () => {
    const id = fc
      .tuple(fc.constantFrom('r', 'w', 'f', 's', 'z', 'a'), fc.nat(99_999_999))
      .map(([k, n]) => requestId(k, n))
    const one = fc.tuple(id, fc.nat(0xffff_ffff))
    fc.assert(
      fc.property(one, one, fc.integer({ min: 16, max: 300 }), ([idA, epochA], [idB, epochB], size) => {
        const range: TokenRange = [3, 3 + size]
        const same = first({ id: idA }, epochA, range, 16) === first({ id: idB }, epochB, range, 16)
        expect(same).toBe(idA === idB && epochA === epochB)
      }),
      { numRuns: 500 },
    )
  })

  test('differ in their very first token nearly always, for caches without blocks', () => {
    const tokens = new Set(schedule.rows.slice(0, 5000).map((row) => first(row, 9, wide, 5).split(',')[0]))
    expect(tokens.size).toBeGreaterThan(4800)
  })

  test('stay in the range, uniformly, also in the unique tokens', () => {
    const thirds = [0, 0, 0]
    const opening = [0, 0, 0]
    for (let number = 1; number <= 3000; number++) {
      const tokens = promptTokenIds({ seed: 1, id: requestId('r', number), epoch: 5, inputTokens: 40, range: wide })
      tokens.forEach((token, index) => {
        expect(token >= 1000 && token < 100000).toBe(true)
        const third = Math.floor(((token - 1000) * 3) / 99000)
        thirds[third] = (thirds[third] ?? 0) + 1
        if (index < 4) opening[third] = (opening[third] ?? 0) + 1
      })
    }
    for (const count of thirds) expect(Math.abs(count - 40_000)).toBeLessThan(700)
    for (const count of opening) expect(Math.abs(count - 4000)).toBeLessThan(220)
  })

  test('are a function of seed, id and epoch alone, and frozen', () => {
    const request = { seed: 1, id: 'r-00001', epoch: 7, inputTokens: 8192, range: wide }
    const prompt = promptTokenIds({ ...request, prefix: { id: 'p-00003', tokens: 256, set: 'v1' } })
    expect(sha256Hex(prompt.join())).toBe('be8c4f478d965e3ead41e9300de95c18d0ef73bd42b24ca39fe1fcd08fe7c519')
    expect(promptTokenIds(request).subarray(0, 512)).toEqual(promptTokenIds({ ...request, inputTokens: 512 }))
    const reseeded = promptTokenIds({ ...request, seed: 2 })
    expect(reseeded.subarray(4)).not.toEqual(promptTokenIds(request).subarray(4))
  })

  test('that cannot be unique are refused', () => {
    const request = { seed: 1, id: 'r-00001', epoch: 7 }
    expect(codeOf(() => promptTokenIds({ ...request, inputTokens: 3, range: wide }))).toBe('prompt_too_short')
    expect(codeOf(() => promptTokenIds({ ...request, inputTokens: 99, range: [5, 20] }))).toBe('prompt_range')
    expect(codeOf(() => promptTokenIds({ ...request, inputTokens: 99, range: [9, 2] }))).toBe('prompt_range')
    expect(codeOf(() => promptTokenIds({ ...request, id: 'r-000001', inputTokens: 99, range: wide }))).toMatch(
      /not an id/,
    )
  })
})

describe('warm prompts', () => {
  const prompt = (row: Pick<ScheduleRow, 'id' | 'inputTokens' | 'prefix'>, epoch: number) =>
    promptTokenIds({ ...promptRequest(warm.header, row, epoch), range: wide })

  test('start with their prefix in every epoch and run, and are unique right after it', () => {
    const rows = warm.rows.filter((row) => row.prefix === 'p-00002').slice(0, 200)
    const starts = new Set<string>()
    const next = new Set<string>()
    for (const epoch of [1, 2]) {
      for (const row of rows) {
        const tokens = prompt(row, epoch)
        expect(tokens).toHaveLength(row.inputTokens)
        starts.add(tokens.subarray(0, 256).join())
        next.add(tokens.subarray(256, 260).join())
      }
    }
    expect(starts.size).toBe(1)
    expect(next.size).toBe(400)
  })

  test('have another prefix in another version of the set, and for each id', () => {
    const start = (id: string, set: string) =>
      promptTokenIds({
        seed: 1,
        id: 'r-00001',
        epoch: 1,
        inputTokens: 99,
        prefix: { id, tokens: 64, set },
        range: narrowest,
      })
        .subarray(0, 16)
        .join()
    expect(start('p-00001', 'v1')).not.toBe(start('p-00001', 'v2'))
    expect(new Set(warm.header.prefixes.map((prefix) => start(prefix.id, 'v1'))).size).toBe(64)
  })

  test('are prewarmed by one request for each prefix, least popular first', () => {
    const requests = prewarmRequests(warm)
    expect(requests.map((request) => request.prefix)).toEqual(warm.header.prefixes.map((prefix) => prefix.id).reverse())
    const request = requests.find((one) => one.prefix === 'p-00002')!
    const row = warm.rows.find((one) => one.prefix === 'p-00002')!
    expect(prompt(request, 3).subarray(0, 256)).toEqual(prompt(row, 4).subarray(0, 256))
    expect(prompt(request, 3).subarray(256)).not.toEqual(prompt(row, 3).subarray(256, 272))
    expect(request).toMatchObject({ inputTokens: 272, outputTokens: 1 })
    expect(prewarmRequests(schedule)).toEqual([])
  })
})

describe('text prompts', () => {
  test('are words, unique from the first ones on', () => {
    expect(new Set(WORDS).size).toBe(256)
    expect(WORDS.every((word) => /^[a-z]+$/.test(word))).toBe(true)
    const seen = new Set(schedule.rows.map((row) => promptText({ seed: 1, id: row.id, epoch: 3, inputTokens: 8 })))
    expect(seen.size).toBe(24_000)
    const text = promptText(promptRequest(warm.header, warm.rows[0]!, 3))
    expect(text.split(' ')).toHaveLength(1024)
  })
})
