import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { headFailure } from '../../../src/core/stream/answer-head.ts'
import { AnswerStream } from '../../../src/core/stream/answer-stream.ts'
import { expectedPath, referenceLines, storedExpectations } from './expected.ts'
import { answersOf, Dechunker, recorded, situations } from './recorded.ts'
import { difference, everySplitByStages, everySplitWhole, readInParts } from './split-check.ts'

/** A body up to this long is read whole at every split point; a longer one by the reader's two stages. */
const WHOLE_UP_TO_BYTES = 2500

describe.each(situations())('%s', (situation) => {
  const answers = answersOf(situation)
  const { streams, heads } = storedExpectations(situation)

  test('each expected record is what the second, separate reading gives', () => {
    expect(readFileSync(expectedPath(situation), 'utf8')).toBe(referenceLines(answers))
    expect(streams.size + heads.size).toBe(answers.length)
  })

  const streamed = answers.filter(({ name }) => streams.has(name))
  test.each(streamed.map((answer) => [answer.name, answer] as const))('%s at every split point', (name, answer) => {
    const expected = streams.get(name)!
    expect(headFailure(answer.httpStatus, answer.header('content-type'), answer.header('content-encoding'))).toBeNull()
    expect(difference(readInParts(answer, []), expected, [])).toBeNull()
    expect(everySplitByStages(answer, expected)).toBeNull()
    expect(answer.body.length > WHOLE_UP_TO_BYTES ? null : everySplitWhole(answer, expected)).toBeNull()
    for (const cuts of drawnCuts(name, answer.body.length))
      expect(difference(readInParts(answer, cuts), expected, cuts)).toBeNull()
  })

  const refused = answers.filter(({ name }) => heads.has(name))
  test.each(refused.length > 0 ? [refused] : [])('answers that are no stream are decided by their heads', (...all) => {
    const found = all.map(({ name, httpStatus, header }) => [
      name,
      { httpStatus, ...headFailure(httpStatus, header('content-type'), header('content-encoding')) },
    ])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(heads))
  })
})

/** Ways to cut a body in many parts: one byte a part where it is short, and others drawn from the name. */
function drawnCuts(name: string, length: number): number[][] {
  let state = [...name].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, 7)
  const draw = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const drawn = Array.from({ length: 12 }, (_, way) =>
    Array.from({ length: 2 + draw(way * 20) }, () => draw(length + 1)).sort((a, b) => a - b),
  )
  return length > 8000 ? drawn : [...drawn, Array.from({ length: Math.max(0, length - 1) }, (_, at) => at + 1)]
}

test('the fixtures hold what is told of them', () => {
  const all = situations().flatMap((situation) => answersOf(situation).map((answer) => ({ situation, answer })))
  const real = all.filter(({ situation }) => !situation.endsWith('/unseen'))
  expect(real.filter(({ answer }) => answer.isStream)).toHaveLength(227)
  expect(real).toHaveLength(404)
})

describe('reads as they happened', () => {
  test.each([
    ['vllm/default/load_stream_1', 256],
    ['vllm/preempt-keepalive/pre_queued_0', 32],
    ['llama-server/default/chat_stream_exact32_continuous', 32],
  ] as const)('%s: an event’s time is its read’s', (name, outputTokens) => {
    const answer = recorded(name)
    const reads = answer.reads()
    const stream = new AnswerStream(answer.expectation)
    for (const { bytes, atUs } of reads) stream.push(bytes, atUs)
    const last = reads.at(-1)?.atUs ?? 0
    const seen = stream.finish('clean', last)
    expect(seen.status).toBe('ok')
    const times = reads.map((read) => read.atUs)
    expect(times).toContain(seen.firstTokenUs)
    expect(times).toContain(seen.lastTokenUs)
    const sum = seen.gapsUs.reduce((total, gap) => total + gap, 0)
    expect(sum).toBe((seen.lastTokenUs ?? 0) - (seen.firstTokenUs ?? 0))
    expect(seen.chunks).toBe(outputTokens)
    // Fewer reads than events: those of one read share its time.
    expect(seen.gapsUs.filter((gap) => gap === 0).length).toBeGreaterThanOrEqual(outputTokens - reads.length)
  })

  test('framing comes off whatever the splits', () => {
    const framed = Buffer.from('5\r\nhello\r\nA\r\n, world!!!\r\n0\r\n\r\n')
    for (let size = 1; size <= framed.length; size++) {
      const framing = new Dechunker()
      let text = ''
      for (let at = 0; at < framed.length; at += size) text += framing.push(framed.subarray(at, at + size)).toString()
      expect([text, framing.isWhole]).toEqual(['hello, world!!!', true])
    }
  })
})
