import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GateError } from '../../../src/core/kernel/errors.ts'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import { parseSchedule } from '../../../src/core/schedule/parse-schedule.ts'
import { workedExample } from './worked-example.ts'

const small = (cache: 'cold' | 'warm') => buildSchedule(workedExample(), cache, { requests: 20 })
const text = (cache: 'cold' | 'warm') => new TextDecoder().decode(small(cache).bytes)

/** The message of the one error that a bad file may end with; anything else is said as it came. */
function refusal(input: string | Uint8Array): string {
  try {
    parseSchedule(input)
    return 'accepted'
  } catch (error) {
    const isRight = error instanceof GateError && error.code === 'schedule_malformed' && error.exitCode === 4
    return isRight ? error.message : `wrong error: ${String(error)}`
  }
}

test.each(['cold', 'warm'] as const)('what was written is read back: %s', (cache) => {
  const { schedule, bytes } = buildSchedule(workedExample(), cache)
  expect(parseSchedule(bytes)).toEqual(schedule)
  expect(parseSchedule(new TextDecoder().decode(bytes)).sha256).toBe(schedule.sha256)
})

describe('refused, with the line', () => {
  const edit = (from: string | RegExp, to: string, cache: 'cold' | 'warm' = 'cold') => text(cache).replace(from, to)
  test.each([
    ['nothing', '', /line 1: the file is empty/],
    ['a lost end', text('cold').slice(0, -3), /line 21: the file ends in the middle/],
    ['a lost row', edit(/\{"id":"r-00020".*\n/, ''), /line 20: the file has 19 rows, its header says 20/],
    ['an empty line', edit('\n{"id":"r-00002"', '\n\n{"id":"r-00002"'), /line 3: is not JSON/],
    ['CRLF', `${text('cold').trim().replaceAll('\n', '\r\n')}\n{}`, /line 22: the file ends/],
    ['another version', edit('"version":1', '"version":2'), /line 1: version/],
    ['an unknown header key', edit('"seed"', '"sed"'), /line 1/],
    ['an unknown key', edit('"id":"r-00003"', '"id":"r-00003","x":1'), /line 4: .*x/],
    ['an array', edit(/\{"id":"r-00003".*\n/, '[]\n'), /line 4/],
    ['another id form', edit('r-00003', 'r-3'), /line 4: id: is not an id such as r-00001/],
    ['an id twice', edit('r-00003', 'r-00002'), /line 4: id r-00002 stands twice/],
    ['a fraction', edit(/"offsetUs":(\d+)/, '"offsetUs":$1.5'), /line 2: offsetUs/],
    ['time going back', edit(/("id":"r-00005".*"offsetUs":)\d+/, '$10'), /line 6: offsetUs 0 comes before/],
    ['a missing prefix', edit(/,"prefix":"p-\d{5}"\}/, '}', 'warm'), /line 2: every row of a warm schedule/],
    ['an undeclared prefix', edit(/,"prefix":"p-\d{5}"\}/, ',"prefix":"p-99999"}', 'warm'), /line 2: prefix p-99999/],
    ['a prefix on a cold row', edit('"outputTokens":128}', '"outputTokens":128,"prefix":"p-00001"}'), /none of a cold/],
    ['a prefix too long', edit('"inputTokens":1024', '"inputTokens":256', 'warm'), /leaves nothing of inputTokens/],
    ['blocks of nothing', edit('"extensionRequests":0', '"extensionRequests":5'), /line 1: extension rows/],
    ['prefixes without a set', edit('"prefixSet":"v1",', '', 'warm'), /line 1: prefixSet/],
    ['bytes that are not text', Uint8Array.of(0xff, 0xfe, 10), /line 1: the file is not UTF-8/],
    ['a byte order mark', `\ufeff${text('cold')}`, /line 1: is not JSON/],
  ])('%s', (_, input, message) => {
    expect(refusal(input)).toMatch(message)
  })

  test('whatever else the bytes are, with the same error and no other', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(refusal(bytes)).toMatch(/^schedule line \d+: .+/)
      }),
    )
    const whole = text('warm')
    fc.assert(
      fc.property(fc.nat(whole.length - 2), fc.string({ minLength: 1, maxLength: 3 }), (at, noise) => {
        expect(refusal(whole.slice(0, at) + noise + whole.slice(at + 1))).toMatch(/^(accepted|schedule line \d+: .+)/)
      }),
    )
  })
})
