import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generatedArguments, ownedArgumentsIn } from '../../../src/core/dialect/arguments.ts'
import { dialectFor } from '../../../src/core/dialect/choose.ts'
import { FIXTURE } from '../../../src/core/dialect/fixture-table.ts'
import { metricNames } from '../../../src/core/dialect/metric-names.ts'
import { OPENAI } from '../../../src/core/dialect/openai-table.ts'
import { dialectOverrideSchema } from '../../../src/core/dialect/override-schema.ts'
import { VLLM } from '../../../src/core/dialect/vllm-table.ts'
import { denseInput, denseManifest } from './dense-manifest.ts'

const speaking = (dialect: unknown, name = 'acme') => dialectFor({ engine: { name, dialect } })
const argumentsFor = (dialect: unknown) => generatedArguments(speaking(dialect), denseInput, { port: 8002, replica: 2 })

describe('a dialect that a manifest states', () => {
  it('is its base but for what it states', () => {
    const plain = speaking({ base: 'vllm' })
    const { id, title, names, ...rest } = plain
    const { id: _id, title: _title, names: _names, ...base } = VLLM
    expect(rest).toEqual(base)
    expect(id).toMatch(/^vllm\+[0-9a-f]{8}$/)
    expect([title, names]).toEqual(['vLLM, as the manifest overrides it', []])
  })

  it('has an id of its own for each override, which still names its base', () => {
    const ids = [{ base: 'vllm' }, { base: 'vllm', paths: { metrics: '/m' } }, { base: 'sglang' }].map(
      (dialect) => speaking(dialect).id,
    )
    expect(new Set(ids).size).toBe(3)
    expect(dialectFor({ engine: { dialect: ids[1] } })).toBe(VLLM)
    expect(speaking({ paths: { metrics: '/m' }, base: 'vllm' }).id).toBe(ids[1])
  })

  it('takes paths, health, version, reset, header and fields from it', () => {
    const dialect = speaking({
      base: 'vllm',
      title: 'Acme Serve',
      paths: { metrics: '/stats', chat: '/v2/chat' },
      health: { path: '/status', field: 'state.now', healthy: ['ready'] },
      version: [{ path: '/about', field: 'build.tag' }],
      reset: { paths: ['/cache/wipe'], reading: { by: 'status', done: [204] } },
      request_id_header: 'X-Acme-Trace-Id',
      connection: { closes_after_ms: 30_000 },
      request: { max_tokens: 'n_out', min_tokens: null, ignore_eos: 'exact' },
      environment: { ACME_PROBES: '1' },
      stop: { signal: 'SIGINT' },
    })
    expect(dialect).toMatchObject({
      title: 'Acme Serve',
      paths: { metrics: '/stats', chat: '/v2/chat', models: '/v1/models', completions: '/v1/completions' },
      health: { path: '/status', field: 'state.now', healthy: ['ready'] },
      version: [{ path: '/about', field: 'build.tag' }],
      reset: { method: 'POST', paths: ['/cache/wipe'], reading: { by: 'status', done: [204], refused: [] } },
      requestIdHeader: 'X-Acme-Trace-Id',
      connection: { closesAfterMs: 30_000, environmentSeconds: 'VLLM_HTTP_TIMEOUT_KEEP_ALIVE' },
      request: {
        maxTokens: { completions: 'n_out', chat: 'max_completion_tokens' },
        minTokens: null,
        ignoreEos: 'exact',
        cacheSalt: 'cache_salt',
      },
      environment: { VLLM_SERVER_DEV_MODE: '1', ACME_PROBES: '1' },
      stop: { signal: 'SIGINT', workersOutliveServer: true },
    })
    expect(speaking({ base: 'vllm', reset: null, request_id_header: null })).toMatchObject({
      reset: null,
      requestIdHeader: null,
    })
  })

  it('takes renamed metrics, those that are no more, and units', () => {
    const dialect = speaking({
      base: 'vllm',
      metrics: {
        waiting: { names: ['acme:queued', 'acme:waiting'] },
        preemptions: null,
        prefix_hits: { names: ['acme:hit_blocks_total'], unit: 'blocks' },
        prompt_tokens: { names: ['acme:fresh_total'], plus: ['acme:cached_total'] },
        cache_config: { name: 'acme:kv_info', block_tokens: 'page', blocks: 'pages' },
      },
      stability: [{ id: 'evictions', names: ['acme:evictions_total'], on_rise: 'fail', title: 'evictions' }],
    })
    expect(dialect.metrics?.sources).toMatchObject({
      running: { names: ['vllm:num_requests_running'] },
      waiting: { names: ['acme:queued', 'acme:waiting'], kind: 'gauge', unit: 'requests', across: 'sum' },
      preemptions: null,
      prefixHits: { names: ['acme:hit_blocks_total'], kind: 'counter', unit: 'blocks' },
      promptTokens: { plus: ['acme:cached_total'] },
    })
    expect(dialect.metrics?.cacheConfig).toEqual({
      name: 'acme:kv_info',
      blockTokens: 'page',
      blocks: 'pages',
      tokens: null,
    })
    expect(dialect.stability).toEqual([
      {
        id: 'evictions',
        names: ['acme:evictions_total'],
        labels: {},
        onRise: 'fail',
        blames: 'engine',
        title: 'evictions',
      },
    ])
    expect([...metricNames(dialect)]).toEqual(
      expect.arrayContaining(['acme:queued', 'acme:cached_total', 'acme:evictions_total', 'acme:kv_info']),
    )
    expect(speaking({ base: 'vllm', metrics: null }).metrics).toBeNull()
    const fromNothing = speaking({ base: 'openai', metrics: { kv_usage: { names: ['kv'] } } }).metrics?.sources
    expect(fromNothing).toMatchObject({ waiting: null, kvUsage: { unit: 'share', across: 'max', kind: 'gauge' } })
  })

  it('states arguments as data, generated and refused like any other', () => {
    const override = {
      base: 'openai',
      arguments: {
        add: [
          { long: 'weights', aliases: ['-w'], owner: 'model.id', value: { of: 'model.id' } },
          { long: 'shards', owner: 'engine.placement.tp', value: { of: 'engine.placement.tp' } },
          { long: 'kv', owner: 'model.kv_cache_dtype', value: { of: 'model.kv_cache_dtype', words: { auto: 'same' } } },
          {
            long: 'no_reuse',
            takes_value: false,
            owner: 'engine.prefix_cache',
            value: { prefix_cache: { enabled: null, disabled: true } },
          },
          { long: 'probe', takes_value: false, owner: 'the gate', value: { flag: true } },
          { long: 'listen', owner: 'engine.deploy.first_port', value: { of: 'port' } },
        ],
      },
    }
    expect(argumentsFor(override)).toEqual([
      '--weights',
      'acme/dense-70b',
      '--shards',
      '2',
      '--kv',
      'same',
      '--probe',
      '--listen',
      '8002',
    ])
    const used = ownedArgumentsIn(speaking(override), ['-w', 'evil', '--no-reuse', '--shards=8', '--fine'])
    expect(used.map(({ owner }) => owner)).toEqual(['model.id', 'engine.prefix_cache', 'engine.placement.tp'])
  })

  it('renames and takes away a base’s arguments', () => {
    const renamed = {
      base: 'vllm',
      arguments: {
        remove: ['kv-cache-dtype'],
        add: [{ long: 'max_model_len', owner: 'model.max_model_len', value: { text: '7' } }],
      },
    }
    const args = argumentsFor(renamed)
    expect(args).not.toContain('--kv-cache-dtype')
    expect(args).not.toContain('--max-model-len')
    expect(args.slice(-2)).toEqual(['--max_model_len', '7'])
  })

  it('cannot make a simulation a measurement, or the other way round', () => {
    expect(speaking({ base: 'fixture', title: 'real' }).simulated).toBe(true)
    expect(speaking({ base: 'vllm' }, 'fixture').simulated).toBe(false)
    expect(dialectOverrideSchema.safeParse({ base: 'fixture', simulated: false }).success).toBe(false)
  })

  it('falls back to the name where it is not well-formed', () => {
    expect(speaking({ base: 'vllm', paths: { metrics: 'http://elsewhere/' } }, 'fixture')).toBe(FIXTURE)
    expect(speaking(['vllm'])).toBe(OPENAI)
    expect(speaking(null, 'vllm')).toBe(VLLM)
    expect(speaking({ base: 'nothing-known' }, 'vllm').id).toMatch(/^vllm\+/)
  })
})

describe('hostile input', () => {
  it.each([
    ['another host', { paths: { metrics: '//evil.example/metrics' } }],
    ['a whole URL', { paths: { metrics: 'http://evil.example/metrics' } }],
    ['no path', { paths: { chat: 'chat' } }],
    ['a way up', { paths: { models: '/v1/../admin' } }],
    ['a fragment', { paths: { models: '/v1/models#x' } }],
    ['a line end', { paths: { models: '/v1/models\r\nhost: evil' } }],
    ['a blank', { health: { path: '/health check' } }],
    ['too long a path', { health: { path: `/${'a'.repeat(300)}` } }],
    ['a header with a meaning of its own', { request_id_header: 'authorization' }],
    ['a header with a line end', { request_id_header: 'x-id\r\nx-evil: 1' }],
    ['a field that the client sets itself', { request: { min_tokens: 'stream' } }],
    ['a prototype', { request: { min_tokens: '__proto__' } }],
    ['a prototype on the way', { version: [{ path: '/v', field: 'a.__proto__.b' }] }],
    ['a metric name with blanks', { metrics: { waiting: { names: ['up == 1'] } } }],
    ['no metric name', { metrics: { waiting: { names: [] } } }],
    ['an argument with a shell’s signs', { arguments: { add: [{ long: 'a; rm -rf /', owner: 'the gate' }] } }],
    [
      'an argument’s value with a line end',
      { arguments: { add: [{ long: 'a', owner: 'the gate', value: { text: 'a\nb' } }] } },
    ],
    ['a value from nowhere', { arguments: { add: [{ long: 'a', owner: 'the gate', value: { of: 'env.HOME' } }] } }],
    ['a variable’s name with an equals sign', { environment: { 'A=B': '1' } }],
    [
      'thousands of names',
      { metrics: { waiting: { names: Array.from({ length: 5000 }, (_, index) => `m${index}`) } } },
    ],
    ['a status that is none', { reset: { paths: ['/r'], reading: { by: 'status', done: [9999] } } }],
    ['an unknown key', { paths: { metric: '/metrics' } }],
    ['another signal', { stop: { signal: 'SIGKILL' } }],
  ])('%s is refused', (_what, rest) => {
    expect(dialectOverrideSchema.safeParse({ base: 'vllm', ...rest }).success).toBe(false)
  })

  it('never throws, whatever the mapping holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const dialect = speaking({ base: 'vllm', paths: a, metrics: b, request: a, arguments: b })
        expect(dialect.paths.models.startsWith('/')).toBe(true)
      }),
    )
  })
})

describe('in a manifest', () => {
  it('belongs to the experiment, and a good one is accepted', () => {
    const [plain, stated] = [denseManifest('vllm'), denseManifest('{base: vllm, paths: {metrics: /stats}}')]
    expect([plain.findings, stated.findings]).toEqual([[], []])
    expect(stated.identity?.experiment.sha256).not.toBe(plain.identity?.experiment.sha256)
    expect(stated.identity?.subject.sha256).toBe(plain.identity?.subject.sha256)
  })

  it.each([
    ['{base: vllm, paths: {metric: /stats}}', 'engine.dialect.paths.metric', /not known in `engine\.dialect\.paths`/],
    ['{base: vllm, path: {metrics: /stats}}', 'engine.dialect.path', /not known in `engine\.dialect`/],
    ['{base: vllm, paths: {metrics: stats}}', 'engine.dialect.paths.metrics', /wrong form/],
    ['{paths: {metrics: /stats}}', 'engine.dialect.base', /missing/],
    ['[vllm]', 'engine.dialect', /in none of the forms/],
  ])('%s is told at its place', (dialect, path, says) => {
    const { findings } = denseManifest(dialect)
    expect(findings.map((finding) => finding.path)).toEqual([path])
    expect(findings[0]?.message).toMatch(says)
    expect(findings[0]?.hint).not.toMatch(/: \.$|Known keys: \./)
  })

  it('is not the subject’s to change', () => {
    const changed = denseManifest('{base: vllm, paths: {metrics: /stats}}', 'engine: {dialect: {base: vllm}}')
    expect(changed.findings.map((finding) => finding.message)).toEqual([expect.stringMatching(/experiment field/)])
    expect(denseManifest('{base: vllm, paths: {metrics: /stats}}', 'engine: {name: other}').findings).toEqual([])
  })
})
