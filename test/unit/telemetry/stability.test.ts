import { describe, expect, it } from 'vitest'
import { SGLANG } from '../../../src/core/dialect/sglang-table.ts'
import { VLLM } from '../../../src/core/dialect/vllm-table.ts'
import { stabilityEvidence } from '../../../src/core/telemetry/stability-evidence.ts'
import { readTimeline } from '../../../src/core/telemetry/timeline.ts'
import { promptCohort } from './prompt-cohort.ts'

type Values = Record<string, number>

/** The evidence named, of a point that the engine described so before and after it. */
function told(name: string, before: Values, after: Values, left: 'ok' | 'cancelled' | 'timeout' = 'ok', of = VLLM) {
  const cohort = promptCohort({ told: () => ({ status: left }) })
  const scrapes = [before, after].map((values, index) => ({
    t: 'engine' as const,
    atUs: index * cohort.facts.cohortUs,
    replica: 0,
    values,
  }))
  const evidence = stabilityEvidence({ ...cohort, dialect: of, timeline: readTimeline(scrapes, 1) })
  return evidence.find(({ probe }) => probe === `stability.${name}`)
}

const PREEMPTIONS = 'vllm:num_preemptions_total{engine="0"}'
const KV = 'vllm:kv_cache_usage_perc{engine="0"}'
const none = { [PREEMPTIONS]: 3, [KV]: 0.5 }

describe('preemptions', () => {
  it('are counted from before the point to its end, and recorded', () => {
    expect(told('preemptions', none, { ...none, [PREEMPTIONS]: 7 })).toMatchObject({ state: 'pass', value: 4 })
    expect(told('preemptions', none, none)).toMatchObject({ state: 'pass', value: 0 })
  })

  it('that the engine counts only when the request goes on are unknown where it was left before it could', () => {
    const full = { ...none, [KV]: 1 }
    for (const left of ['cancelled', 'timeout'] as const) {
      expect(told('preemptions', none, full, left)).toMatchObject({ state: 'unknown', required: false })
      expect(told('preemptions', none, full, left)).not.toHaveProperty('value')
      expect(told('preemptions', none, none, left)).toMatchObject({ state: 'pass', value: 0 })
      expect(told('preemptions', none, { ...full, [PREEMPTIONS]: 4 }, left)).toMatchObject({ state: 'pass', value: 1 })
    }
    expect(told('preemptions', none, full)).toMatchObject({ state: 'pass', value: 0 })
  })

  it('are unknown where they are not shown, and are no creation time', () => {
    const created = { 'vllm:num_preemptions_created{engine="0"}': 1.7e9 }
    expect(told('preemptions', created, created)).toMatchObject({ state: 'unknown' })
  })
})

describe('evictions', () => {
  it('are read where the engine shows them, else unknown', () => {
    const series = 'vllm:kv_block_idle_before_evict_seconds_count{engine="0"}'
    expect(told('evictions', { [series]: 1 }, { [series]: 9 })).toMatchObject({ state: 'pass', value: 8 })
    expect(told('evictions', none, none)).toMatchObject({ state: 'unknown', required: false })
    const tokens = 'sglang:evicted_tokens_total{cache_type="RadixCache"}'
    expect(told('evictions', { [tokens]: 0 }, { [tokens]: 512 }, 'ok', SGLANG)).toMatchObject({ value: 512 })
  })
})
