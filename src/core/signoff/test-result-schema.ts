import { z } from 'zod'

/** The type under which `actions/attest` is given our record, and under which a drill or parity comes to us. */
export const TEST_RESULT_TYPE = 'https://in-toto.io/attestation/test-result/v0.1'

const line = z.string().max(100_000)
const names = z.array(line).max(10_000)

/** What of a test-result predicate is read; whatever else it holds is passed over, as in-toto asks. */
export const testResultSchema = z.looseObject({
  result: z.enum(['PASSED', 'WARNED', 'FAILED']),
  configuration: z.array(z.looseObject({})).max(10_000),
  url: z.exactOptional(line),
  passedTests: z.exactOptional(names),
  warnedTests: z.exactOptional(names),
  failedTests: z.exactOptional(names),
  /** No field of the type: when the test ended. */
  finishedOn: z.exactOptional(line),
})

export type TestResult = z.output<typeof testResultSchema>

export const statementSchema = z.looseObject({
  _type: z.enum(['https://in-toto.io/Statement/v1', 'https://in-toto.io/Statement/v0.1']),
  subject: z
    .array(z.looseObject({ digest: z.looseObject({ sha256: z.exactOptional(line) }) }))
    .min(1)
    .max(1024),
  predicateType: z.literal(TEST_RESULT_TYPE),
  predicate: testResultSchema,
})

/** What `gh attestation verify --format json` prints: statements whose signatures it verified, with the times of signing. */
export const verifiedSchema = z
  .array(
    z.looseObject({
      verificationResult: z.looseObject({
        statement: statementSchema,
        verifiedTimestamps: z
          .array(z.looseObject({ timestamp: line }))
          .min(1)
          .max(100),
      }),
    }),
  )
  .min(1)
  .max(100)
