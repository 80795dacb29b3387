import fc from 'fast-check'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import { STATUSES } from '../../../src/core/stream/error-codes.ts'

/** Any text that a cell can hold: formulas, quotes, commas, line breaks, other scripts; never empty, never NUL. */
const cellText = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom(`"`, ',', '\n', '\r', "'", '=', '+', '-', '@', '\t', ' ', 'a', 'é'),
      minLength: 1,
    }),
  )
  .map((text) => text.replaceAll('\0', '0'))

const micros = fc.oneof(fc.nat({ max: 2_000_000 }), fc.nat({ max: 4_000_000_000 }))
const count = fc.nat({ max: 0x7fff_ffff })
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

const success = fc.record({
  sent: micros,
  first: micros,
  decode: micros,
  drain: fc.nat({ max: 10_000 }),
  outputTokens: fc.oneof(fc.constantFrom(1, 2), fc.nat({ max: 100_000 })),
})

const shared = {
  id: cellText,
  class: fc.constantFrom('interactive', 'long_context', '0', '__proto__', '-x'),
  dueUs: micros,
  handedUs: orNull(micros),
  firstContentUs: orNull(micros),
  inputTokens: orNull(count),
  cachedTokens: orNull(count),
  chunks: count,
  gapUs: orNull(fc.record({ p50: micros, p95: micros, max: micros })),
  httpStatus: orNull(fc.integer({ min: 100, max: 599 })),
  finishReason: orNull(cellText),
  replica: orNull(fc.nat({ max: 64 })),
  session: orNull(cellText),
  turn: orNull(fc.nat({ max: 100 })),
}

const okRecord = fc.record({ ...shared, success }).map(({ success: times, ...rest }): RequestRecord => {
  const firstTokenUs = times.sent + times.first
  // With one token or none the first is the last, as the formula has it.
  const lastTokenUs = times.outputTokens <= 1 ? firstTokenUs : firstTokenUs + times.decode
  return {
    ...rest,
    status: 'ok',
    errorCode: null,
    sentUs: times.sent,
    firstTokenUs,
    lastTokenUs,
    endUs: lastTokenUs + times.drain,
    outputTokens: times.outputTokens,
  }
})

const failedRecord = fc.record({
  ...shared,
  status: fc.constantFrom(...STATUSES.filter((status) => status !== 'ok')),
  errorCode: orNull(cellText),
  sentUs: orNull(micros),
  firstTokenUs: orNull(micros),
  lastTokenUs: orNull(micros),
  endUs: micros,
  outputTokens: orNull(count),
}) satisfies fc.Arbitrary<RequestRecord>

/** A cohort of any records, each id once. */
export const cohort = fc.uniqueArray(fc.oneof(okRecord, failedRecord), {
  selector: (record) => record.id,
  maxLength: 20,
})
