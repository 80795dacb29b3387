import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DIALECTS, dialectFor, idleConnectionMs, isSimulated } from '../../../src/core/dialect/choose.ts'
import { METRIC_ROLES } from '../../../src/core/dialect/dialect.ts'
import { OPENAI } from '../../../src/core/dialect/openai-table.ts'
import { VLLM } from '../../../src/core/dialect/vllm-table.ts'

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
  ])('engine %s with dialect %s speaks %s', (name, dialect, id) => {
    expect(dialectFor({ engine: { name, dialect } }).id).toBe(id)
  })

  it('calls only the embedded engine simulated', () => {
    expect(DIALECTS.filter((dialect) => dialect.simulated).map((dialect) => dialect.id)).toEqual(['fixture'])
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
  it.each(DIALECTS)('of $id have distinct arguments and absolute paths', (dialect) => {
    const names = dialect.arguments.flatMap((argument) => [argument.long, ...argument.aliases])
    expect(new Set(names).size).toBe(names.length)
    const { version, metrics, ...paths } = dialect.paths
    for (const path of [...Object.values(paths), version?.path ?? '/', metrics ?? '/', dialect.reset?.path ?? '/']) {
      expect(path).toMatch(/^\//)
    }
  })

  it('name every metric role, with wire names of counters that end in _total', () => {
    expect(Object.keys(VLLM.metrics?.sources ?? {})).toEqual([...METRIC_ROLES])
    for (const source of Object.values(VLLM.metrics?.sources ?? {})) {
      for (const name of source?.names ?? []) expect(name.endsWith('_total')).toBe(source?.kind === 'counter')
    }
  })
})

describe('the names that vLLM was seen to send', () => {
  const scrape = readFileSync(new URL('../../../fixtures/metrics/vllm-idle.txt', import.meta.url), 'utf8')
  it('are those of the table', () => {
    const roles = Object.values(VLLM.metrics?.sources ?? {}).map((source) => source?.names[0] ?? '')
    const config = VLLM.metrics?.cacheConfig
    const labels = [config?.blockTokens, config?.blocks, config?.tokens].map((label) => `${label}="`)
    const names = [...roles, ...(VLLM.metrics?.finished?.names ?? []), config?.name ?? '']
    expect(names.filter((name) => !scrape.includes(`\n${name}{`))).toEqual([])
    expect(labels.filter((label) => !scrape.includes(label))).toEqual([])
  })
})
