import { describe, expect, it } from 'vitest'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import { judge, success } from './cohort-builder.ts'
import { workedExample } from './worked-example.ts'

const drawn = workedExample()
const replayed: Manifest = { ...drawn, client: { ...drawn.client, arrival_pattern: 'trace' } }

/** 100 ms to the first token, `gapMs` for each that follows. */
function answer(id: string, tokens: number, gapMs: number): RequestRecord {
  const lastTokenUs = 100_000 + gapMs * 1000 * (tokens - 1)
  return success(drawn, 'interactive', id, { outputTokens: tokens, chunks: tokens, lastTokenUs, endUs: lastTokenUs })
}

describe('a trace’s answers', () => {
  const records = [answer('a', 128, 10), answer('b', 3, 50), answer('c', 1, 0), answer('d', 64, 20)]

  it('have lengths of their own: tokens are summed, and TPOT is that of those that have one', async () => {
    const { interactive } = (await judge(replayed, records)).classes
    expect(interactive).toMatchObject({ successful_count: 4, output_tokens: 196, passing_count: 3 })
    expect(interactive?.tpot_ms).toMatchObject({ n: 3, p50: 20, p95: 50 })
    expect(interactive?.miss_share).toEqual({ ttft: 0, tpot: 0.25, e2e: 0 })
  })

  it('are refused where they are longer than their class takes, or empty', async () => {
    for (const tokens of [129, 0]) {
      const wrong = { ...answer('a', Math.max(1, tokens), 1), outputTokens: tokens }
      await expect(judge(replayed, [wrong])).rejects.toMatchObject({ code: 'csv_length' })
    }
    await expect(judge(replayed, [answer('a', 129, 1)])).rejects.toThrow(/which takes at most 128/)
  })

  it('of any other arrivals have the class’s length', async () => {
    await expect(judge(drawn, records)).rejects.toThrow(/3 in a success of interactive, whose length is 128/)
  })
})
