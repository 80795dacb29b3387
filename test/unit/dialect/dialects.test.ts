import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DIALECTS, dialectFor, idleConnectionMs, isSimulated } from '../../../src/core/dialect/choose.ts'
import { METRIC_ROLES } from '../../../src/core/dialect/dialect.ts'
import type { MetricSource } from '../../../src/core/dialect/dialect.ts'
import { LLAMA_CPP_PYTHON } from '../../../src/core/dialect/llama-cpp-python-table.ts'
import { LLAMA_SERVER } from '../../../src/core/dialect/llama-server-table.ts'
import { LLM_D_SIM } from '../../../src/core/dialect/llm-d-sim-table.ts'
import { OPENAI } from '../../../src/core/dialect/openai-table.ts'
import { environmentOwner, ownedAssignmentsIn } from '../../../src/core/dialect/owned-environment.ts'
import { VLLM } from '../../../src/core/dialect/vllm-table.ts'
import { counterRise, readMetric } from '../../../src/core/telemetry/series.ts'

describe('dialectFor', () => {
  it.each([
    ['vllm', undefined, 'vllm'],
    ['vLLM', undefined, 'vllm'],
    ['fixture', undefined, 'fixture'],
    ['tutorial-engine-fixture', undefined, 'openai'],
    ['my-fork', 'vllm', 'vllm'],
    ['vllm', 'openai', 'openai'],
    ['vllm', 'nothing-known', 'vllm'],
    [undefined, undefined, 'openai'],
    ['SGLang', undefined, 'sglang'],
    ['trtllm', undefined, 'tensorrt-llm'],
    ['llama.cpp', undefined, 'llama-server'],
    ['llama_cpp', undefined, 'llama-cpp-python'],
    ['dynamo', undefined, 'dynamo'],
    ['llm-d-inference-sim', undefined, 'llm-d-sim'],
    ['sglang', 'vllm+0123abcd', 'vllm'],
  ])('engine %s with dialect %s speaks %s', (name, dialect, id) => {
    expect(dialectFor({ engine: { name, dialect } }).id).toBe(id)
  })

  it('calls simulated what is itself a simulation', () => {
    expect(DIALECTS.filter((dialect) => dialect.simulated).map((dialect) => dialect.id)).toEqual([
      'llm-d-sim',
      'fixture',
    ])
    expect(isSimulated({ engine: { name: 'fixture' } as never })).toBe(true)
  })
})

describe('idleConnectionMs', () => {
  it('stays clear of the engine closing the connection', () => {
    expect(idleConnectionMs(VLLM, {})).toBe(4000)
    expect(idleConnectionMs(VLLM, { VLLM_HTTP_TIMEOUT_KEEP_ALIVE: '75' })).toBe(60_000)
    expect(idleConnectionMs(OPENAI, { VLLM_HTTP_TIMEOUT_KEEP_ALIVE: '75' })).toBe(4000)
    for (const bad of ['', '0', '-1', 'x', 'Infinity']) {
      expect(idleConnectionMs(VLLM, { VLLM_HTTP_TIMEOUT_KEEP_ALIVE: bad })).toBe(4000)
    }
  })
})

describe('the tables', () => {
  it('have ids and names of their own', () => {
    const names = DIALECTS.flatMap(({ id, names: others }) => [id, ...others])
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(names.map((name) => name.toLowerCase()))
    expect(names.filter((name) => name.includes('+'))).toEqual([])
  })

  it.each(DIALECTS)('of $id have distinct arguments and absolute paths', (dialect) => {
    const names = dialect.arguments.flatMap((argument) => [argument.long, ...argument.aliases])
    expect(new Set(names).size).toBe(names.length)
    const { metrics, ...paths } = dialect.paths
    const others = [dialect.health.path, ...dialect.version.map(({ path }) => path), ...(dialect.reset?.paths ?? [])]
    for (const path of [...Object.values(paths), ...others, metrics ?? '/']) expect(path).toMatch(/^\//)
  })

  it.each(DIALECTS)('of $id name every metric role, with wire names as Prometheus clients make them', ({ metrics }) => {
    if (metrics === null) return
    expect(Object.keys(metrics.sources)).toEqual(expect.arrayContaining([...METRIC_ROLES]))
    for (const source of Object.values(metrics.sources)) {
      for (const name of [...(source?.names ?? []), ...(source?.plus ?? [])]) {
        expect([name, /_(?:total|sum)$/.test(name)]).toEqual([name, source?.kind === 'counter'])
        expect(name).not.toMatch(/_(?:created|bucket)$/)
      }
    }
  })

  it.each(DIALECTS)('of $id ask for nothing that the engine would refuse as unknown', ({ id, request }) => {
    // An engine that refuses what it does not know is sent only what was found in its sources.
    if (request.unknownFields !== 'refused') return
    const sent = [request.minTokens, request.ignoreEos, request.returnTokenIds, request.cacheSalt, request.seed]
    const known = { 'tensorrt-llm': ['min_tokens', 'ignore_eos', 'seed'], dynamo: ['min_tokens', 'ignore_eos', 'seed'] }
    expect(sent.filter((name) => name !== null)).toEqual(known[id as keyof typeof known])
  })

  it.each(DIALECTS)('of $id keep a bare environment name or a family', ({ ownedEnvironment, environment }) => {
    for (const name of Object.keys(ownedEnvironment)) expect(name).toMatch(/^[A-Z][A-Z0-9_]*\*?$/)
    for (const name of Object.keys(environment)) expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/)
  })

  it('own what a process is given by env as well', () => {
    const words = ['env', 'VLLM_PORT=9', 'OMP_NUM_THREADS=4', 'python', '--x=VLLM_PORT=1']
    expect(ownedAssignmentsIn(VLLM, words)).toEqual([
      { index: 1, name: 'VLLM_PORT', owner: 'engine.deploy.first_port' },
    ])
  })

  it('own a family of variables by its beginning', () => {
    expect(environmentOwner(LLAMA_SERVER, 'LLAMA_ARG_MODEL')).toBe('the gate')
    expect(environmentOwner(LLAMA_SERVER, 'LLAMA_LOG')).toBeNull()
    expect(environmentOwner(VLLM, 'VLLM_PORT')).toBe('engine.deploy.first_port')
    expect(environmentOwner(VLLM, 'toString')).toBeNull()
    expect(environmentOwner(VLLM, 'VLLM_DP_SIZE')).toBe('engine.placement.dp')
    expect(environmentOwner(LLAMA_CPP_PYTHON, 'type_k')).toBe('model.kv_cache_dtype')
    expect(environmentOwner(LLAMA_CPP_PYTHON, 'Draft_Model')).toBe('engine.speculative_decoding')
    expect(environmentOwner(LLAMA_CPP_PYTHON, 'N_THREADS')).toBeNull()
  })
})

describe('the names that engines were seen to send', () => {
  const page = (name: string) => readFileSync(new URL(`../../../fixtures/metrics/${name}.txt`, import.meta.url), 'utf8')

  it.each([
    ['vllm-idle', VLLM],
    ['llm-d-sim', LLM_D_SIM],
    ['llama-server', LLAMA_SERVER],
  ])('%s are those of the table', (name, { metrics }) => {
    const scrape = page(name)
    const roles = Object.values(metrics?.sources ?? {}).flatMap((source) =>
      source === null ? [] : [source.names[0] ?? '', ...(source.plus ?? [])],
    )
    const config = metrics?.cacheConfig
    const labels = [config?.blockTokens, config?.blocks, config?.tokens, metrics?.finished?.labels[0]]
    const names = [...roles, metrics?.finished?.names[0], config?.name].filter((one) => one !== undefined)
    expect(roles.length).toBeGreaterThan(4)
    expect(names.filter((one) => !new RegExp(`^${one}[{ ]`, 'm').test(scrape))).toEqual([])
    expect(labels.filter((label) => label && !scrape.includes(`${label}="`))).toEqual([])
  })

  it('count a prompt whole where an engine counts its parts apart', () => {
    // 512 tokens were sent between the two, of which 511 came from the cache.
    const before = { 'llamacpp:prompt_tokens_total': 658, 'llamacpp:prompt_tokens_cached_total': 761 }
    const after = { 'llamacpp:prompt_tokens_total': 659, 'llamacpp:prompt_tokens_cached_total': 1272 }
    const { promptTokens, promptTokensCached } = LLAMA_SERVER.metrics?.sources ?? {}
    if (!promptTokens || !promptTokensCached) throw new Error('the table lacks them')
    const rise = (source: MetricSource) => counterRise({ atUs: 0, values: before }, { atUs: 1, values: after }, source)
    expect(rise(promptTokens)).toEqual({ state: 'risen', by: 512 })
    expect(rise(promptTokensCached)).toEqual({ state: 'risen', by: 511 })
    expect(readMetric(after, promptTokens)).toBe(1931)
    const older = { 'llamacpp:prompt_tokens_total': 659 }
    expect(readMetric(older, promptTokens)).toBeNull()
    expect(counterRise({ atUs: 0, values: older }, { atUs: 1, values: older }, promptTokens)).toEqual({
      state: 'absent',
    })
  })
})
