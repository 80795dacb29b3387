import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { profileTrace } from '../../../src/app/profile.ts'
import type { GivenAnswers } from '../../../src/core/init/answers.ts'
import { starter } from '../../../src/core/init/starter.ts'
import type { TraceAnswer } from '../../../src/core/init/traffic.ts'
import { GateError } from '../../../src/core/kernel/errors.ts'
import type { Finding } from '../../../src/core/manifest/finding.ts'
import { readManifest } from '../../../src/core/manifest/read.ts'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { fewest } from './given-answers.ts'

interface Row {
  timestampUs: number
  inputTokens: number
  outputTokens: number
  class?: string
  hashIds?: number[]
}

async function traceOf(rows: readonly Row[], isReplayed = false): Promise<TraceAnswer> {
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const chunks = (async function* () {
    yield new TextEncoder().encode(text)
  })()
  const profile = await profileTrace({ file: 'trace.jsonl', format: null }, chunks, 3)
  return { profile, file: 'trace.jsonl', sha256: 'a'.repeat(64), isReplayed }
}

async function manifestOf(rows: readonly Row[], isReplayed = false, change: GivenAnswers = {}) {
  const { text } = starter(fewest(change), await traceOf(rows, isReplayed))
  const { findings, manifest } = readManifest(text, { level: 'deployable' })
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  return { text, manifest: manifest as Manifest }
}

/** So many requests a second for so many seconds, short and long ones in turn. */
function even(rps: number, seconds: number, change: (index: number) => Partial<Row> = () => ({})): Row[] {
  return Array.from({ length: rps * seconds }, (_, index) => ({
    timestampUs: Math.floor((index * 1e6) / rps),
    inputTokens: index % 4 === 3 ? 4000 : 500,
    outputTokens: index % 4 === 3 ? 50 : 200,
    ...change(index),
  }))
}

function outcomeOf(trace: TraceAnswer): [code: string, findings: readonly Finding[]] {
  try {
    return ['clean', readManifest(starter(fewest(), trace).text, { level: 'deployable' }).findings]
  } catch (error) {
    return [error instanceof GateError ? error.code : String(error), []]
  }
}

describe('a trace', () => {
  it.each([
    [even(1, 1), /: 1 request, .*\n# EDIT: so few requests tell little/],
    [even(1, 99), /: 99 requests, .*\n# EDIT: so few requests tell little/],
    [even(1, 100), /: 100 requests, .*\n# Each class/],
  ])('of few requests is said to tell little (%#)', async (rows, says) => {
    expect((await manifestOf(rows)).text).toMatch(says)
  })

  it('gives classes at their mean lengths and shares, the arrival law, and room for the longest', async () => {
    const { manifest } = await manifestOf(even(4, 1200))
    expect(
      manifest.workload.map(({ mix, input_tokens: input, output_tokens: output }) => [mix, input, output]),
    ).toEqual([
      [0.75, 500, 200],
      [0.25, 4000, 50],
    ])
    expect(manifest.client.arrival_pattern).toBe('constant')
    expect(manifest.model.max_model_len).toBe(4096)
    expect(manifest.acceptance.min_successful_samples_per_class).toBe(2000)
  })

  it('gives rates round its fullest minute', async () => {
    const calm = even(4, 1200)
    const busy = even(8, 60).map((row) => ({ ...row, timestampUs: row.timestampUs + 1200e6 }))
    const after = even(4, 120).map((row) => ({ ...row, timestampUs: row.timestampUs + 1260e6 }))
    const { text, manifest } = await manifestOf([...calm, ...busy, ...after])
    expect(manifest.sweep?.rates_rps).toEqual([4, 6, 8, 10])
    expect(text).toContain('In its fullest 60 s the trace has 8 requests/s')
    expect((await manifestOf(calm, false, { rates: '3,5' })).manifest.sweep?.rates_rps).toEqual([3, 5])
  })

  it('says that its rate is too low to be measured, or too high', async () => {
    const slow = Array.from({ length: 500 }, (_, index) => ({
      timestampUs: index * 60e6,
      inputTokens: 100,
      outputTokens: 10,
    }))
    const low = await manifestOf(slow)
    expect(low.text).toContain('too few to measure at')
    expect(low.manifest.client.maximum_duration_seconds).toBeLessThanOrEqual(14_400)
    const high = await manifestOf(even(10_000, 2))
    expect(high.text).toContain('too many for one schedule')
  })

  it('gives as long a prefix as its prompts share, in whole blocks, or no warm state', async () => {
    const shared = await manifestOf(even(4, 600, (index) => ({ hashIds: [1, 2, index + 10, index + 10_000] })))
    const { warm } = shared.manifest.cache ?? {}
    // Half of the blocks came before: half of 1,375 tokens, but no more than half of the shortest prompt.
    expect(warm).toMatchObject({ tokens: 240, hit_rate_min: 0.148 })
    expect(shared.text).toContain('50 % of the trace’s prompts came before')
    const apart = await manifestOf(even(4, 600, (index) => ({ hashIds: [index] })))
    expect(apart.manifest.cache?.warm).toBeUndefined()
    expect((await manifestOf(even(4, 600))).manifest.cache?.warm).toMatchObject({ tokens: 240 })
  })

  it('gives its own classes, where it names them', async () => {
    const rows = even(4, 600, (index) => ({ class: index % 4 === 3 ? 'search' : 'chat' }))
    expect((await manifestOf(rows)).manifest.workload.map(({ name }) => name)).toEqual(['chat', 'search'])
  })

  it('is replayed itself where that is asked for', async () => {
    const { manifest } = await manifestOf(even(4, 600), true)
    expect(manifest.client).toMatchObject({
      arrival_pattern: 'trace',
      trace: { file: 'trace.jsonl', sha256: 'a'.repeat(64), format: 'jsonl' },
      initial_scheduled_requests: 2400,
      extension_requests: 0,
    })
    expect(manifest.acceptance.min_successful_samples_per_class).toBe(594)
  })

  it('leaves the rates to auto where that is asked for, also of a trace that is replayed', async () => {
    for (const isReplayed of [false, true])
      expect((await manifestOf(even(4, 600), isReplayed, { rates: 'auto' })).manifest.sweep?.rates_rps).toBe('auto')
  })

  it.each<[string, Row[], boolean, RegExp]>([
    ['too short to be replayed', even(4, 10), true, /has 40 requests; 1,000 are needed/],
    ['all at one time', even(4, 600, () => ({ timestampUs: 5 })), true, /all came at the same time/],
    ['of prompts that are alike', even(4, 600, () => ({ inputTokens: 3 })), false, /prompts of 3 tokens/],
    [
      'with a class of hardly any request',
      even(4, 600, (index) => ({ class: index % 1000 === 7 ? 'rare' : 'chat' })),
      false,
      /too rare/,
    ],
  ])('is refused where it is %s', async (_, rows, isReplayed, says) => {
    const trace = await traceOf(rows, isReplayed)
    expect(() => starter(fewest(), trace)).toThrow(says)
    expect(() => starter(fewest(), trace)).toThrow(expect.objectContaining({ code: 'trace_unfit', exitCode: 4 }))
  })

  it('is refused by the flag of a context that is too short for it', async () => {
    const trace = await traceOf(even(4, 600))
    expect(() => starter(fewest({ maxModelLen: '2048' }), trace)).toThrow(/^--max-model-len: .*4,050 tokens of context/)
  })

  it('of any kind makes a manifest that lints clean, or is refused', async () => {
    const row = fc.record({
      gapUs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50_000_000 })),
      inputTokens: fc.integer({ min: 1, max: 300_000 }),
      outputTokens: fc.integer({ min: 1, max: 50_000 }),
      class: fc.constantFrom('chat', 'x.y-z', '1e5', 'null', '0x1'),
    })
    const anyTrace = fc.record({
      rows: fc.array(row, { minLength: 1, maxLength: 40 }),
      times: fc.constantFrom(1, 60),
      isNamed: fc.boolean(),
      isReplayed: fc.boolean(),
    })
    const made = { clean: 0 }
    await fc.assert(
      fc.asyncProperty(anyTrace, async ({ rows, times, isNamed, isReplayed }) => {
        let atUs = 0
        const all = Array.from({ length: times }, () => rows).flat()
        const trace = await traceOf(
          all.map(({ gapUs, class: name, ...lengths }) => ({
            timestampUs: (atUs += gapUs),
            ...lengths,
            ...(isNamed ? { class: name } : {}),
          })),
          isReplayed,
        )
        const [code, findings] = outcomeOf(trace)
        expect(['clean', 'trace_unfit']).toContain(code)
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
        made.clean += code === 'clean' ? 1 : 0
      }),
      { numRuns: 60 },
    )
    expect(made.clean).toBeGreaterThan(20)
  })
})
