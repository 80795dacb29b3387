import { expect, it } from 'vitest'
import { Histories } from '../../../../src/adapters/replay/histories.ts'
import { createReplay } from '../../../../src/adapters/replay/replay.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { promptMessages, promptRequest, promptTokenIds } from '../../../../src/core/schedule/prompt.ts'
import type { ScheduleRow } from '../../../../src/core/schedule/schedule.ts'
import type { ShapeParts } from '../../../contract/replay/shape.ts'
import { testSessions, testShape } from '../../../contract/replay/shape.ts'
import type { Asked, Respond } from '../../../contract/replay/stream-server.ts'
import { respondWell, startStreamServer } from '../../../contract/replay/stream-server.ts'
import { never, orderOn, watch } from '../../../contract/replay/watch.ts'

const clock = systemClock()
const range = [1000, 30000] as const
const session = { turns: 3, concurrent: 2, think_seconds: 0 }
const live: ShapeParts = { session: { ...session, history: 'live' } }
const rows = testSessions({ sessions: 2, turns: 3, thinkUs: 1000, among: 7 })
/** Every output token of the server has this id. */
const REPLY = [7, 7, 7, 7]

/** What a server was asked, by id, and what is said of the histories. */
async function replayed(parts: ShapeParts, respond: Respond = respondWell) {
  await using server = await startStreamServer(respond)
  const targets = [{ index: 0, url: server.url }]
  const shape = testShape(parts)
  const seen = watch()
  const outcome = await createReplay(clock).run(orderOn({ clock, targets }, { shape, blocks: [rows] }), seen, never)
  expect(seen.records).toHaveLength(rows.length)
  const history = outcome.evidence.find(({ probe }) => probe === 'client.history')
  return { shape, asked: new Map(server.asked.map((request) => [request.id, request])), history, seen }
}

const promptOf = (request: Asked | undefined) => request?.body['prompt'] as number[]

function earlierOf(row: ScheduleRow): ScheduleRow[] {
  return rows.filter((other) => other.session === row.session && (other.turn ?? 0) < (row.turn ?? 0))
}

it('goes on from what the engine really answered, where the history is live', async () => {
  const { asked, history, shape } = await replayed(live)
  for (const row of rows.filter(({ turn = 0 }) => turn > 0)) {
    const prompt = promptOf(asked.get(row.id))
    const earlier = earlierOf(row)
    const before = promptOf(asked.get(earlier.at(-1)?.id ?? ''))
    expect(prompt).toHaveLength(row.inputTokens)
    expect(prompt.slice(0, before.length + 4)).toEqual([...before, ...REPLY])
    const replies = earlier.map(() => REPLY)
    const whole = promptRequest(shape.header, row, shape.epoch, { earlier, replies })
    expect(prompt).toEqual([...promptTokenIds({ ...whole, range })])
  }
  expect(history).toMatchObject({ state: 'pass', required: false, value: 4 })
})

it('goes on from the schedule’s own replies otherwise, whatever the engine answered', async () => {
  const { asked, history, shape } = await replayed({ session: { ...session, history: 'synthetic' } })
  for (const row of rows.filter(({ turn = 0 }) => turn > 0)) {
    const whole = promptRequest(shape.header, row, shape.epoch, { earlier: earlierOf(row) })
    expect(promptOf(asked.get(row.id))).toEqual([...promptTokenIds({ ...whole, range })])
  }
  expect(history).toMatchObject({ value: 0, text: expect.stringContaining('4 the schedule’s') })
})

it.each<[string, Respond]>([
  ['the turn failed', (_, response) => void response.writeHead(500).end()],
  [
    'the engine sends no ids',
    (asked, response) => respondWell(asked, Object.assign(response, { end: endWithoutIds(response.end) })),
  ],
])('takes the schedule’s reply where %s', async (_, respond) => {
  const answer: Respond = (asked, response) =>
    asked.id === 'r-00001' ? respond(asked, response) : respondWell(asked, response)
  const { asked, history, shape } = await replayed(live, answer)
  const [second, third] = rows.filter((row) => row.session === 'small-00001' && row.turn !== 0) as [
    ScheduleRow,
    ScheduleRow,
  ]
  const synthetic = promptRequest(shape.header, second, shape.epoch, { earlier: earlierOf(second) })
  expect(promptOf(asked.get(second.id))).toEqual([...promptTokenIds({ ...synthetic, range })])
  const mixed = promptRequest(shape.header, third, shape.epoch, {
    earlier: earlierOf(third),
    replies: [undefined, REPLY],
  })
  expect(promptOf(asked.get(third.id))).toEqual([...promptTokenIds({ ...mixed, range })])
  expect(history).toMatchObject({ value: 3, text: expect.stringContaining('1 the schedule’s') })
})

it.each([
  ['of a request that did not succeed', 'error', [7, 7, 7, 7]],
  ['that was left', 'cancelled', [7, 7, 7, 7]],
  ['that is short', 'ok', [7, 7, 7]],
  ['of no vocabulary', 'ok', [7, -1, 7, 7]],
] as const)('takes no reply %s', (_, status, outputIds) => {
  const histories = new Histories(testShape(live), rows)
  const [first, second] = rows.filter((row) => row.session === 'small-00001') as [ScheduleRow, ScheduleRow]
  histories.ended(first, { status, outputIds: [...outputIds] }, true)
  expect(histories.contextOf(second).replies?.[0]).toBeUndefined()
  histories.ended(first, { status: 'ok', outputIds: REPLY }, true)
  expect(histories.contextOf(second).replies?.[0]).toEqual(Uint32Array.from(REPLY))
})

function endWithoutIds(end: (text: string) => unknown) {
  return function (this: unknown, text: string) {
    return end.call(this, text.replaceAll(',"token_ids":[7]', ''))
  }
}

it('asks a chat with the turns as messages of the two roles, the user’s last', async () => {
  const { asked, shape } = await replayed({ ...live, client: { endpoint: 'chat' } })
  const last = rows.find(({ turn }) => turn === 2) as ScheduleRow
  const messages = asked.get(last.id)?.body['messages'] as { role: string; content: string }[]
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
  expect(messages).toEqual(promptMessages(promptRequest(shape.header, last, shape.epoch, { earlier: earlierOf(last) })))
})

it('carries the session in the manifest’s header, and salts a cold session’s turns alike', async () => {
  const { asked } = await replayed({
    client: { session_header: 'X-Session-Id' },
    cache: { cold: { isolate: 'cache_salt' } },
  })
  for (const { id, session: own } of rows) {
    expect(asked.get(id)?.headers['x-session-id']).toBe(own)
    expect(asked.get(id)?.body['cache_salt']).toBe(`7-3-${own ?? id}`)
  }
})

it('makes prompts of the dataset’s texts', async () => {
  await using server = await startStreamServer(respondWell)
  const texts = ['How tall is the tower?', 'And how old?']
  const shape = { ...testShape({ client: { prompt: 'text' } }), texts }
  const turns = testSessions({ sessions: 1, turns: 2, thinkUs: 0, among: 2 }).map((row, index) => ({
    ...row,
    text: index,
  }))
  const seen = watch()
  const targets = [{ index: 0, url: server.url }]
  await createReplay(clock).run(orderOn({ clock, targets }, { shape, blocks: [turns] }), seen, never)
  const prompts = server.asked.map(({ body }) => String(body['prompt']))
  expect(prompts[0]).toContain(texts[0])
  expect(prompts[1]?.startsWith(prompts[0] ?? '')).toBe(true)
  expect(prompts[1]).toContain(texts[1])
})
