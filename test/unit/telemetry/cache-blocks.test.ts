import { describe, expect, it } from 'vitest'
import { VLLM } from '../../../src/core/dialect/vllm-table.ts'
import { cacheEvidence } from '../../../src/core/telemetry/cache-evidence.ts'
import { readTimeline } from '../../../src/core/telemetry/timeline.ts'
import { promptCohort } from './prompt-cohort.ts'

const PREWARM = { probe: 'cache_hit.prewarm', state: 'pass', required: false, blames: 'host' } as const

/** Prompts of 512 tokens that begin with a prefix, of which each request is told so many from the cache. */
function warm(prefix: number, cached: number, blockTokens: number | null, hitRateMin = 0.7) {
  const cohort = promptCohort({
    workload: { input_tokens: 512 },
    warm: { prefix_set: 'v1', count: 4, tokens: prefix, law: 'uniform', hit_rate_min: hitRateMin },
    told: () => ({ cachedTokens: cached }),
  })
  const values = { [`vllm:cache_config_info{block_size="${blockTokens}",engine="0",num_gpu_blocks="100"}`]: 1 }
  const scrape = { t: 'engine' as const, atUs: 0, replica: 0, values: blockTokens === null ? {} : values }
  const timeline = readTimeline([scrape, { t: 'evidence', evidence: PREWARM }], 1)
  const evidence = cacheEvidence({ ...cohort, dialect: VLLM, timeline })
  const find = (name: string) => evidence.find(({ probe }) => probe === `cache_hit.${name}`)
  return { blocks: find('blocks'), warm: find('warm') }
}

describe('a repeat of all but the last tokens', () => {
  it('hits whole blocks only: 384 of 512 tokens at block 128, 496 at block 16', () => {
    expect(warm(508, 384, 128).blocks).toMatchObject({ state: 'pass', value: 0.75, limit: 0.75, required: false })
    expect(warm(508, 496, 16).blocks).toMatchObject({ state: 'pass', value: 496 / 512, limit: 496 / 512 })
    expect(warm(508, 384, 128).blocks?.text).toBe(
      '75.00 % of the prompt tokens came from the cache; whole blocks of 128 tokens give 75.00 %, within 2.00 %',
    )
  })

  it('that hits more or fewer than its blocks give is told', () => {
    expect(warm(508, 384, 16).blocks).toMatchObject({ state: 'fail', limit: 496 / 512 })
    expect(warm(508, 496, 128).blocks?.state).toBe('fail')
    expect(warm(508, 394, 128).blocks?.state).toBe('pass')
  })

  it('of an engine that does not tell its blocks is unknown', () => {
    expect(warm(508, 384, null).blocks).toMatchObject({ state: 'unknown', value: 0.75 })
  })
})

it('warm hits that whole blocks cannot give are not the engine’s fault', () => {
  expect(warm(508, 384, 128, 0.8).warm).toMatchObject({ state: 'fail', blames: 'client' })
  expect(warm(508, 384, 128, 0.8).warm?.text).toContain('in whole blocks of 128 tokens give no more than 75.00 %')
  // These could have been given.
  expect(warm(508, 256, 128).warm).toMatchObject({ state: 'fail', blames: 'engine' })
  expect(warm(508, 384, null, 0.8).warm).toMatchObject({ state: 'fail', blames: 'engine' })
})
