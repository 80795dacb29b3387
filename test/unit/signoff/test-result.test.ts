import { describe, expect, it } from 'vitest'
import { readTestResults } from '../../../src/core/signoff/test-result.ts'
import { IMAGE, statement } from './sign-off-fixture.ts'

const read = (value: unknown) =>
  readTestResults(typeof value === 'string' ? value : JSON.stringify(value), 'drill.json')
const verified = (...timestamps: string[]) => ({
  attestation: { bundle: {} },
  verificationResult: {
    mediaType: 'application/vnd.dev.sigstore.verificationresult+json;version=0.1',
    statement: statement(),
    verifiedTimestamps: timestamps.map((timestamp) => ({ type: 'Tlog', uri: 'https://rekor', timestamp })),
  },
})

describe('a test result', () => {
  it('is read from a statement, with what it is about and when it ended', () => {
    expect(read(statement())).toMatchObject([
      { predicate: { result: 'PASSED' }, subjects: [IMAGE], atMs: Date.parse('2026-11-25T08:00:00Z') },
    ])
  })

  it('is read from what gh prints of a verified attestation, with the first time of signing', () => {
    const found = read([
      verified('2026-11-25T12:00:00Z', '2026-11-25T10:00:00+02:00'),
      verified('2026-11-24T00:00:00Z'),
    ])
    expect(found.map(({ subjects, atMs }) => [subjects, atMs])).toEqual([
      [[IMAGE], Date.parse('2026-11-25T08:00:00Z')],
      [[IMAGE], Date.parse('2026-11-24T00:00:00Z')],
    ])
  })

  it('has no subject where only a predicate stands there, and no time where none is stated', () => {
    expect(read({ result: 'WARNED', configuration: [] })).toMatchObject([{ subjects: null, atMs: null }])
    expect(read(statement({}, { finishedOn: 'last week' }))[0]?.atMs).toBeNull()
    expect(read([verified('yesterday', '2026-11-25T08:00:00Z')])[0]?.atMs).toBeNull()
  })

  it('passes over digests that are not SHA-256', () => {
    expect(read(statement({ subject: [{ digest: { gitCommit: 'a'.repeat(40) } }] }))[0]?.subjects).toEqual([])
  })

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /^drill\.json is not JSON$/],
    ['null', null, /is no in-toto test result/],
    [
      'another type of predicate',
      statement({ predicateType: 'https://slsa.dev/provenance/v1' }),
      /predicateType is not as expected/,
    ],
    ['another result', statement({}, { result: 'SKIPPED' }), /predicate\.result is not as expected/],
    ['no subject', statement({ subject: [] }), /subject is not as expected/],
    ['a subject that is no mapping', statement({ subject: ['x'] }), /subject\.0 is not as expected/],
    ['an empty list', [], /is no in-toto test result/],
    ['a verification without a time', [verified()], /verifiedTimestamps is not as expected/],
    [
      'a DSSE envelope, whose signature nobody verified',
      { payload: 'e30=', payloadType: 'application/vnd.in-toto+json', signatures: [] },
      /result is not as expected/,
    ],
    ['a name that is no text', statement({}, { failedTests: [{}] }), /failedTests\.0 is not as expected/],
  ])('is refused where it is %s', (_, value, message) => {
    expect(() => read(value)).toThrow(
      expect.objectContaining({ code: 'test_result_invalid', exitCode: 4, message: expect.stringMatching(message) }),
    )
  })
})
