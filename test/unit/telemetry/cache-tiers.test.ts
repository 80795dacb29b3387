import { describe, expect, it } from 'vitest'
import { tiersSwitchedOn } from '../../../src/core/dialect/cache-tier.ts'
import { DIALECTS } from '../../../src/core/dialect/choose.ts'
import type { Dialect } from '../../../src/core/dialect/dialect.ts'
import { DYNAMO } from '../../../src/core/dialect/dynamo-table.ts'
import { LLAMA_SERVER } from '../../../src/core/dialect/llama-server-table.ts'
import { metricNames } from '../../../src/core/dialect/metric-names.ts'
import { OPENAI } from '../../../src/core/dialect/openai-table.ts'
import { SGLANG } from '../../../src/core/dialect/sglang-table.ts'
import { TENSORRT_LLM } from '../../../src/core/dialect/tensorrt-llm-table.ts'
import { VLLM } from '../../../src/core/dialect/vllm-table.ts'
import { manifestSchema } from '../../../src/core/manifest/schema.ts'
import { cacheEvidence } from '../../../src/core/telemetry/cache-evidence.ts'
import { readTimeline } from '../../../src/core/telemetry/timeline.ts'
import { promptCohort } from './prompt-cohort.ts'

interface Parts {
  dialect?: Dialect
  args?: string[]
  env?: Record<string, string>
  deploy?: object | undefined
  cache?: object
  reset?: 'pass' | 'fail' | null
  /** The engine's counters before and after. */
  counters?: readonly [Record<string, number>, Record<string, number>]
  warm?: object
}

/** Of a point whose every request says that none of its tokens came from a cache. */
function tiersOf({ dialect = VLLM, args = [], env = {}, cache = {}, reset = 'pass', counters, warm, ...rest }: Parts) {
  const cohort = promptCohort({ told: () => ({ cachedTokens: 0 }), ...(warm ? { warm } : {}) })
  const started = { kind: 'process', argv: ['serve-it', ...args], env }
  const deploy = 'deploy' in rest ? rest.deploy : started
  const engine = { ...cohort.manifest.engine, ...(deploy ? { deploy } : {}) }
  const manifest = manifestSchema.parse({
    ...cohort.manifest,
    engine,
    cache: { cold: { hit_rate_max: 0.01 }, warm, ...cache },
  })
  const scrapes = (counters ?? []).map((values, index) => ({
    t: 'engine' as const,
    atUs: index === 0 ? 0 : cohort.facts.cohortUs,
    replica: 0,
    values,
  }))
  const evidence = { probe: 'cache_hit.reset', state: reset ?? 'unknown', required: true, blames: 'host' } as const
  const lines = [...scrapes, ...(reset === null ? [] : [{ t: 'evidence' as const, evidence }])]
  const view = { ...cohort, manifest, dialect, timeline: readTimeline(lines, 1) }
  return cacheEvidence(view).find(({ probe }) => probe === 'cache_hit.tiers')
}

const HITS = 'vllm:external_prefix_cache_hits_total{engine="0",model_name="m"}'
const endpoint = { kind: 'endpoint', urls: ['http://127.0.0.1:1'] }
const undeclared = { state: 'unknown', required: true }

describe('a cold point beside another cache of prompts', () => {
  it('is known to be cold where none is switched on', () => {
    expect(tiersOf({ args: ['--max-num-seqs', '8', '--cpu-offload-gb', '4', '--swap-space', '8'] })?.state).toBe('pass')
    expect(tiersOf({ args: ['--max-num-seqs', '8'] })?.text).toBe('no cache beside the GPUs’ memory is switched on')
  })

  it.each([
    ['CPU offloading of vLLM', VLLM, ['--kv-offloading-size', '64'], {}],
    ['the same, otherwise spelt', VLLM, ['--kv_offloading_size=64'], {}],
    ['the same, shortened', VLLM, ['--kv-off', '64'], {}],
    ['a connector by its JSON', VLLM, ['--kv-transfer-config.kv_connector', 'LMCacheConnectorV1'], {}],
    ['LMCache by a variable', VLLM, [], { LMCACHE_CONFIG_FILE: '/etc/lmcache.yaml' }],
    ['a storage behind SGLang', SGLANG, ['--enable-hierarchical-cache', '--hicache-storage-backend', 'mooncake'], {}],
    ['LMCache in SGLang', SGLANG, ['--enable-lmcache'], {}],
    ['a configuration of TensorRT-LLM', TENSORRT_LLM, ['--extra_llm_api_options', '/etc/llm.yaml'], {}],
    ['Dynamo’s block manager', DYNAMO, [], { DYN_KVBM_CPU_CACHE_GB: '20' }],
  ] as const)('is not known to be cold with %s', (_what, dialect, args, env) => {
    expect(tiersOf({ dialect, args: [...args], env })).toMatchObject(undeclared)
    expect(tiersOf({ dialect, args: [...args], env, cache: { tiers: [] } })).toMatchObject(undeclared)
    const declared = tiersOf({ dialect, args: [...args], env, cache: { tiers: ['cpu', 'disk'] } })
    expect(declared).toMatchObject({ state: 'pass', text: 'declared in cache.tiers: cpu, disk' })
  })

  it('is cold where the reset reaches it and worked', () => {
    const args = ['--enable-hierarchical-cache']
    expect(tiersOf({ dialect: SGLANG, args })).toMatchObject({ state: 'pass', text: /emptied before the point/ })
    expect(tiersOf({ dialect: SGLANG, args, reset: 'fail' })).toMatchObject(undeclared)
    expect(tiersOf({ dialect: SGLANG, args, reset: null })).toMatchObject(undeclared)
    expect(tiersOf({ dialect: SGLANG, args: ['--no-enable-hierarchical-cache'], reset: null })?.state).toBe('pass')
  })

  it('is cold where what lies in the engine’s memory went with it', () => {
    const args = ['--kv-offloading-size', '64']
    const perPoint = { cold: { hit_rate_max: 0.01, restart: 'per_point' } }
    expect(tiersOf({ args, cache: perPoint })?.state).toBe('pass')
    expect(tiersOf({ args: ['--kv-transfer-config', '{}'], cache: perPoint })).toMatchObject(undeclared)
    // It has no reset, so that it is started anew before each cold point.
    expect(tiersOf({ dialect: LLAMA_SERVER, args: ['-cram', '4096'], reset: null })?.state).toBe('pass')
  })

  it('of somebody else’s engine is known by what its counters say', () => {
    const deploy = endpoint
    expect(tiersOf({ deploy, counters: [{ [HITS]: 5 }, { [HITS]: 5 }] })).toMatchObject({ state: 'pass', value: 0 })
    expect(tiersOf({ deploy, counters: [{ [HITS]: 5 }, { [HITS]: 9 }] })).toMatchObject({ ...undeclared, value: 4 })
    expect(tiersOf({ deploy, counters: [{}, {}] })).toMatchObject({ state: 'unknown', required: false })
    expect(tiersOf({ deploy, cache: { tiers: [] } })).toMatchObject({ state: 'pass', required: true })
    expect(tiersOf({ deploy: undefined })).toMatchObject({ state: 'unknown', required: false })
  })

  it('is not known to be cold where a tier that nobody named gave something', () => {
    expect(tiersOf({ counters: [{ [HITS]: 0 }, { [HITS]: 7 }] })).toMatchObject({ ...undeclared, value: 7 })
  })

  it('counts of SGLang what came from elsewhere than the device', () => {
    const series = (source: string) => `sglang:cached_tokens_total{cache_source="${source}",tp_rank="0"}`
    const deploy = endpoint
    const dialect = SGLANG
    const own = { [series('device')]: 100, [series('total')]: 9 }
    expect(tiersOf({ dialect, deploy, counters: [{}, own] })).toMatchObject({ state: 'pass', value: 0 })
    const stored = { ...own, [series('storage_mooncake')]: 16 }
    expect(tiersOf({ dialect, deploy, counters: [own, stored] })).toMatchObject({ ...undeclared, value: 16 })
  })

  it('cannot be seen from Dynamo’s frontend, and decides nothing there', () => {
    expect(tiersOf({ dialect: DYNAMO })).toMatchObject({ state: 'unknown', required: false })
    expect(tiersOf({ dialect: DYNAMO, cache: { tiers: [] } })).toMatchObject({ state: 'pass' })
  })
})

it('nothing is said of an engine without another cache, nor of a warm point', () => {
  expect(tiersOf({ dialect: OPENAI })).toBeUndefined()
  const warm = { prefix_set: 'v1', count: 4, tokens: 50, law: 'uniform', hit_rate_min: 0.1 }
  expect(tiersOf({ warm, args: ['--kv-offloading-size', '64'] })).toBeUndefined()
})

it('no tier takes a model for an argument of its own, and its counters are scraped', () => {
  for (const dialect of DIALECTS) {
    expect(tiersSwitchedOn(dialect, { args: ['serve', 'acme/model', '--max-num-seqs', '8'] })).toEqual([])
    expect([...metricNames(dialect)]).toEqual(expect.arrayContaining([...(dialect.cacheTiers.hits?.names ?? [])]))
  }
})
