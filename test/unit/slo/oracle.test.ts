import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { encodeRequestsCsv } from '../../../src/core/record/csv.ts'
import { readRequestsCsv } from '../../../src/core/record/read.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import { STATUSES } from '../../../src/core/stream/error-codes.ts'
import { analyzeManifest } from '../../../src/core/slo/analyze.ts'
import { oracle } from './oracle.ts'
import { workedExample } from './worked-example.ts'

/** Mostly inside, often to the microsecond on the cutoff or beside it, sometimes far outside. */
const nearCutoff = (ms: number) =>
  fc.oneof(
    fc.constantFrom(-1, 0, 1).map((off) => ms * 1000 + off),
    { weight: 4, arbitrary: fc.nat({ max: ms * 1000 }) },
    fc.nat({ max: ms * 1500 }),
  )

/** A small workload whose cutoffs are met and missed about as often, one of its classes with a single token. */
const manifests = fc
  .record({
    samples: fc.integer({ min: 1, max: 4 }),
    attainment: fc.constantFrom(0.25, 0.5, 0.75, 0.95, 1),
    errors: fc.constantFrom(0, 0.1, 0.25, 0.5, 1),
    origin: fc.constantFrom('send' as const, 'due' as const),
    planned: fc.constantFrom('failures' as const, 'excluded' as const),
    classErrors: fc.option(fc.constantFrom(0, 0.25, 0.5), { nil: undefined }),
    attempted: fc.option(fc.constantFrom(0.25, 0.5, 0.9), { nil: undefined }),
    e2eCutoff: fc.option(fc.constant(300), { nil: undefined }),
  })
  .map(({ samples, attainment, errors, origin, planned, classErrors, attempted, e2eCutoff }): Manifest => {
    const manifest = workedExample({
      min_successful_samples_per_class: samples,
      class_slo_attainment_min: attainment,
      error_rate_max: errors,
      latency_origin: origin,
      planned_cancellations: planned,
      ...(classErrors === undefined ? {} : { class_error_rate_max: classErrors }),
      ...(attempted === undefined ? {} : { attempted_attainment_min: attempted }),
    })
    const [first, second, third] = manifest.workload
    if (!first || !second || !third) throw new Error('the worked example has three classes')
    const e2e = e2eCutoff === undefined ? {} : { request_e2e_cutoff_ms: e2eCutoff }
    return {
      ...manifest,
      workload: [
        { ...first, output_tokens: 4, request_ttft_cutoff_ms: 100, request_tpot_cutoff_ms: 50, ...e2e },
        { ...second, output_tokens: 1, request_ttft_cutoff_ms: 100, request_tpot_cutoff_ms: 1 },
        { ...third, output_tokens: 8, request_ttft_cutoff_ms: 200, request_tpot_cutoff_ms: 50, ...e2e },
      ],
    }
  })

const rows = (manifest: Manifest) =>
  fc.array(
    fc.record({
      class: fc.constantFrom(...manifest.workload),
      status: fc.oneof({ weight: 9, arbitrary: fc.constant('ok' as const) }, fc.constantFrom(...STATUSES)),
      due: fc.nat({ max: 10_000_000 }),
      lag: fc.constantFrom(0, 1, 500, 20_000),
      ttft: fc.oneof({ weight: 3, arbitrary: nearCutoff(100) }, nearCutoff(200)),
      tpot: nearCutoff(50),
      off: fc.constantFrom(-1, 0, 0, 1),
    }),
    { minLength: 0, maxLength: 40, size: 'max' },
  )

function recordsOf(drawn: typeof rows extends (manifest: Manifest) => fc.Arbitrary<infer Rows> ? Rows : never) {
  return drawn.map(({ class: { name, output_tokens }, status, due, lag, ttft, tpot, off }, index): RequestRecord => {
    const sentUs = due + lag
    const firstTokenUs = sentUs + ttft
    // Around the cutoff of the whole request too: a microsecond here is a fraction of one a token.
    const lastTokenUs = firstTokenUs + (output_tokens > 1 ? tpot * (output_tokens - 1) + off : 0)
    return {
      id: `r-${index}`,
      class: name,
      status,
      errorCode: status === 'ok' ? null : status,
      dueUs: due,
      handedUs: sentUs,
      sentUs,
      firstTokenUs,
      firstContentUs: firstTokenUs,
      lastTokenUs: Math.max(firstTokenUs, lastTokenUs),
      endUs: Math.max(firstTokenUs, lastTokenUs) + 100,
      inputTokens: 16,
      outputTokens: output_tokens,
      cachedTokens: null,
      chunks: output_tokens,
      gapUs: null,
      httpStatus: 200,
      finishReason: 'length',
      replica: 0,
      session: null,
      turn: null,
    }
  })
}

describe('the analyzer beside the rules said again', () => {
  it('agrees on random cohorts', async () => {
    const judged = { passed: 0, failed: 0 }
    await fc.assert(
      fc.asyncProperty(
        manifests.chain((manifest) => fc.tuple(fc.constant(manifest), rows(manifest))),
        fc.double({ min: 0.001, max: 1e6, noNaN: true }),
        fc.constantFrom('flat' as const, 'flat' as const, 'growing' as const, 'unknown' as const),
        async ([manifest, drawn], durationSeconds, queueTrend) => {
          const records = recordsOf(drawn)
          const table = await readRequestsCsv(encodeRequestsCsv(records))
          const report = analyzeManifest(table, manifest, { durationSeconds, queueTrend })
          expect(report).toMatchObject(oracle(records, manifest, durationSeconds, queueTrend))
          judged[report.capacity_gate_pass ? 'passed' : 'failed']++
        },
      ),
      { numRuns: 1500 },
    )
    // Else the property would hold for an analyzer that never passes anything.
    expect(judged.passed).toBeGreaterThan(10)
    expect(judged.failed).toBeGreaterThan(10)
  })
})
