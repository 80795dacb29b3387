import { describe, expect, test } from 'vitest'
import { scheduleBlocks } from '../../../src/core/schedule/blocks.ts'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import { expectedHit, weightedTokens } from '../../../src/core/schedule/token-totals.ts'
import { codeOf, tally, workedExample } from './worked-example.ts'

const unextended = { client: { extension_requests: 0 } }
const rowLines = (bytes: Uint8Array) => new TextDecoder().decode(bytes).split('\n').slice(1, -1)

describe('the frozen bytes', () => {
  test.each([
    ['cold', 0, '41e65e29f096d262daf3ede7afad0bb57ad5138f44ab2a1e3394b8313577684b'],
    ['warm', 0, 'ccc70b21c3376c8903514378f2b45fa8e73adf7d1208325b4b3187d30ab7043e'],
    ['cold', 2000, 'fbcd423b3246f773fcc76933baea10577bb7a96692f7a242753f0cdd4b86cb71'],
    ['warm', 2000, '117100896703a75f1a4cebfe9d925c4f895605e01317ac7586de2300b29ee5b9'],
  ] as const)(
    'of the worked example, %s, %i extension rows, are these on every machine',
    (cache, extension, digest) => {
      const { schedule, bytes } = buildSchedule(workedExample({ client: { extension_requests: extension } }), cache)
      expect(schedule.sha256).toBe(digest)
      expect(bytes.at(-1)).toBe(10)
    },
  )

  test('have fixed keys, one row a line', () => {
    const text = new TextDecoder().decode(buildSchedule(workedExample(), 'cold').bytes)
    expect(text.split('\n').slice(0, 2)).toEqual([
      '{"version":1,"cache":"cold","generator":"poisson-1","seed":20260911,"initialRequests":22000,"extensionRequests":2000,"blockRequests":2000,"warmupSeed":1729055627,"prefixes":[]}',
      '{"id":"r-00001","class":"interactive","offsetUs":2924012,"inputTokens":1024,"outputTokens":128}',
    ])
    expect(text.split('\n')).toHaveLength(24_002)
  })

  test('depend on the seed, and not on the order of the counts in the manifest', () => {
    const base = buildSchedule(workedExample(), 'cold')
    const counts = { generation_heavy: 2200, long_context: 4400, interactive: 15400 }
    const reordered = buildSchedule(workedExample({ client: { class_schedule_counts: counts } }), 'cold')
    const reseeded = buildSchedule(workedExample({ client: { request_schedule_seed: 1 } }), 'cold')
    expect(reordered.schedule.sha256).toBe(base.schedule.sha256)
    expect(rowLines(reseeded.bytes)[0]).not.toBe(rowLines(base.bytes)[0])
  })
})

describe('classes', () => {
  test('have the exact counts, initially and in each block', () => {
    const manifest = workedExample({ client: { extension_requests: 2000, extension_blocks: 3 } })
    const blocks = scheduleBlocks(buildSchedule(manifest, 'cold').schedule)
    expect(blocks.map((block) => tally(block.map((row) => row.class)))).toEqual([
      { interactive: 15400, long_context: 4400, generation_heavy: 2200 },
      ...Array.from({ length: 3 }, () => ({ interactive: 1400, long_context: 400, generation_heavy: 200 })),
    ])
    const order = (index: number) => blocks[index]?.map((row) => row.class).join()
    expect(order(1)).not.toBe(order(2))
  })

  test('are shuffled evenly over the schedule', () => {
    const { rows } = buildSchedule(workedExample(unextended), 'cold').schedule
    for (let start = 0; start < 22_000; start += 2200) {
      const heavy = rows.slice(start, start + 2200).filter((row) => row.class === 'generation_heavy').length
      expect(Math.abs(heavy - 220)).toBeLessThan(60) // four standard deviations
    }
  })

  test.each([
    ['a sum other than the initial requests', { interactive: 15400, long_context: 4400, generation_heavy: 2000 }],
    ['a class that the workload lacks', { interactive: 15400, long_context: 4400, generation_heavy: 2200, chat: 0 }],
  ])('%s is refused', (_, counts) => {
    const manifest = workedExample({ client: { class_schedule_counts: counts } })
    expect(codeOf(() => buildSchedule(manifest, 'cold'))).toBe('schedule_counts')
  })
})

describe('extension', () => {
  test.each(['cold', 'warm'] as const)('leaves every earlier %s row the same to the byte', (cache) => {
    const rows = (extension: number, blocks: number) =>
      rowLines(
        buildSchedule(workedExample({ client: { extension_requests: extension, extension_blocks: blocks } }), cache)
          .bytes,
      )
    const none = rows(0, 1)
    expect(rows(2000, 1).slice(0, 22_000)).toEqual(none)
    expect(rows(333, 2).slice(0, 22_000)).toEqual(none)
    expect(rows(2000, 3).slice(0, 24_000)).toEqual(rows(2000, 1))
  })

  test('asking for more rows than the initial ones extends; for fewer keeps the proportions', () => {
    const asked = (requests: number, client = {}) =>
      buildSchedule(workedExample({ client }), 'cold', { requests }).schedule
    const beyond = asked(24_000, { extension_requests: 0 })
    expect(beyond.rows).toEqual(buildSchedule(workedExample(), 'cold').schedule.rows)
    expect(beyond.header).toMatchObject({ initialRequests: 22_000, extensionRequests: 2000, blockRequests: 2000 })
    expect(scheduleBlocks(asked(25_000)).map((block) => block.length)).toEqual([22_000, 2000, 1000])
    const few = asked(30)
    expect(tally(few.rows.map((row) => row.class))).toEqual({ interactive: 21, long_context: 6, generation_heavy: 3 })
    expect(few.header).toMatchObject({ initialRequests: 30, extensionRequests: 0, blockRequests: 0 })
    expect(asked(22_000).sha256).toBe(buildSchedule(workedExample(unextended), 'cold').schedule.sha256)
    expect([codeOf(() => asked(0)), codeOf(() => asked(1.5)), codeOf(() => asked(2_000_001))]).toEqual([
      'usage',
      'usage',
      'too_many_requests',
    ])
  })
})

describe('cache states', () => {
  test('share classes and arrivals; warm rows carry a declared prefix', () => {
    const cold = buildSchedule(workedExample(), 'cold').schedule
    const warm = buildSchedule(workedExample(), 'warm').schedule
    expect(warm.rows.map((row) => ({ ...row, prefix: undefined }))).toEqual(cold.rows)
    expect(cold.rows.every((row) => row.prefix === undefined)).toBe(true)
    const counts = tally(warm.rows.map((row) => row.prefix ?? 'none'))
    const harmonic = Array.from({ length: 64 }, (_, rank) => 1 / (rank + 1)).reduce((a, b) => a + b)
    for (const rank of [1, 2, 8, 64]) {
      const mean = 24_000 / rank / harmonic
      const drawn = counts[`p-${String(rank).padStart(5, '0')}`] ?? 0
      expect(Math.abs(drawn - mean)).toBeLessThan(4 * Math.sqrt(mean))
    }
  })

  test('warm without a declared prefix set, or with prompts too short to be unique, is refused', () => {
    expect(codeOf(() => buildSchedule(workedExample({ cache: {} }), 'warm'))).toBe('cache_state_not_declared')
    expect(codeOf(() => buildSchedule(workedExample({ warm: { tokens: 509 } }), 'warm'))).toBe('prompt_too_short')
    expect(codeOf(() => buildSchedule(workedExample({ warm: { tokens: 508 } }), 'warm'))).toBe('no error')
  })

  test('the worked example needs no declared cache state to be scheduled cold', () => {
    const manifest = workedExample({ ...unextended, cache: {} })
    expect(buildSchedule(manifest, 'cold').schedule.sha256.slice(0, 8)).toBe('41e65e29')
  })
})

describe('token totals', () => {
  test('the worked example has 2,406.4 tokens in and 243.2 out a request', () => {
    expect(weightedTokens(workedExample())).toEqual({ inputPerRequest: 2406.4, outputPerRequest: 243.2 })
  })

  test('a warm cache serves whole blocks only, and never the last token', () => {
    const { schedule } = buildSchedule(workedExample({ warm: { tokens: 250 } }), 'warm')
    const hit = expectedHit(schedule, schedule.rows.slice(0, 22_000), 16)
    expect(hit).toEqual({ hitTokens: 22_000 * 240, inputTokens: 22_000 * 2406.4, share: 240 / 2406.4 })
    const row = { ...schedule.rows[0]!, inputTokens: 240 }
    expect(expectedHit(schedule, [row], 16).hitTokens).toBe(224)
    expect(expectedHit(schedule, [row], 128).hitTokens).toBe(128)
    expect(expectedHit(schedule, [], 16).share).toBe(0)
  })
})
