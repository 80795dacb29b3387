import type { z } from 'zod'
import { EXIT, GateError } from '../kernel/errors.ts'
import { statementSchema, testResultSchema, verifiedSchema, type TestResult } from './test-result-schema.ts'
import { timeOf } from './time.ts'

/** A test result that was read back, with what stands around it. */
export interface ReadTestResult {
  predicate: TestResult
  /** SHA-256 of what it is about; null for a bare predicate, which does not say. */
  subjects: readonly string[] | null
  /** When it was signed, as a verifier saw it, or when the test says that it ended; null where neither is known. */
  atMs: number | null
}

/**
 * Reads a test result: an in-toto statement, what `gh attestation verify --format json` prints, or a bare predicate. Hostile text. Throws
 * GateError `test_result_invalid`, exit 4, with the path of the first bad field.
 */
export function readTestResults(text: string, name: string): ReadTestResult[] {
  const value = jsonOf(text, name)
  if (Array.isArray(value)) {
    return parse(verifiedSchema, value, name).map(({ verificationResult }) => {
      const times = verificationResult.verifiedTimestamps.map(({ timestamp }) => timeOf(timestamp))
      // The first signature is the nearest to the test; a time that cannot be read makes it unknown.
      const atMs = times.includes(null) ? null : Math.min(...times.map(Number))
      return { ...ofStatement(verificationResult.statement), atMs }
    })
  }
  const isStatement = typeof value === 'object' && value !== null && '_type' in value
  if (isStatement) return [ofStatement(parse(statementSchema, value, name))]
  const predicate = parse(testResultSchema, value, name)
  return [{ predicate, subjects: null, atMs: finishedMs(predicate) }]
}

function ofStatement({ subject, predicate }: z.output<typeof statementSchema>): ReadTestResult {
  const subjects = subject.flatMap(({ digest }) => (digest.sha256 === undefined ? [] : [digest.sha256]))
  return { predicate, subjects, atMs: finishedMs(predicate) }
}

function finishedMs({ finishedOn }: TestResult): number | null {
  return finishedOn === undefined ? null : timeOf(finishedOn)
}

function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid(`${name} is not JSON`, cause)
  }
}

function parse<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.map(String).join('.').slice(0, 200) ?? ''
  throw invalid(`${name} is no in-toto test result${where === '' ? '' : `: ${where} is not as expected`}`)
}

function invalid(message: string, cause?: unknown): GateError {
  return new GateError({
    code: 'test_result_invalid',
    message,
    hint: 'give an in-toto statement of type test-result/v0.1, or what `gh attestation verify --format json` prints',
    exitCode: EXIT.invalid,
    cause,
  })
}
