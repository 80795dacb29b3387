import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GateError } from '../../../src/core/kernel/errors.ts'
import { gate } from '../../../src/core/gate/gate.ts'
import { parseCapacityRecord, parsePointReport, parseVerdict, recordSha256 } from '../../../src/core/gate/read.ts'
import { baseline, heldCandidate, point } from './record-fixture.ts'

const text = JSON.stringify(baseline())

function refusalOf(read: () => unknown): GateError {
  try {
    read()
  } catch (error) {
    if (error instanceof GateError) return error
    throw error
  }
  throw new Error('it was read')
}

/** The text of what was read, or the code of the refusal. */
function readOrCode(changed: string): string {
  try {
    return JSON.stringify(parseCapacityRecord(changed))
  } catch (error) {
    if (error instanceof GateError) return error.code
    throw error
  }
}

/** The record's text with one field set, by a path of keys. */
function withField(path: (string | number)[], value: unknown): string {
  const root = JSON.parse(text) as Record<string | number, unknown>
  let holder = root
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>
  holder[path.at(-1) ?? ''] = value
  return JSON.stringify(root)
}

test('what was written is read back as it was', () => {
  expect(parseCapacityRecord(text)).toEqual(baseline())
  expect(parseCapacityRecord(`\u{feff}${text}`)).toEqual(baseline())
  const verdict = gate({ candidate: heldCandidate(), baseline: baseline(), anchor: null, onMissingBaseline: 'fail' })
  expect(parseVerdict(JSON.stringify(verdict))).toEqual(verdict)
  expect(parsePointReport(JSON.stringify(point({ milliRps: 24_000 })))).toEqual(point({ milliRps: 24_000 }))
})

test('a field of a later tool of the same schema is kept', () => {
  expect(parseCapacityRecord(withField(['later'], { a: 1 }))).toHaveProperty('later', { a: 1 })
})

test('the digest is that of the values, not of the file', () => {
  const reordered = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).toReversed()), null, 4)
  expect(recordSha256(parseCapacityRecord(reordered))).toBe(recordSha256(baseline()))
  expect(recordSha256(parseCapacityRecord(withField(['commit'], null)))).not.toBe(recordSha256(baseline()))
})

test.each([
  ['', 'record_not_json', /is empty/],
  ['{"schema": 1', 'record_not_json', /is not JSON/],
  ['\u{0}\u{1}binary', 'record_not_json', /^[\x20-\x7e]*$/],
  ['[]', 'record_invalid', /the whole file/],
  ['null', 'record_invalid', /the whole file/],
  [withField(['schema'], 2), 'record_schema_newer', /schema 2; this tool reads schema 1/],
  [withField(['tool', 'replayProtocol'], 9), 'record_schema_newer', /replay protocol 9/],
  [
    withField(['capacity', 0, 'points', 3, 'outcome'], 'great'),
    'record_invalid',
    /capacity\.json: capacity\[0\]\.points\[3\]\.outcome:/,
  ],
  [withField(['capacity', 0, 'passMilliRps'], -1), 'record_invalid', /capacity\[0\]\.passMilliRps/],
  [withField(['capacity', 0, 'passMilliRps'], 1.5), 'record_invalid', /capacity\[0\]\.passMilliRps/],
  [
    withField(['capacity', 0, 'points', 0, 'slo', 'classes', 'interactive', 'attainment'], 1.2),
    'record_invalid',
    /classes\.interactive\.attainment/,
  ],
  [withField(['kind'], 'real'), 'record_invalid', /: kind:/],
  [
    withField(
      ['capacity'],
      Array.from({ length: 3 }, () => baseline().capacity[0]),
    ),
    'record_invalid',
    /: capacity: .*2/,
  ],
  [withField(['schedules', 'cold'], 'x'), 'record_invalid', /schedules\.cold/],
  [
    withField(['\u{1b}[31m'], 1).replace('"kind":"measured"', '"kind":"\u{1b}[31m"'),
    'record_not_json',
    /^[\x20-\x7e]*$/,
  ],
  [
    withField(['experiment', 'value'], JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`)),
    'record_too_deep',
    /100 levels/,
  ],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'record_too_deep', /100 levels/],
  [withField(['gateId'], '\u{d800}'), 'record_not_unicode', /lone surrogate/],
  [withField(['experiment', 'value', '\u{dc00}'], 1), 'record_not_unicode', /lone surrogate/],
  [' '.repeat(64 * 1024 * 1024 + 1), 'record_too_large', /more than/],
] as const)('hostile text %# is refused by name, with exit code 4', (hostile, code, message) => {
  const error = refusalOf(() => parseCapacityRecord(hostile))
  expect(error).toMatchObject({ code, exitCode: 4 })
  expect(error.message).toMatch(message)
  expect(error.hint).not.toBe('')
})

test('no text whatever is read in half or throws anything else', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.nat(text.length).map((at) => text.slice(0, at)),
      ),
      (hostile) => {
        fc.pre(hostile !== text)
        expect(refusalOf(() => parseCapacityRecord(hostile)).exitCode).toBe(4)
      },
    ),
  )
})

test('a record with any one field replaced is read whole or refused', () => {
  const paths: (string | number)[][] = []
  const walk = (value: unknown, path: (string | number)[]) => {
    if (path.length > 0) paths.push(path)
    if (path.length > 6 || typeof value !== 'object' || value === null) return
    const keys = Array.isArray(value) ? [0] : Object.keys(value)
    for (const key of keys) walk((value as Record<string | number, unknown>)[key], [...path, key])
  }
  walk(JSON.parse(text), [])
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 2 }), (path, value) => {
      const changed = withField(path, value)
      const outcome = readOrCode(changed)
      expect(outcome === changed || outcome.startsWith('record_')).toBe(true)
    }),
    { numRuns: 300 },
  )
})
