import { describe, expect, it } from 'vitest'
import { LINT_RULES, RULE_THEMES } from '../../../src/core/manifest/rules/all-rules-table.ts'
import { ENGINE_RULE_CASES } from './engine-rule-cases.ts'
import { LOAD_RULE_CASES } from './load-rule-cases.ts'
import { edited, errors, marked, packManifest, read } from './marked-manifests.ts'
import { PINNING_RULE_CASES } from './pinning-rule-cases.ts'
import { RULE_CASES } from './rule-cases.ts'

const CASES = [...PINNING_RULE_CASES, ...RULE_CASES, ...ENGINE_RULE_CASES, ...LOAD_RULE_CASES]

describe('the packs', () => {
  it('accepts the worked example as it stands, without a word', () => {
    const { findings, manifest } = read(packManifest('worked-example'))
    expect(findings).toEqual([])
    expect(manifest?.workload.map((shape) => shape.name)).toEqual(['interactive', 'long_context', 'generation_heavy'])
    expect(manifest?.acceptance.capacity_tolerance).toBe(0.04)
  })

  it.each(['h100-vllm', 'embedded'] as const)('accepts %s as deployable, without a word', (pack) => {
    const { findings, manifest } = read(packManifest(pack), 'deployable')
    expect(findings).toEqual([])
    expect(manifest).not.toBeNull()
  })

  it('says what the worked example lacks to be deployed', () => {
    const { findings, manifest } = read(packManifest('worked-example'), 'deployable')
    expect(manifest).toBeNull()
    expect(errors(findings).toSorted()).toEqual([
      'cache-not-declared',
      'deploy-not-declared',
      'prompt-ids-not-declared',
      'revision-not-pinned',
      'revision-not-pinned',
      'sweep-not-declared',
    ])
  })
})

describe('each rule', () => {
  it.each(CASES.map((entry) => [entry.rule, entry.to.replaceAll(/\s+/g, ' ').slice(0, 60), entry] as const))(
    '%s: %s',
    (_rule, _edit, entry) => {
      const { text, line, column } = marked(edited(packManifest(entry.pack), entry.from, entry.to))
      const { findings, manifest } = read(text, entry.level)
      const found = findings.find((finding) => finding.rule === entry.rule && finding.path === entry.path)
      const place = [found?.line, found?.column]
      expect(findings.map((finding) => `${finding.rule} ${finding.path}`)).toContain(`${entry.rule} ${entry.path}`)
      expect(found?.message).toMatch(entry.says)
      expect(found?.hint).not.toBe('')
      expect(place).toEqual(entry.to.includes('§') ? [line, column] : place)
      const expected = [...(found?.severity === 'error' ? [entry.rule] : []), ...(entry.also ?? [])]
      expect(errors(findings).toSorted()).toEqual(expected.toSorted())
      expect(manifest === null).toBe(expected.length > 0)
    },
  )

  it('is broken by at least one case', () => {
    const broken = new Set(CASES.map((entry) => entry.rule))
    expect(LINT_RULES.map((rule) => rule.id).filter((id) => !broken.has(id))).toEqual([])
  })

  it('is asked at its own level only', () => {
    const deployable = LINT_RULES.filter((rule) => rule.level === 'deployable').map((rule) => rule.id)
    for (const entry of CASES.filter(({ rule }) => deployable.includes(rule))) {
      const { text } = marked(edited(packManifest(entry.pack), entry.from, entry.to))
      expect(read(text, 'valid').findings.map((finding) => finding.rule)).not.toContain(entry.rule)
    }
  })

  it('has an id of its own, in kebab-case, and says why and how to mend it', () => {
    const rules = RULE_THEMES.flatMap((theme) => theme.rules)
    expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length)
    for (const rule of rules) {
      expect(rule.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect([rule.title, rule.why, rule.mend].every((text) => text.length > 7)).toBe(true)
    }
  })
})

describe('values at the edge', () => {
  const h100 = packManifest('h100-vllm')
  it.each([
    ['the lowest rate at which the schedule fits', 'rates_rps: [16, 20, 24, 28]', 'rates_rps: [6.112, 28]'],
    ['a schedule that just lasts the minimum', 'rates_rps: [16, 20, 24, 28]', 'rates_rps: [16, 73.333]'],
    [
      'counts that rounding explains',
      '{interactive: 15400, long_context: 4400',
      '{interactive: 15400.0, long_context: 4400',
    ],
    ['a class exactly as long as the model', 'input_tokens: 8192', 'input_tokens: 8193'],
    ['a timeout of exactly the slowest request', 'request_timeout_seconds: 120', 'request_timeout_seconds: 46.88'],
    ['names that only look mutable', 'version: "0.32.0"', 'version: "0.29.1rc1.dev347+gdee37d891"'],
    [
      'an image tag that names a commit',
      'vllm/vllm-openai@sha256:3c1f7a5e9b2d4068acef13579bdf02468ace13579bdf02468ace0f1e2d3c4b5a',
      `vllm/vllm-openai:nightly-${'a1'.repeat(20)}`,
    ],
    ['environment that only looks secret', 'VLLM_HTTP_TIMEOUT_KEEP_ALIVE: "75"', 'MAX_NUM_BATCHED_TOKENS: "8192"'],
    [
      'arguments that start like owned ones and go on',
      '[--max-num-seqs, "256"]',
      '[--max-num-batched-tokens, "8192", --block-size, "16"]',
    ],
  ])('accepts %s', (_what, from, to) => {
    expect(errors(read(edited(h100, from, to)).findings)).toEqual([])
  })

  it('counts every committed extension block towards the floor', () => {
    const text = edited(h100, 'min_successful_samples_per_class: 2000', 'min_successful_samples_per_class: 2600')
    expect(errors(read(text).findings)).toEqual(['sample-floor-unreachable'])
    const extended = edited(text, 'extension_requests: 2000', 'extension_requests: 2000\n  extension_blocks: 3')
    expect(errors(read(extended).findings)).toEqual([])
  })

  it('takes an E2E cutoff for the slowest admissible request where it is shorter', () => {
    const capped = edited(
      h100,
      'request_tpot_cutoff_ms: 45}',
      'request_tpot_cutoff_ms: 45, request_e2e_cutoff_ms: 20000}',
    )
    const short = edited(capped, 'request_timeout_seconds: 120', 'request_timeout_seconds: 20')
    expect(errors(read(short).findings)).toEqual([])
  })

  it('leaves the configuration of enabled speculative decoding to the subject', () => {
    const enabled = edited(h100, 'speculative_decoding: disabled', 'speculative_decoding: enabled')
    const configured = edited(enabled, 'args: [', `args: [--speculative-config, '{"method": "ngram"}', `)
    expect(read(configured, 'deployable').findings).toEqual([])
  })

  it('asks nothing of the placement at gpus 0', () => {
    const text = edited(packManifest('embedded'), 'dp: 2, replicas: 2', 'dp: 7, replicas: 2')
    expect(read(text, 'deployable').findings).toEqual([])
  })

  it('names the lowest admissible rates of the worked example', () => {
    const text = edited(h100, 'rates_rps: [16, 20, 24, 28]', 'rates_rps: [5, 20]')
    const hints = read(text).findings.map((finding) => finding.hint)
    expect(hints[0]).toContain('22,000 / 3,600 = 6.112')
    expect(hints[1]).toContain('2,000 / (0.1 · 3,600) = 5.556')
  })
})
