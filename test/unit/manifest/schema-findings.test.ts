import { describe, expect, it } from 'vitest'
import { edited, errors, marked, packManifest, read } from './marked-manifests.ts'

/** What, passage, its replacement (`§` where the finding points), rule, path, message, hint. */
const CASES: readonly [string, string, string, string, string, RegExp, RegExp][] = [
  [
    'a missing key',
    '  streaming: true\n',
    '',
    'missing-field',
    'client.streaming',
    /is missing/,
    /`streaming`: Always true/,
  ],
  [
    'a missing section',
    'acceptance:\n',
    '§acceptence:\n',
    'unknown-field',
    'acceptence',
    /"acceptence" is not known at the top level/,
    /Did you mean `acceptance`/,
  ],
  [
    'a misspelt key',
    'request_timeout_seconds: 120',
    '§request_timeout_second: 120',
    'unknown-field',
    'client.request_timeout_second',
    /not known in `client`/,
    /Did you mean `request_timeout_seconds`/,
  ],
  [
    'a key in another style',
    'warmup_seconds: 60',
    '§warmupSeconds: 60',
    'unknown-field',
    'client.warmupSeconds',
    /not known/,
    /Did you mean `warmup_seconds`/,
  ],
  [
    'a key in the wrong section',
    'location: loadgen',
    '§error_rate_max: 0.01\n  location: loadgen',
    'unknown-field',
    'client.error_rate_max',
    /not known/,
    /belongs in `acceptance`/,
  ],
  [
    'a key that is nothing',
    'location: loadgen',
    '§flux_capacitor: 1\n  location: loadgen',
    'unknown-field',
    'client.flux_capacitor',
    /not known/,
    /Known keys: location, streaming/,
  ],
  [
    'an unknown key in a class',
    'mix: 0.20,',
    'mix: 0.20, §weight: 2,',
    'unknown-field',
    'workload[1].weight',
    /in `workload\[1\]`/,
    /Remove it/,
  ],
  [
    'a number that is a text',
    'version: "1.0"',
    'version: §1.10',
    'wrong-type',
    'engine.version',
    /is 1\.1 where text is expected/,
    /Quote it: "1\.10"/,
  ],
  [
    'a text that is a number',
    'warmup_seconds: 60',
    'warmup_seconds: §"60"',
    'wrong-type',
    'client.warmup_seconds',
    /the text "60" where a number/,
    /Remove the quotes: 60/,
  ],
  [
    'a value left out',
    'warmup_seconds: 60',
    '§warmup_seconds:',
    'wrong-type',
    'client.warmup_seconds',
    /is empty where a number/,
    /after the colon/,
  ],
  [
    'a fraction',
    'request_schedule_seed: 20260911',
    'request_schedule_seed: §0.5',
    'wrong-type',
    'client.request_schedule_seed',
    /0\.5 where a whole number/,
    /whole number/,
  ],
  [
    'a number beyond doubles',
    'maximum_duration_seconds: 3600',
    'maximum_duration_seconds: §.inf',
    'wrong-type',
    'client.maximum_duration_seconds',
    /where a number/,
    /number/,
  ],
  [
    'not a number',
    'class_slo_attainment_min: 0.95',
    'class_slo_attainment_min: §.nan',
    'wrong-type',
    'acceptance.class_slo_attainment_min',
    /NaN where a number/,
    /number/,
  ],
  [
    'a mapping where a list is expected',
    'workload:\n',
    'workload:\n  §x: 1\nworkloads:\n',
    'wrong-type',
    'workload',
    /a mapping where a list/,
    /a list/,
  ],
  [
    'a percentage',
    'class_slo_attainment_min: 0.95',
    'class_slo_attainment_min: §95',
    'out-of-range',
    'acceptance.class_slo_attainment_min',
    /at most 1/,
    /95 % is 0\.95/,
  ],
  [
    'a duration of nothing',
    'maximum_duration_seconds: 3600',
    'maximum_duration_seconds: §0',
    'out-of-range',
    'client.maximum_duration_seconds',
    /more than 0/,
    /more than 0/,
  ],
  [
    'a negative share',
    'error_rate_max: 0.01',
    'error_rate_max: §-0.01',
    'out-of-range',
    'acceptance.error_rate_max',
    /at least 0/,
    /at least 0/,
  ],
  ['an empty text', 'precision: bf16', 'precision: §""', 'out-of-range', 'model.precision', /is empty/, /value/],
  [
    'a misspelt choice',
    'arrival_pattern: poisson',
    'arrival_pattern: §poison',
    'not-a-choice',
    'client.arrival_pattern',
    /allowed: poisson, constant/,
    /Did you mean poisson/,
  ],
  [
    'a boolean for a choice',
    'prefix_cache: enabled',
    'prefix_cache: §true',
    'not-a-choice',
    'engine.prefix_cache',
    /true; allowed: enabled, disabled/,
    /one of/,
  ],
  [
    'a class name with a space',
    'name: long_context',
    'name: §long context',
    'wrong-format',
    'workload[1].name',
    /"long context"/,
    /letters, digits/,
  ],
  [
    'an unknown way to deploy',
    'prefix_cache: enabled',
    'deploy: {kind: §kubernetes}\n  prefix_cache: enabled',
    'not-a-choice',
    'engine.deploy.kind',
    /allowed: docker, process, endpoint/,
    /one of/,
  ],
  [
    'a deployment without kind',
    'prefix_cache: enabled',
    '§deploy: {image: x}\n  prefix_cache: enabled',
    'missing-field',
    'engine.deploy.kind',
    /missing/,
    /kind/,
  ],
  [
    'a name that is no variable',
    'prefix_cache: enabled',
    'deploy: {kind: process, argv: [x], env: {§a-b: "1"}}\n  prefix_cache: enabled',
    'wrong-format',
    'engine.deploy.env.a-b',
    /no name of an environment variable/,
    /letters/,
  ],
  [
    'a name that is no header’s',
    'automatic_retries: false',
    'automatic_retries: false\n  connection: {headers: {§"X Tenant": blue}}',
    'wrong-format',
    'client.connection.headers["X Tenant"]',
    /"X Tenant" is no name of a header/,
    /letters, digits and !/,
  ],
  [
    'an argument that is a number',
    'prefix_cache: enabled',
    'deploy: {kind: process, argv: [x, --port, §8000]}\n  prefix_cache: enabled',
    'wrong-type',
    'engine.deploy.argv[2]',
    /8000 where text/,
    /Quote it: "8000"/,
  ],
  [
    'GPUs in no known form',
    'prefix_cache: enabled',
    'deploy: {kind: docker, image: "x:1", gpus: §all}\n  prefix_cache: enabled',
    'wrong-type',
    'engine.deploy.gpus',
    /none of the forms/,
    /GPUs, or auto/,
  ],
  [
    'a range of one',
    'precision: bf16',
    'precision: bf16\n  prompt_token_ids: §[1000]',
    'out-of-range',
    'model.prompt_token_ids',
    /1 entries; at least 2/,
    /from, to/,
  ],
]

describe('what the schema asks', () => {
  it.each(CASES)('%s', (_what, from, to, rule, path, says, hint) => {
    const { text, line, column } = marked(edited(packManifest('worked-example'), from, to))
    const { findings, manifest } = read(text)
    const found = findings.find((finding) => finding.path === path)
    const place = [found?.line, found?.column]
    expect(findings.map((finding) => `${finding.rule} ${finding.path}`)).toContain(`${rule} ${path}`)
    expect(found?.message).toMatch(says)
    expect(found?.hint).toMatch(hint)
    expect(place).toEqual(to.includes('§') ? [line, column] : place)
    expect(manifest).toBeNull()
  })

  it('tells everything at once, schema and rules together, in the order of the file', () => {
    const broken = [
      ['revision: dense-70b-fixture-r1', 'revision: latest'],
      ['arrival_pattern: poisson', 'arrival_pattern: sinus'],
      ['warmup_seconds: 60', 'warmup_seconds: 0'],
      ['automatic_retries: false', 'automatic_retries: 3'],
      ['mix: 0.70', 'mix: 0.60'],
      ['  target_utilization: 0.75', '  targetutilization: 0.75'],
    ].reduce((text, [from = '', to = '']) => edited(text, from, to), packManifest('worked-example'))
    const { findings } = read(broken)
    expect(findings.map((finding) => finding.rule)).toEqual([
      'mutable-revision',
      'not-a-choice',
      'count-mix',
      'no-warm-up',
      'retries-on',
      'mix-sum',
      'unknown-field',
    ])
    const lines = findings.map((finding) => finding.line)
    expect(lines).toEqual(lines.toSorted((a, b) => a - b))
  })

  it('tells a misspelt key once, by its own place and the one that was meant', () => {
    const { text, line, column } = marked(edited(packManifest('worked-example'), '\nacceptance:', '\n§acceptence:'))
    const { findings } = read(text)
    expect(findings).toMatchObject([{ rule: 'unknown-field', line, column, hint: 'Did you mean `acceptance`?' }])
  })

  it('takes no key that stands there for the one that was meant', () => {
    const written = edited(packManifest('worked-example'), '  target_utilization: 0.75', '  target_utilisations: 0.75')
    const twice = edited(
      packManifest('worked-example'),
      '  target_utilization: 0.75',
      '  target_utilization: 0.75\n  target_utilizations: 1',
    )
    expect(read(written).findings).toMatchObject([{ hint: 'Did you mean `target_utilization`?' }])
    expect(read(twice).findings).toMatchObject([{ rule: 'unknown-field', hint: /^Remove it. Known keys: / }])
  })

  it('speaks no word of the library that checks', () => {
    const bad =
      'model: 1\nengine: []\nclient: {streaming: maybe}\nworkload: {}\nacceptance: null\nsweep: {rates_rps: [a]}\n'
    for (const { message, hint } of read(bad).findings) {
      expect(`${message} ${hint}`).not.toMatch(
        /zod|invalid input|received|undefined|\bobject\b|\bstring\b|unrecognized/i,
      )
    }
    expect(errors(read(bad).findings)).not.toEqual([])
  })

  it('never repeats a secret, wherever it stands', () => {
    const token = ['ghp', 'Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2'].join('_')
    for (const from of [
      'poisson',
      'bf16',
      'dense-70b-fixture-r1',
      'streaming',
      'warmup_seconds: 60',
      'enabled',
      '"1.0"',
    ]) {
      const { findings } = read(edited(packManifest('worked-example'), from, token), 'deployable')
      expect(JSON.stringify(findings)).not.toContain(token)
      expect(errors(findings)).not.toEqual([])
    }
  })

  it('never repeats a number under the name of a secret', () => {
    const { findings } = read(
      edited(packManifest('h100-vllm'), 'VLLM_HTTP_TIMEOUT_KEEP_ALIVE: "75"', 'API_KEY: 98765432109'),
    )
    expect(JSON.stringify(findings)).not.toContain('98765432109')
    expect(errors(findings)).toEqual(['secret-in-plain-text'])
  })
})
