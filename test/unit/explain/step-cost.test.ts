import { describe, expect, test } from 'vitest'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import { fitStepCost } from '../../../src/core/telemetry/step-cost.ts'
import type { DecodeWindow } from '../../../src/core/telemetry/work-done.ts'
import { decodeWindows } from '../../../src/core/telemetry/work-done.ts'

/** Answers of an engine whose law is known: 8 ms a step, 0.2 ms a sequence, 50 µs a prompt token. */
function windowsOf(count: number, batchOf: (index: number) => number): DecodeWindow[] {
  return Array.from({ length: count }, (_, index) => {
    const [tokens, batch, prefill] = [15, batchOf(index), (index * 7) % 60]
    const tokenUs = 8000 + 200 * batch + 50 * prefill
    const decodeUs = tokenUs * tokens
    return { decodeUs, tokens, batchTokens: batch * tokens, prefillTokens: prefill * tokens, gapUs: null }
  })
}

describe('what a step costs', () => {
  test('is found exactly where the law holds', () => {
    const cost = fitStepCost(
      windowsOf(100, (index) => 1 + (index % 8)),
      () => 0,
    )
    expect(cost?.stepUs).toBeCloseTo(8000, 3)
    expect(cost?.sequenceUs).toBeCloseTo(200, 3)
    expect(cost?.prefillTokenUs).toBeCloseTo(50, 3)
  })

  test('leaves a batch that never varies to the constant', () => {
    const cost = fitStepCost(
      windowsOf(100, () => 4),
      () => 0,
    )
    expect(cost?.sequenceUs).toBe(0)
    expect(cost?.stepUs).toBeCloseTo(8800, 3)
  })

  test('is not known of a few answers', () => {
    const few = windowsOf(29, (index) => 1 + (index % 8))
    expect(fitStepCost(few, () => 0)).toBeNull()
  })
})

describe('what went on while an answer was decoded', () => {
  const answer = (id: string, fromUs: number, untilUs: number, rest: Partial<RequestRecord> = {}): RequestRecord => ({
    id,
    class: 'interactive',
    status: 'ok',
    errorCode: null,
    dueUs: 0,
    handedUs: 0,
    sentUs: 0,
    firstContentUs: fromUs,
    endUs: untilUs,
    gapUs: null,
    httpStatus: 200,
    finishReason: 'length',
    session: null,
    turn: null,
    firstTokenUs: fromUs,
    lastTokenUs: untilUs,
    outputTokens: 11,
    chunks: 11,
    inputTokens: 100,
    cachedTokens: 40,
    replica: 0,
    ...rest,
  })

  const whole = ({ inputTokens, cachedTokens }: RequestRecord) =>
    inputTokens === null ? null : inputTokens - (cachedTokens ?? 0)

  test('counts the tokens of its replica alone, and the prompts that were computed in between', () => {
    const windows = decodeWindows(
      [answer('a', 1000, 2000), answer('b', 1500, 2500), answer('c', 1200, 1900, { replica: 1 })],
      whole,
    )
    // Half of b's ten tokens fall into a, and its prompt of 60 uncached tokens ends there.
    expect(windows[0]).toMatchObject({ tokens: 10, batchTokens: 15, prefillTokens: 60 })
    expect(windows[1]).toMatchObject({ tokens: 10, batchTokens: 15, prefillTokens: 0 })
    expect(windows[2]).toMatchObject({ tokens: 10, batchTokens: 10, prefillTokens: 0 })
  })

  test('leaves out what failed, and what does not say how long its prompt was', () => {
    const failed = answer('a', 1000, 2000, { status: 'error' })
    expect(decodeWindows([failed, answer('b', 1500, 2500, { inputTokens: null })], whole)).toEqual([])
  })

  test('counts no token of the first chunk', () => {
    expect(decodeWindows([answer('a', 1000, 2000, { outputTokens: 32, chunks: 8 })], whole)[0]?.tokens).toBe(28)
  })

  test('leaves out an answer of few chunks with several tokens each, whose first one’s share is not known', () => {
    const few = (outputTokens: number, chunks: number) => answer('a', 1000, 2000, { outputTokens, chunks })
    expect(decodeWindows([few(28, 7)], whole)).toEqual([])
    expect(decodeWindows([few(7, 7)], whole)).toHaveLength(1)
  })
})
