import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import { parseSchedule } from '../../../src/core/schedule/parse-schedule.ts'
import { promptMessages, promptRequest, promptText, promptTokenIds } from '../../../src/core/schedule/prompt.ts'
import type { Schedule, ScheduleRow } from '../../../src/core/schedule/schedule.ts'
import { sessionHistory, turnDealer } from '../../../src/core/schedule/sessions.ts'
import { expectedHit, longestRow, weightedTokens } from '../../../src/core/schedule/token-totals.ts'
import type { TokenRange } from '../../../src/core/schedule/unique-tokens.ts'
import { warmupRows } from '../../../src/core/schedule/warmup.ts'
import { codeOf, workedExample } from './worked-example.ts'

const cutoffs = { request_ttft_cutoff_ms: 500, request_tpot_cutoff_ms: 40 }
const chat = (session: object, tokens = { input_tokens: 512, output_tokens: 64 }) => [
  {
    name: 'chat',
    mix: 0.7,
    ...tokens,
    ...cutoffs,
    session: { turns: 4, concurrent: 30, think_seconds: 1.5, ...session },
  },
  { name: 'long', mix: 0.2, input_tokens: 2048, output_tokens: 256, ...cutoffs },
  { name: 'heavy', mix: 0.1, input_tokens: 512, output_tokens: 1024, ...cutoffs },
]
const client = { class_schedule_counts: { chat: 15400, long: 4400, heavy: 2200 } }
const build = (cache: 'cold' | 'warm' = 'cold', session = {}) =>
  buildSchedule(workedExample({ client, workload: chat(session) }), cache)
const cold = build()
const warm = build('warm').schedule
const ofChat = (schedule: Schedule) => schedule.rows.filter((row) => row.class === 'chat')
const RANGE: TokenRange = [1000, 100_000]

describe('sessions', () => {
  test.each([
    ['cold', '7ac4a37752ea65bd23a16352552b6e2bc0afe3e8bfed0bd752df694ccbb1b01e'],
    ['warm', '477ebb337bfb6cbfbb3c25f6eff05bce6404353029e6b4d1648b4c30bd660ce6'],
  ] as const)('have these bytes on every machine: %s', (cache, digest) => {
    expect(build(cache).schedule.sha256).toBe(digest)
  })

  test('leave arrivals and classes as they are without', () => {
    const plain = buildSchedule(workedExample(), 'cold').schedule.rows
    expect(cold.schedule.rows.map((row) => row.offsetUs)).toEqual(plain.map((row) => row.offsetUs))
    expect(cold.schedule.rows.filter((row) => row.class !== 'chat').every((row) => row.session === undefined)).toBe(
      true,
    )
  })

  test('go on turn by turn, each turn `concurrent` arrivals of the class after the one before', () => {
    const rows = ofChat(cold.schedule)
    const place = new Map(rows.map((row, index) => [row.id, index]))
    for (const turns of sessionHistory(rows).values()) {
      expect(turns.map((row) => row.turn)).toEqual(turns.map((_, index) => index))
      expect(turns.length).toBeLessThanOrEqual(4)
      for (const [index, row] of turns.entries()) {
        expect(row.inputTokens).toBe((index + 1) * 512 + index * 64)
        expect(row.thinkUs).toBe(index === 0 ? undefined : 1_500_000)
      }
      const places = turns.map((row) => place.get(row.id) ?? 0)
      expect(places).toEqual(turns.map((_, index) => (places[0] ?? 0) + 30 * index))
    }
    expect(rows[0]).toMatchObject({ session: 'chat-00001', turn: 0, inputTokens: 512 })
  })

  test('are out of step: after the first round of turns any stretch of arrivals has every turn alike', () => {
    const rows = ofChat(cold.schedule)
    for (let start = 120; start + 60 < rows.length; start += 60) {
      const turns = [0, 0, 0, 0]
      for (const { turn = 0 } of rows.slice(start, start + 60)) turns[turn] = (turns[turn] ?? 0) + 1
      for (const count of turns) expect(Math.abs(count - 15)).toBeLessThanOrEqual(2)
    }
  })

  test('of fewer places than turns are spread over all turns, so that prompts do not grow and fall together', () => {
    const [turns, concurrent] = [20, 7]
    const deal = turnDealer({ turns, concurrent }, { inputTokens: 10, outputTokens: 5 })
    const dealt = Array.from({ length: turns * concurrent * 3 }, deal).slice(turns * concurrent)
    const means: number[] = []
    for (let start = 0; start < dealt.length; start += concurrent) {
      means.push(dealt.slice(start, start + concurrent).reduce((sum, { turn }) => sum + turn, 0) / concurrent)
    }
    // All in step they would go from 0 to 19, one after the other from 3 to 16.
    expect(Math.min(...means)).toBeGreaterThan(7.5)
    expect(Math.max(...means)).toBeLessThan(11.5)
  })

  test('of one place take turn after turn', () => {
    const deal = turnDealer({ turns: 3, concurrent: 1 }, { inputTokens: 10, outputTokens: 5 })
    expect(Array.from({ length: 5 }, deal)).toEqual([
      { number: 1, turn: 0, inputTokens: 10 },
      { number: 1, turn: 1, inputTokens: 25 },
      { number: 1, turn: 2, inputTokens: 40 },
      { number: 2, turn: 0, inputTokens: 10 },
      { number: 2, turn: 1, inputTokens: 25 },
    ])
  })

  test('keep the prefix of their first turn', () => {
    for (const turns of sessionHistory(warm.rows).values()) {
      expect(new Set(turns.map((row) => row.prefix)).size).toBe(1)
    }
    expect(new Set(ofChat(warm).map((row) => row.prefix)).size).toBe(64)
  })

  test('warm up in sessions of their own', () => {
    const rows = warmupRows(warm, 24_000, 60)
    const chats = rows.filter((row) => row.class === 'chat')
    expect(chats.every((row) => /^chat-w\d{5}$/.test(row.session ?? ''))).toBe(true)
    expect(Math.max(...chats.map((row) => row.turn ?? 0))).toBe(3)
    const [first] = [...sessionHistory(rows).values()].filter((turns) => turns.length === 4)
    expect(first?.map((row) => row.inputTokens)).toEqual([512, 1088, 1664, 2240])
    expect(first?.at(-1)?.thinkUs).toBe(1_500_000)
  })
})

describe('a session’s prompts', () => {
  const turns = [...sessionHistory(warm.rows).values()].find((rows) => rows.length === 4) ?? []
  const ids = (turn: number, epoch = 7, replies?: (ArrayLike<number> | undefined)[]) =>
    promptTokenIds({
      ...promptRequest(warm.header, turns[turn] as ScheduleRow, epoch, {
        earlier: turns.slice(0, turn),
        ...(replies ? { replies } : {}),
      }),
      range: RANGE,
    })

  test('go on from the whole prompt before, reply and all', () => {
    for (let turn = 1; turn < 4; turn++) {
      const before = ids(turn - 1)
      expect(ids(turn)).toHaveLength(turns[turn]?.inputTokens ?? 0)
      expect(ids(turn).subarray(0, before.length)).toEqual(before)
      const reply = ids(turn).subarray(before.length, before.length + 64)
      expect(ids(3).subarray(before.length, before.length + 64)).toEqual(reply)
    }
  })

  test('start with the prefix in every epoch, and are unique after it by their first turn', () => {
    expect(ids(3, 1).subarray(0, 256)).toEqual(ids(0, 2).subarray(0, 256))
    expect(ids(3, 1).subarray(256, 260)).not.toEqual(ids(3, 2).subarray(256, 260))
    const told = ofChat(warm)
      .filter((row) => row.turn === 0)
      .slice(0, 2000)
      .map((row) =>
        promptTokenIds({ ...promptRequest(warm.header, row, 1), range: RANGE })
          .subarray(256, 260)
          .join(),
      )
    expect(new Set(told).size).toBe(told.length)
  })

  test('take the engine’s own replies where the history is live; the schedule’s stand for what is missing', () => {
    const live = [Uint32Array.from({ length: 64 }, (_, index) => index), [7, 8, 9], undefined]
    const tokens = ids(3, 7, live)
    const own = ids(3)
    expect(tokens.subarray(0, 512)).toEqual(own.subarray(0, 512))
    expect(tokens.subarray(512, 576)).toEqual(live[0])
    expect([...tokens.subarray(1088, 1091)]).toEqual([7, 8, 9])
    expect(tokens.subarray(1091)).toEqual(own.subarray(1091))
    expect(ids(3, 7, [Uint32Array.from({ length: 100 }, () => 5)]).subarray(576)).toEqual(own.subarray(576))
  })

  test('are a conversation in chat, and one text elsewhere', () => {
    const row = turns[2] as ScheduleRow
    const request = promptRequest(warm.header, row, 7, { earlier: turns.slice(0, 2) })
    const messages = promptMessages(request)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
    expect(messages.map(({ content }) => content.split(' ').length)).toEqual([512, 64, 512, 64, 512])
    expect(promptText(request)).toBe(messages.map(({ content }) => content).join(' '))
    const first = promptMessages(promptRequest(warm.header, turns[0] as ScheduleRow, 7))
    expect(messages[0]).toEqual(first[0])
  })

  test('without a history that fits are refused', () => {
    const row = turns[1] as ScheduleRow
    const earlier = [{ ...(turns[0] as ScheduleRow), outputTokens: 576 }]
    expect(codeOf(() => promptTokenIds({ ...promptRequest(warm.header, row, 7, { earlier }), range: RANGE }))).toBe(
      'prompt_too_short',
    )
  })
})

describe('what sessions repeat', () => {
  test('counts as a hit: the prompt before, or with a live history the reply too', () => {
    const turns = [...sessionHistory(cold.schedule.rows).values()].find((rows) => rows.length === 4) ?? []
    const hit = (blockTokens: number, isLive: boolean) =>
      turns.map((row) => expectedHit(cold.schedule, [row], blockTokens, () => isLive).hitTokens)
    expect(hit(1, false)).toEqual([0, 512, 1088, 1664])
    expect(hit(1, true)).toEqual([0, 575, 1151, 1727])
    expect(hit(16, true)).toEqual([0, 560, 1136, 1712])
    const first = [...sessionHistory(warm.rows).values()].find((rows) => rows.length === 4) ?? []
    expect(first.map((row) => expectedHit(warm, [row], 16).hitTokens)).toEqual([256, 512, 1088, 1664])
  })

  test('counts as input: the mean of all scheduled prompts', () => {
    const manifest = workedExample({ client, workload: chat({}) })
    const rows = cold.schedule.rows.slice(0, 22_000)
    const mean = rows.reduce((sum, row) => sum + row.inputTokens, 0) / rows.length
    // Extension rows continue the sessions: the initial ones are as many turns.
    expect(weightedTokens(manifest).inputPerRequest).toBeCloseTo(mean, 9)
  })

  test('makes the last turn the longest', () => {
    expect(longestRow(cold.schedule)).toMatchObject({ class: 'long', inputTokens: 2048 })
    expect(longestRow(build('cold', { turns: 5 }).schedule)).toMatchObject({ class: 'chat', turn: 4 })
  })
})

describe('reading them back', () => {
  const text = new TextDecoder().decode(cold.bytes)

  test('gives what was written', () => {
    expect(parseSchedule(cold.bytes)).toEqual(cold.schedule)
    expect(text.split('\n').find((line) => line.includes('"turn":1'))).toMatch(
      /^\{"id":"r-\d{5}","class":"chat","offsetUs":\d+,"inputTokens":1088,"outputTokens":64,"session":"chat-\d{5}","turn":1,"thinkUs":1500000\}$/,
    )
  })

  test.each([
    ['a turn that is left out', /"turn":2,/, '"turn":3,'],
    ['a turn without a session', /"session":"chat-00001",/, ''],
    ['a first turn that waits', /"turn":0\}/, '"turn":0,"thinkUs":5}'],
    ['a history longer than the prompt', /"inputTokens":1088/, '"inputTokens":576'],
    ['a session that changes its class', /"class":"chat"(.*"turn":1)/, '"class":"long"$1'],
    ['a name that is none', /"session":"chat-00001"/, '"session":"../x"'],
  ])('refuses %s', (_, from, to) => {
    expect(codeOf(() => parseSchedule(text.replace(from, to)))).toBe('schedule_malformed')
  })
})

test('any sessions give turns in order and prompts as long as their rows say', () => {
  const shape = fc.record({ turns: fc.integer({ min: 2, max: 9 }), concurrent: fc.integer({ min: 1, max: 40 }) })
  fc.assert(
    fc.property(shape, fc.integer({ min: 1, max: 400 }), ({ turns, concurrent }, arrivals) => {
      const deal = turnDealer({ turns, concurrent }, { inputTokens: 20, outputTokens: 3 })
      const last = new Map<number, number>()
      for (let arrival = 0; arrival < arrivals; arrival++) {
        const { number, turn, inputTokens } = deal()
        expect(turn).toBe((last.get(number) ?? -1) + 1)
        expect(turn).toBeLessThan(turns)
        expect(inputTokens).toBe(20 * (turn + 1) + 3 * turn)
        last.set(number, turn)
      }
      expect([...last.keys()]).toEqual([...last.keys()].toSorted((a, b) => a - b))
    }),
  )
})
