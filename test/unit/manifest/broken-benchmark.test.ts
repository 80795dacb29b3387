import { describe, expect, it } from 'vitest'
import { edited, errors, packManifest, read } from './marked-manifests.ts'

const text = packManifest('broken-benchmark')

describe('the deliberately broken benchmark', () => {
  it('is refused with its six reasons and nothing else', async () => {
    const { findings, manifest } = read(text)
    expect(manifest).toBeNull()
    const shown = findings.map(
      ({ line, column, severity, rule, path, message, hint }) =>
        `${line}:${column} ${severity} ${rule} ${path}\n  ${message}\n  ${hint}\n`,
    )
    await expect(shown.join('')).toMatchFileSnapshot('../../golden/broken-benchmark-findings.txt')
    expect(errors(findings)).toEqual([
      'benchmark-concurrency-only',
      'benchmark-too-few-requests',
      'benchmark-mixed-cache',
      'benchmark-means-only',
      'benchmark-failures-absent',
      'benchmark-mutable-versions',
    ])
  })

  it.each([
    ['benchmark-concurrency-only', 'concurrency: 128', 'request_rate: 20\nconcurrency: 128'],
    ['benchmark-too-few-requests', 'request_count: 100', 'request_count: 22000'],
    [
      'benchmark-mixed-cache',
      'prompts: repeat_the_same_prompt\nprefix_cache: enabled\nclear_cache_before_run: false',
      'prompts: unique\nprefix_cache: enabled\nclear_cache_before_run: true',
    ],
    ['benchmark-means-only', '[mean_latency, total_tokens_per_second]', '[p95_ttft_by_class, mean_latency]'],
    [
      'benchmark-failures-absent',
      '[mean_latency, total_tokens_per_second]',
      '[mean_latency, errors, queue_depth, cancellations, cache_hits]',
    ],
    [
      'benchmark-mutable-versions',
      'model_revision: latest\nengine_version: latest',
      'model_revision: a1\nengine_version: 0.32.0',
    ],
  ])('no longer says %s once that is repaired', (rule, from, to) => {
    const before = errors(read(text).findings)
    expect(errors(read(edited(text, from, to)).findings)).toEqual(before.filter((other) => other !== rule))
  })

  it('is no manifest even when all six are repaired', () => {
    const repaired =
      'load_mode: open\nrequest_rate: 20\nrequest_count: 22000\nprompts: unique\nprefix_cache: disabled\nreport: [p95_by_class, errors, queue, cancelled, cache_hits]\nmodel_revision: a1\n'
    const { findings, manifest } = read(repaired)
    expect(manifest).toBeNull()
    expect(errors(findings)).toContain('missing-field')
  })

  it('does not take a manifest with a stray key for one', () => {
    const { findings } = read(`concurrency: 128\nreport: [mean]\nprompts: x\n${packManifest('worked-example')}`)
    expect(new Set(errors(findings))).toEqual(new Set(['unknown-field']))
  })
})
