import { describe, expect, it } from 'vitest'
import { identify } from '../../../src/core/manifest/identity.ts'
import { edited, errors, marked, packManifest, read } from './marked-manifests.ts'

const h100 = packManifest('h100-vllm')
const image = `vllm/vllm-openai@sha256:${'b2'.repeat(32)}`

function overridden(subject: string) {
  return read(h100, 'deployable', subject)
}

describe('a subject override', () => {
  it('changes subject fields: mappings deeply, lists as a whole', () => {
    const { findings, manifest } = overridden(
      `engine:\n  version: "0.33.0"\n  deploy: {image: "${image}", args: [--block-size, "32"], env: {VLLM_USE_V2: "1"}}\n`,
    )
    expect(findings).toEqual([])
    expect(manifest?.engine.version).toBe('0.33.0')
    expect(manifest?.engine.deploy).toMatchObject({
      kind: 'docker',
      image,
      args: ['--block-size', '32'],
      env: { VLLM_HTTP_TIMEOUT_KEEP_ALIVE: '75', VLLM_USE_V2: '1' },
      weights: '/data/hf',
    })
  })

  it('leaves the experiment as it was, and makes another subject', () => {
    const [before, after] = [read(h100).manifest, overridden('engine: {version: "0.33.0"}').manifest]
    const [was, now] = [before && identify(before), after && identify(after)]
    expect(now?.experiment).toEqual(was?.experiment)
    expect(now?.subject.sha256).not.toBe(was?.subject.sha256)
  })

  it.each(['toString: 1', 'engine: {hasOwnProperty: 1}', 'engine: {deploy: {valueOf: {a: 1}}}'])(
    'refuses a key that every object has: %s',
    (subject) => {
      const { findings, manifest } = overridden(subject)
      expect(manifest).toBeNull()
      expect(errors(findings)).toEqual(['unknown-field'])
    },
  )

  it('cannot set arguments free by another engine name', () => {
    const smuggled = overridden('engine: {name: other, deploy: {args: [--model, acme/other]}}')
    expect(smuggled.manifest).toBeNull()
    expect(errors(smuggled.findings)).toEqual(['override-not-subject'])
    expect(smuggled.findings.at(-1)).toMatchObject({ path: 'subject override: engine.name', line: 1, column: 16 })
    expect(overridden('engine: {name: VLLM}').findings).toEqual([])
  })

  it('may name another engine of the dialect that the manifest states', () => {
    const stated = edited(h100, '  name: vllm\n', '  name: vllm\n  dialect: vllm\n')
    expect(read(stated, 'deployable', 'engine: {name: our-fork}').findings).toEqual([])
  })

  it('replaces a mapping of another kind', () => {
    const { findings, manifest } = overridden('engine: {deploy: {router: {kind: external, url: "http://router:80"}}}')
    expect(findings).toEqual([])
    expect(manifest?.engine.deploy?.router).toEqual({ kind: 'external', url: 'http://router:80' })
  })

  it.each([
    [
      'an experiment field',
      'model: {§precision: fp8}',
      'override-not-subject',
      'model.precision',
      /an experiment field/,
    ],
    ['a workload', '§workload: []', 'override-not-subject', 'workload', /subject fields only/],
    [
      'an operation field',
      'engine: {deploy: {§first_port: 9000}}',
      'override-not-subject',
      'engine.deploy.first_port',
      /an operation field/,
    ],
    ['a note', '§cutoff: 2026-01-01', 'override-not-subject', 'cutoff', /a note field/],
    ['the whole engine', '§engine: vllm', 'override-not-subject', 'engine', /as a whole/],
    ['an unknown field', 'engine: {§verison: "1"}', 'unknown-field', 'engine.verison', /not known/],
    ['a mutable version', 'engine: {version: §nightly}', 'mutable-revision', 'engine.version', /"nightly"/],
    [
      'an owned argument',
      'engine: {deploy: {args: [§--dtype, half]}}',
      'owned-argument',
      'engine.deploy.args[0]',
      /model\.precision/,
    ],
    ['a wrong type', 'engine: {version: §0.33}', 'wrong-type', 'engine.version', /0\.33 where text/],
  ])('may not hold %s', (_what, source, rule, path, says) => {
    const { text, line, column } = marked(source)
    const { findings, manifest } = overridden(text)
    expect(manifest).toBeNull()
    const found = findings.find((finding) => finding.rule === rule)
    expect(found).toMatchObject({ path: `subject override: ${path}`, line, column })
    expect(found?.message).toMatch(says)
  })

  it('is read as carefully as the manifest', () => {
    expect(overridden('engine: [').findings[0]).toMatchObject({ rule: 'yaml-syntax', path: 'subject override' })
    expect(errors(overridden('').findings)).toEqual(['file-empty'])
    expect(errors(overridden('- a').findings)).toEqual(['yaml-not-a-mapping'])
  })

  it('keeps the places of what it does not touch', () => {
    const { text, line, column } = marked(edited(h100, 'warmup_seconds: 60', 'warmup_seconds: §0'))
    const { findings } = read(text, 'valid', 'engine: {version: "0.33.0"}')
    expect(findings).toMatchObject([{ rule: 'no-warm-up', path: 'client.warmup_seconds', line, column }])
  })
})
