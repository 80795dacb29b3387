import { describe, expect, test } from 'vitest'
import { longestRequest } from '../../../src/app/point/longest-request.ts'
import { asProbe } from '../../../src/app/point/single-request.ts'
import { smoke } from '../../../src/app/point/smoke.ts'
import type { RequestShape } from '../../../src/app/ports/replay.ts'
import { ID_PATTERN, type ScheduleRow } from '../../../src/core/schedule/schedule.ts'
import { testRows, testSessions, testShape } from '../../contract/replay/shape.ts'
import type { ShapeParts } from '../../contract/replay/shape.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { fakeDeployer } from '../../fakes/engine.ts'
import type { FakeAnswer } from '../../fakes/fake-answer.ts'
import { fakeReplay } from '../../fakes/replay.ts'
import { smallSubject } from '../../virtual/virtual-manifest.ts'
import { virtualWorld } from '../../virtual/virtual-world.ts'

const signal = new AbortController().signal
const refused = { status: 'error', errorCode: 'http_status', httpStatus: 400, refusal: 'at most 4096 tokens' } as const

/** Smoke before a schedule of one long row among short ones; what was found, and what was sent. */
async function smoked(answer: FakeAnswer, parts: ShapeParts = {}, texts?: readonly string[]) {
  const clock = fakeClock({ mode: 'auto' })
  const sent: ScheduleRow[] = []
  const replay = fakeReplay({
    clock,
    answer(row) {
      sent.push(row)
      return answer
    },
  })
  const shape: RequestShape = { ...testShape(parts), ...(texts ? { texts } : {}) }
  const { manifest, dialect, header } = shape
  const rows = testRows(9).map((row, index) => ({
    ...row,
    ...(index === 4 ? { inputTokens: 8000, outputTokens: 100 } : {}),
    ...(texts ? { text: index % texts.length } : {}),
  }))
  const effects = { ...virtualWorld({ subject: smallSubject() }).effects, clock, replay }
  const order = { manifest, dialect, deployId: 'cold-boot-1', log: { write() {} } }
  await using deployment = await fakeDeployer().deploy(order, signal)
  const longest = longestRequest({ header, rows, sha256: '' }, texts)
  const evidence = await smoke(effects, deployment, shape, longest, signal)
  return { evidence, sent, replicas: deployment.replicas.length }
}

describe('the smoke request', () => {
  test('is the schedule’s longest one, to each replica, with a prompt of its own', async () => {
    const { evidence, sent, replicas } = await smoked({})
    expect(evidence).toHaveLength(replicas)
    expect(evidence.every(({ probe, state }) => probe === 'tokens.smoke' && state === 'pass')).toBe(true)
    expect(sent.map(({ inputTokens, outputTokens }) => [inputTokens, outputTokens])).toEqual(
      sent.map(() => [8000, 100]),
    )
    expect(new Set(sent.map(({ id }) => id)).size).toBe(replicas)
    expect(sent.every(({ id }) => id.startsWith('s-'))).toBe(true)
  })

  test('refused for its length is told once, with what the engine said, and makes the point invalid', async () => {
    const { evidence, sent, replicas } = await smoked(refused, { client: { prompt: 'text' } })
    expect(sent).toHaveLength(replicas)
    expect(evidence[0]).toMatchObject({ state: 'fail', blames: 'client' })
    expect(evidence[0]?.text).toBe(
      'replica 0 refused the longest request, r-00005 (class small, 8000 tokens in, 100 out), with HTTP 400: at most 4096 tokens',
    )
  })

  test('refused although it fits into the declared window is the engine’s fault', async () => {
    const { evidence } = await smoked(refused, { model: { max_model_len: 8192 } })
    expect(evidence[0]).toMatchObject({ state: 'fail', blames: 'engine' })
    const undeclared = await smoked(refused)
    expect(undeclared.evidence[0]).toMatchObject({ state: 'fail', blames: 'client' })
  })

  test('refused for want of a token is ours to mend', async () => {
    const answer = { ...refused, httpStatus: 401, refusal: 'Unauthorized' }
    const { evidence } = await smoked(answer, { model: { max_model_len: 8192 } })
    expect(evidence[0]).toMatchObject({ state: 'fail', blames: 'client', text: expect.stringContaining('HTTP 401') })
  })

  test('failed otherwise is tried again, and then the engine’s fault', async () => {
    const { evidence, sent, replicas } = await smoked({ status: 'rejected', errorCode: 'http_status', httpStatus: 429 })
    expect(sent).toHaveLength(3 * replicas)
    expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length)
    expect(evidence[0]).toMatchObject({ state: 'fail', blames: 'engine', text: expect.stringContaining('3 single') })
  })

  test('that could not even be made is our own fault', async () => {
    for (const errorCode of ['client_resource', 'name_not_resolved'] as const) {
      const { evidence } = await smoked({ status: 'error', errorCode, httpStatus: null })
      expect(evidence[0]).toMatchObject({ state: 'fail', blames: 'client' })
    }
    const { evidence } = await smoked({ status: 'error', errorCode: 'connect_failed', httpStatus: null })
    expect(evidence[0]).toMatchObject({ state: 'fail', blames: 'engine' })
  })

  test('has ids for histories of any length', () => {
    const turn = testRows(1)[0] as ScheduleRow
    const probe = asProbe({ row: turn, earlier: Array.from({ length: 20_001 }, () => turn) }, 's', 2063)
    expect([probe.row, ...probe.earlier].every(({ id }) => ID_PATTERN.test(id))).toBe(true)
    expect(new Set(probe.earlier.slice(0, 9_999).map(({ id }) => id)).size).toBe(9_999)
  })

  test('without a token count is insufficient evidence', async () => {
    const { evidence } = await smoked({ status: 'error', errorCode: 'usage_missing', httpStatus: 200 })
    expect(evidence[0]).toMatchObject({ state: 'fail', blames: 'host' })
  })

  test('of a dataset is the text with the most characters, held to the declared length', async () => {
    const dataset = { file: 'texts.txt', sha256: 'a'.repeat(64), format: 'text', length_tolerance: 0.1 }
    const texts = ['short', 'the longest text of all three of them', 'of middling length']
    const asked = { header: { dataset: { sha256: 'a'.repeat(64), texts: 3 } }, client: { prompt: 'text', dataset } }
    const { sent, evidence } = await smoked({}, asked, texts)
    expect(sent[0]).toMatchObject({ text: 1 })
    expect(evidence[0]?.state).toBe('pass')
    const wrong = await smoked({ inputTokens: 27 }, asked, texts)
    expect(wrong.evidence[0]).toMatchObject({ state: 'fail', blames: 'client' })
    expect(wrong.evidence[0]?.text).toContain('counted 27 tokens in the longest prompt')
    expect(wrong.evidence[0]?.text).toContain('text 1 of the dataset')
  })
})

test('a session’s longest turn takes the turns before it along', () => {
  const rows = testSessions({ sessions: 2, turns: 3, thinkUs: 0, among: 8 })
  const longest = longestRequest({ header: testShape().header, rows, sha256: '' }, undefined)
  expect(longest.row.id).toBe('r-00005')
  expect(longest.earlier.map(({ id }) => id)).toEqual(['r-00001', 'r-00003'])
})
