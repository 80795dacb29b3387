import { expect, test } from 'vitest'
import { TraceProfiler } from '../../../../src/core/schedule/trace/profile/trace-profile.ts'

/** What the profiler may watch: blocks and sessions. */
const MOST_WATCHED = 262_144 + 65_536

test('two million requests with ever new blocks and sessions leave no more than the bounds', () => {
  const profiler = new TraceProfiler()
  const row = { inputTokens: 1000, outputTokens: 100, class: null, line: 1 }
  let most = 0
  for (let request = 0; request < 2_000_000; request++) {
    const blocks = [0, request + 1]
    profiler.add({ ...row, atUs: request * 50_000, blocks, session: `session-${request >> 1}` })
    if (profiler.watched > most) most = profiler.watched
  }
  expect(most).toBeLessThanOrEqual(MOST_WATCHED)
  const { requests, reuse, sessions } = profiler.profile({ format: 'jsonl', failed: 0 }, 3)
  expect(requests).toBe(2_000_000)
  expect(reuse?.sampledOneIn).toBe(8)
  expect(Math.abs((reuse?.distinctBlocks ?? 0) / 2_000_001 - 1)).toBeLessThan(0.01)
  expect(Math.abs((reuse?.unlimitedHitShare ?? 0) - 0.5)).toBeLessThan(0.01)
  expect(sessions?.turns).toMatchObject({ mean: 2, max: 2 })
  expect(Math.abs((sessions?.sessions ?? 0) / 1_000_000 - 1)).toBeLessThan(0.05)
})
