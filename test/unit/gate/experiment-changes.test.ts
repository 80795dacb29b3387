import { describe, expect, it } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { changeText, experimentChanges } from '../../../src/core/gate/experiment-changes.ts'
import type { JsonValue } from '../../../src/core/kernel/canonical.ts'
import { canonicalSha256 } from '../../../src/core/kernel/canonical.ts'
import { capacityRecord } from '../../fakes/record.ts'
import { baseline, record, sweep } from './record-fixture.ts'

type Mapping = Record<string, JsonValue>
const chat = { name: 'chat', mix: 0.6, input_tokens: 800, request_ttft_cutoff_ms: 500, request_e2e_cutoff_ms: 9000 }
const code = { name: 'code.v2', mix: 0.4, input_tokens: 3000, request_ttft_cutoff_ms: 900 }
const experiment = {
  workload: [chat, code],
  client: { class_schedule_counts: { chat: 600 }, request_timeout_seconds: 60 },
  cache: { cold: { hit_rate_max: 0.01 }, warm: { hit_rate_min: 0.09 } },
  acceptance: {
    class_slo_attainment_min: 0.95,
    min_successful_samples_per_class: 2000,
    error_rate_max: 0.01,
    capacity_tolerance: 0.04,
    min_capacity_rps: 20,
    latency_origin: 'due',
    planned_cancellations: 'failures',
    required_evidence: ['identity', 'client', 'queue'],
  },
}

function under(value: JsonValue, from: CapacityRecord = capacityRecord()): CapacityRecord {
  return { ...from, experiment: { sha256: canonicalSha256(value), value } }
}

const changed = (value: JsonValue) => experimentChanges(under(experiment), under(value)).map(changeText)
const accepting = (change: Mapping) => ({ ...experiment, acceptance: { ...experiment.acceptance, ...change } })
const without = (key: keyof typeof experiment.acceptance) => {
  const { [key]: _, ...acceptance } = experiment.acceptance
  return { ...experiment, acceptance }
}

describe('what another experiment changes', () => {
  it('is nothing where it is the same', () => {
    expect(changed(structuredClone(experiment))).toEqual([])
  })

  it.each<[string, JsonValue, string]>([
    [
      'a cutoff that is raised',
      { ...experiment, workload: [{ ...chat, request_ttft_cutoff_ms: 700 }, code] },
      'workload.chat.request_ttft_cutoff_ms: 500 → 700 (loosens)',
    ],
    [
      'shorter prompts',
      { ...experiment, workload: [{ ...chat, input_tokens: 400 }, code] },
      'workload.chat.input_tokens: 800 → 400 (loosens)',
    ],
    [
      'less attainment',
      accepting({ class_slo_attainment_min: 0.9 }),
      'acceptance.class_slo_attainment_min: 0.95 → 0.9 (loosens)',
    ],
    ['more errors', accepting({ error_rate_max: 0.05 }), 'acceptance.error_rate_max: 0.01 → 0.05 (loosens)'],
    [
      'a wider tolerance',
      accepting({ capacity_tolerance: 0.1 }),
      'acceptance.capacity_tolerance: 0.04 → 0.1 (loosens)',
    ],
    ['a lower floor', accepting({ min_capacity_rps: 10 }), 'acceptance.min_capacity_rps: 20 → 10 (loosens)'],
    ['a floor that is gone', without('min_capacity_rps'), 'acceptance.min_capacity_rps: 20 → nothing (loosens)'],
    [
      'fewer samples',
      accepting({ min_successful_samples_per_class: 50 }),
      'acceptance.min_successful_samples_per_class: 2000 → 50 (loosens)',
    ],
    [
      'another origin of latency',
      accepting({ latency_origin: 'send' }),
      'acceptance.latency_origin: "due" → "send" (loosens)',
    ],
    [
      'cancellations that no longer count',
      accepting({ planned_cancellations: 'excluded' }),
      'acceptance.planned_cancellations: "failures" → "excluded" (loosens)',
    ],
    [
      'evidence that may be unknown, wherever it stood',
      accepting({ required_evidence: ['client', 'queue'] }),
      'acceptance.required_evidence.identity: "required" → nothing (loosens)',
    ],
    [
      'a cold cache that may hit',
      { ...experiment, cache: { ...experiment.cache, cold: { hit_rate_max: 0.2 } } },
      'cache.cold.hit_rate_max: 0.01 → 0.2 (loosens)',
    ],
    [
      'a state that is gone',
      { ...experiment, cache: { cold: { hit_rate_max: 0.01 } } },
      'cache.warm: {"hit_rate_min":0.09} → nothing (loosens)',
    ],
    [
      'a higher attainment',
      accepting({ class_slo_attainment_min: 0.99 }),
      'acceptance.class_slo_attainment_min: 0.95 → 0.99',
    ],
    ['another mix', { ...experiment, workload: [{ ...chat, mix: 0.5 }, code] }, 'workload.chat.mix: 0.6 → 0.5'],
    ['a new limit', accepting({ class_error_rate_max: 0.01 }), 'acceptance.class_error_rate_max: nothing → 0.01'],
  ])('%s', (_, value, text) => {
    expect(changed(value)).toEqual([text])
  })

  it('names a class that is gone once, and does not take its neighbour for it', () => {
    const [only, ...rest] = changed({ ...experiment, workload: [code] })
    expect([only?.startsWith('workload.chat: {'), only?.endsWith('→ nothing (loosens)'), rest]).toEqual([
      true,
      true,
      [],
    ])
    expect(changed({ ...experiment, workload: [chat] })[0]).toMatch(/code\.v2.* → nothing \(loosens\)$/)
  })

  it('names a cutoff that is gone, and what loosens first', () => {
    const { request_e2e_cutoff_ms: _, ...fewer } = chat
    const value = { ...accepting({ capacity_tolerance: 0.01 }), workload: [fewer, code] }
    expect(changed(value)).toEqual([
      'workload.chat.request_e2e_cutoff_ms: 9000 → nothing (loosens)',
      'acceptance.capacity_tolerance: 0.04 → 0.01',
    ])
  })

  it('tells of rates that were cut, with another experiment only', () => {
    const cut = record([sweep('cold', [10_000], [10_200])])
    expect(experimentChanges(baseline(), cut)).toEqual([])
    const texts = experimentChanges(baseline(), under(experiment, cut)).map(changeText)
    expect(texts).toContainEqual(expect.stringMatching(/^highest cold rate swept: \d.* RPS → 10\.2 RPS \(loosens\)$/))
  })

  it.each<[JsonValue]>([
    [null],
    [[]],
    ['x'],
    [{ workload: 'x', acceptance: [] }],
    [{ workload: [null, { name: '__proto__' }] }],
  ])('is told of a strange record too: %j', (value) => {
    expect(changed(value).length).toBeGreaterThan(0)
  })
})
