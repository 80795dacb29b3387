import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeTelemetry, parseTelemetry } from '../../../src/core/telemetry/file.ts'
import type { TelemetryLine } from '../../../src/core/telemetry/line.ts'

const point: TelemetryLine = {
  t: 'point',
  facts: {
    schema: 1,
    key: { cache: 'cold', load: { openMilliRps: 20_000 }, repeat: 1 },
    epoch: 7,
    scheduleSha256: 'a'.repeat(64),
    deployId: 'boot-1',
    dialect: 'vllm',
    replicas: 2,
    cohortRequests: 10,
    arrivalUs: 5_000_000,
    cohortUs: 6_000_000,
    maximumReached: false,
    stoppedEarly: null,
    warmupRequests: 3,
  },
}

const blames = fc.constantFrom('engine', 'client', 'host')
const whole = fc.nat()
const line: fc.Arbitrary<TelemetryLine> = fc.oneof(
  fc.record({
    t: fc.constant('client'),
    atUs: fc.integer(),
    inFlight: whole,
    backlog: whole,
    sent: whole,
    resolved: whole,
    loopStallUs: whole,
    loopBlindUs: whole,
    gcMaxUs: whole,
    gcUs: whole,
    cpuUs: whole,
  }),
  fc.record({
    t: fc.constant('engine'),
    atUs: fc.integer(),
    replica: whole,
    values: fc.dictionary(
      // The dialect's own names are all that is kept, and none is this one, which no parser keeps as a field.
      fc.string().filter((name) => name !== '__proto__'),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      {
        noNullPrototype: true,
      },
    ),
  }),
  fc.record({ t: fc.constant('gap'), atUs: fc.integer(), replica: whole, error: fc.string() }),
  fc.record({
    t: fc.constant('event'),
    atUs: fc.integer(),
    replica: fc.option(whole),
    kind: fc.string(),
    blames,
    text: fc.string(),
  }),
  fc.record({
    t: fc.constant('evidence'),
    evidence: fc.record(
      {
        probe: fc.string(),
        state: fc.constantFrom('pass', 'fail', 'unknown'),
        required: fc.boolean(),
        blames,
        value: fc.integer(),
        text: fc.string(),
      },
      { requiredKeys: ['probe', 'state', 'required', 'blames'] },
    ),
  }),
) as fc.Arbitrary<TelemetryLine>

describe('telemetry.jsonl', () => {
  test('reads back what was written', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        expect(parseTelemetry(encodeTelemetry([point, ...lines]))).toEqual([point, ...lines])
      }),
    )
  })

  test.each([
    ['', /line 1/],
    ['not json\n', /line 1: it is no JSON/],
    [`${encodeTelemetry([point])}{"t":"gap"}\n`, /line 2: atUs/],
    [`${encodeTelemetry([point])}{"t":"engine","atUs":1,"replica":0,"values":{"a":null}}\n`, /line 2: values\.a/],
    [encodeTelemetry([point]).slice(0, -1), /line 1: it does not end with a line feed/],
    [encodeTelemetry([{ t: 'gap', atUs: 0, replica: 0, error: '' }]), /line 1: it does not hold the point’s facts/],
  ])('refuses %j', (text, message) => {
    const damaged = expect.objectContaining({
      code: 'telemetry_damaged',
      exitCode: 4,
      message: expect.stringMatching(message),
    })
    expect(() => parseTelemetry(text)).toThrowError(damaged)
  })
})
