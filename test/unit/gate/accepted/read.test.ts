import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAcceptedLosses } from '../../../../src/core/gate/accepted/read.ts'
import { isDay } from '../../../../src/core/gate/accepted/rules.ts'
import type { Entry } from './accepted-fixture.ts'
import { FACTS, fileOf, lossesOf } from './accepted-fixture.ts'

const found = (text: string, facts = FACTS) =>
  readAcceptedLosses(text, facts).findings.map(({ rule, path, line, column }) => `${rule} ${path} ${line}:${column}`)

/** The file with one value marked `§`: where the finding must stand. */
function marked(text: string): { text: string; place: string } {
  const before = text.slice(0, text.indexOf('§')).split('\n')
  return { text: text.replace('§', ''), place: `${before.length}:${(before.at(-1) ?? '').length + 1}` }
}

const FILE = `# What the owners looked at.
losses:
  - gate: dense-70b-8xh100
    subject: ${'d'.repeat(64)}
    cache: cold
    guard_rps: 23.04
    floor_rps: 21.6
    reason: the security fix is worth it
    accepted_by: "@ada"
    expires: 2026-12-20
`

test('a file that is good: rates as whole milli-requests', () => {
  expect(readAcceptedLosses(FILE, FACTS)).toEqual({
    findings: [],
    losses: [
      {
        gateId: 'dense-70b-8xh100',
        subjectSha256: 'd'.repeat(64),
        cache: 'cold',
        guardMilliRps: 23_040,
        floorMilliRps: 21_600,
        reason: 'the security fix is worth it',
        acceptedBy: '@ada',
        expires: '2026-12-20',
        isExpired: false,
      },
    ],
  })
  expect(readAcceptedLosses('losses: []', FACTS)).toEqual({ findings: [], losses: [] })
})

test.each([
  ['accepted-rate', 'floor_rps: 21.6', 'floor_rps: §21.60001', 'losses[0].floor_rps'],
  ['accepted-rate', 'guard_rps: 23.04', 'guard_rps: §23.0401', 'losses[0].guard_rps'],
  ['accepted-no-loss', 'floor_rps: 21.6', 'floor_rps: §23.04', 'losses[0].floor_rps'],
  ['out-of-range', 'floor_rps: 21.6', 'floor_rps: §0', 'losses[0].floor_rps'],
  ['out-of-range', 'floor_rps: 21.6', 'floor_rps: §-1', 'losses[0].floor_rps'],
  ['wrong-type', 'floor_rps: 21.6', 'floor_rps: §"21.6"', 'losses[0].floor_rps'],
  ['wrong-type', 'floor_rps: 21.6', 'floor_rps: §.nan', 'losses[0].floor_rps'],
  ['accepted-not-a-day', 'expires: 2026-12-20', 'expires: §2026-12-32', 'losses[0].expires'],
  ['accepted-not-a-day', 'expires: 2026-12-20', 'expires: §2027-02-29', 'losses[0].expires'],
  ['accepted-expiry-too-far', 'expires: 2026-12-20', 'expires: §2027-03-01', 'losses[0].expires'],
  ['wrong-format', 'expires: 2026-12-20', 'expires: §next week', 'losses[0].expires'],
  ['accepted-placeholder', '"@ada"', '§WHO', 'losses[0].accepted_by'],
  ['accepted-placeholder', 'reason: the security fix is worth it', 'reason: §WHY', 'losses[0].reason'],
  ['out-of-range', 'reason: the security fix is worth it', 'reason: §""', 'losses[0].reason'],
  ['wrong-format', 'subject: d', 'subject: §D', 'losses[0].subject'],
  ['wrong-format', 'gate: dense', 'gate: §Dense', 'losses[0].gate'],
  ['not-a-choice', 'cache: cold', 'cache: §both', 'losses[0].cache'],
  ['missing-field', '    cache: cold\n', '', 'losses[0].cache'],
  ['unknown-field', 'floor_rps', '§floor_rsp', 'losses[0].floor_rsp'],
  ['unknown-field', 'losses:', 'note: x\nlosses:', 'note'],
  ['yaml-duplicate-key', '    cache: cold\n', '    cache: cold\n    §cache: warm\n', ''],
])('%s is found where it stands: %s → %s', (rule, from, to, path) => {
  expect(FILE).toContain(from)
  const { text, place } = marked(FILE.replace(from, to))
  const all = found(text)
  const where = to.includes('§') ? ` ${place}` : ''
  expect(all.filter((one) => one.startsWith(`${rule} ${path}${where}`))).toHaveLength(1)
  expect(readAcceptedLosses(text, FACTS).losses).toBeNull()
})

test('a reason that nobody would read through is too long, and not empty', () => {
  const { findings } = readAcceptedLosses(fileOf({ reason: 'x'.repeat(2001) }), FACTS)
  expect(findings).toMatchObject([
    { message: '`losses[0].reason` has more than 2,000 characters', hint: 'Shorten it.' },
  ])
})

test('text that is no YAML is found by its place too', () => {
  expect(found(FILE.replace('cache: cold', 'cache: [cold'))[0]).toBe('yaml-syntax  6:5')
})

test('an unknown key names the nearest, and a file without an entry list what is missing', () => {
  const { findings } = readAcceptedLosses(FILE.replace('floor_rps', 'floor_rsp'), FACTS)
  expect(findings).toMatchObject([{ rule: 'unknown-field', hint: 'Did you mean `floor_rps`?' }])
  expect(readAcceptedLosses('loses: []', FACTS).findings).toMatchObject([{ hint: 'Did you mean `losses`?' }])
  expect(readAcceptedLosses('# nothing yet', FACTS)).toMatchObject({ findings: [{ rule: 'file-empty' }], losses: null })
})

test('the example of the page is good', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/accepted-losses.md'), 'utf8')
  const example = /```yaml\n([^]+?)```/.exec(page)?.[1] ?? ''
  expect(readAcceptedLosses(example, FACTS)).toMatchObject({ findings: [], losses: [{ floorMilliRps: 27_000 }] })
})

describe('the expiry', () => {
  test('is told as a warning once it has passed, and the loss is kept as expired', () => {
    const { findings, losses } = readAcceptedLosses(fileOf({ expires: '2026-11-29' }), FACTS)
    expect(findings).toMatchObject([
      { rule: 'accepted-expired', severity: 'warning', line: 9, message: 'it expired on 2026-11-29' },
    ])
    expect(losses).toMatchObject([{ isExpired: true }])
  })

  test('holds through its last day, and lies at most 90 days ahead', () => {
    expect(lossesOf({ expires: '2026-11-30' })[0]?.isExpired).toBe(false)
    expect(found(fileOf({ expires: '2027-02-28' }))).toEqual([])
    expect(found(fileOf({ expires: '2027-03-01' }))).toEqual(['accepted-expiry-too-far losses[0].expires 9:14'])
  })

  test('is a day of the calendar', () => {
    expect(['2026-11-30', '2028-02-29'].map(isDay)).toEqual([true, true])
    expect(['2027-02-29', '2026-13-01', '2026-00-10', '0000-00-00'].map(isDay)).toEqual([false, false, false, false])
  })
})

test('the floor is held to the gate’s own minimum, and another gate’s is not', () => {
  const facts = { ...FACTS, minCapacityMilliRps: 21_601 }
  expect(found(fileOf({}), facts)).toEqual(['accepted-under-minimum losses[0].floor_rps 6:16'])
  expect(found(fileOf({}), { ...facts, minCapacityMilliRps: 21_600 })).toEqual([])
  expect(found(fileOf({ gate: 'another' }), facts)).toEqual([])
})

test('the same gate, subject and cache state twice is refused, and another of them is not', () => {
  expect(found(fileOf({}, { floor_rps: 20 }))).toEqual(['accepted-twice losses[1] 10:5'])
  expect(found(fileOf({}, { cache: 'warm' }, { gate: 'b' }, { subject: 'e'.repeat(64) }))).toEqual([])
})

test('every finding is told at once, in the order of the file: the schema’s, and once it has none the rules’', () => {
  const rules = (text: string) => found(text).map((one) => one.split(' ')[0])
  const last = { cache: 'hot', extra: 1 } as Partial<Entry>
  expect(rules(fileOf({ floor_rps: 0, expires: 'soon' }, last))).toEqual([
    'out-of-range',
    'wrong-format',
    'not-a-choice',
    'unknown-field',
  ])
  const unfit = fileOf({ floor_rps: 30, expires: '2027-02-30' }, { cache: 'warm', reason: ' ', expires: '2026-11-01' })
  expect(rules(unfit)).toEqual(['accepted-no-loss', 'accepted-not-a-day', 'accepted-placeholder', 'accepted-expired'])
})

test('property: no text throws, and what is accepted is whole', () => {
  const mutated = fc.tuple(fc.nat(FILE.length), fc.nat(12), fc.string({ maxLength: 12 }))
  fc.assert(
    fc.property(mutated, ([at, cut, put]) => {
      const { losses, findings } = readAcceptedLosses(FILE.slice(0, at) + put + FILE.slice(at + cut), FACTS)
      expect(losses === null).toBe(findings.some(({ severity }) => severity === 'error'))
      for (const loss of losses ?? []) {
        expect(loss.floorMilliRps).toBeGreaterThan(0)
        expect(loss.floorMilliRps).toBeLessThan(loss.guardMilliRps)
        expect(Number.isInteger(loss.guardMilliRps) && Number.isInteger(loss.floorMilliRps)).toBe(true)
        expect(isDay(loss.expires)).toBe(true)
      }
    }),
    { numRuns: 200 },
  )
})
