import { describe, expect, it } from 'vitest'
import { classChooser } from '../../../../src/core/record/import/class-choice.ts'
import { untold } from '../../../../src/core/record/import/imported-request.ts'
import { fixtureJson, fixtureText, importText, refusalOf, rowsOf } from './import-value.ts'
import type { Change } from './import-value.ts'

const json = (value: unknown) => JSON.stringify(value)
const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const vllm = (change: Change) => {
  const run = fixtureJson('vllm.json')
  change(run)
  return json(run)
}
const older = (change: Change) =>
  vllm((run) => {
    delete run.latencies
    delete run.start_times
    change(run)
  })
const aiperf = (...changes: Change[]) =>
  changes
    .map((change) => {
      const record = JSON.parse(fixtureText('aiperf.jsonl').split('\n')[1] ?? '')
      change(record)
      return json(record)
    })
    .join('\n')
const withId = (id: string): Change => {
  return (record) => (record.metadata.x_request_id = id)
}

describe('a value nested deeper than a stack goes', () => {
  it.each([
    ['vllm', fixtureText('vllm.json').replace('"input_lens": [64', `"input_lens": [${DEEP}`), /request 1 .*: a list/],
    ['vllm', fixtureText('vllm.json').replace('"duration": 2.75', `"duration": ${DEEP}`), /duration .*: a list/],
    ['vllm', fixtureText('vllm.json').replace('"itls": [[0.01', `"itls": [[${DEEP}`), /a gap .*: a list/],
    ['aiperf', fixtureText('aiperf.jsonl').replace('"req-0001"', DEEP), /line 2, metadata .*: a list/],
  ] as const)('%s refuses it by its place and kind', async (tool, text, message) => {
    expect(await refusalOf(tool, text)).toMatchObject({
      code: 'import_shape',
      message: expect.stringMatching(message),
    })
  })

  it('a number that no double holds is named as what it was read as', async () => {
    const text = fixtureText('vllm.json').replace('"ttfts": [0.05', '"ttfts": [1e999')
    expect((await refusalOf('vllm', text)).message).toContain('request 1 has a ttfts that is no number: "Infinity"')
  })
})

describe('moments of two clocks in one record', () => {
  const values: [string, string, Change, RegExp][] = [
    ['vllm', 'a latency of epoch seconds', (run) => (run.latencies[0] = 1_762_000_000), /request 1 has a latency/],
    ['vllm', 'a latency beyond all', (run) => (run.latencies[0] = 1e308), /request 1 has a latency/],
    ['vllm', 'a TTFT beyond all', (run) => (run.ttfts[0] = 1e308), /request 1 has a TTFT/],
    ['vllm', 'a start from which its run is far', (run) => (run.start_times[1] = 5), /request 2 and request 7/],
    [
      'inference-perf',
      'an end of epoch seconds',
      (list) => (list[0].end_time = 1.762e9),
      /request 1 has a span to end/,
    ],
    [
      'inference-perf',
      'chunks of epoch seconds',
      (list) => (list[0].info.response_metrics.chunk_times = [1.762e9, 1.762e9 + 1]),
      /request 1 has a TTFT/,
    ],
    [
      'guidellm',
      'an end of another clock',
      (report) => (report.benchmarks[0].requests.successful[2].info.timings.request_end = 5e12),
      /successful request \d+ and .*successful request 3/,
    ],
  ]

  it.each(values)('%s: %s', async (tool, _, change, message) => {
    const value = fixtureJson(`${tool}.json`)
    change(value)
    const refused = await refusalOf(tool as 'vllm', json(value), tool === 'guidellm' ? { run: 1 } : {})
    expect(refused).toMatchObject({ code: 'import_clocks', message: expect.stringMatching(message) })
  })

  it('AIPerf: an end that is no moment', async () => {
    const text = aiperf(
      () => {},
      (record) => Object.assign(record.metadata, { x_request_id: 'b', request_end_ns: 1e300 }),
    )
    expect(await refusalOf('aiperf', text)).toMatchObject({ code: 'import_clocks' })
  })

  it('GuideLLM: an end a little before the start is a clock that stepped', async () => {
    const report = fixtureJson('guidellm.json')
    const { timings } = report.benchmarks[0].requests.errored[0].info
    Object.assign(timings, { request_start: timings.targeted_start, request_end: timings.targeted_start - 0.25 })
    expect(await refusalOf('guidellm', json(report), { run: 1 })).toMatchObject({
      code: 'import_negative',
      message: expect.stringContaining('ended 250000 µs before it was sent'),
    })
  })
})

describe('a run’s own duration', () => {
  it.each([-1, 0, 1e308])('of %d s is none', async (duration) => {
    const refused = await refusalOf(
      'vllm',
      older((run) => (run.duration = duration)),
    )
    expect(refused).toMatchObject({ code: 'import_times', message: expect.stringContaining('has a duration of') })
  })

  it('that the file lacks is not made up', async () => {
    expect(
      (
        await importText(
          'vllm',
          older((run) => delete run.duration),
        )
      ).durationSeconds,
    ).toBeNull()
  })
})

describe('ids and sessions', () => {
  it.each([
    ['a\0', 'a\u{fffd}'],
    ['\ud800', '\u{fffd}'],
  ])('%j and %j would be one id in a file, and are refused as one', async (one, other) => {
    expect(await refusalOf('aiperf', aiperf(withId(one), withId(other)))).toMatchObject({ code: 'import_id' })
  })

  it('a formula and its guarded form stay two', async () => {
    const cohort = await importText('aiperf', aiperf(withId('=1'), withId("'=1")))
    expect(rowsOf(cohort).map(({ request_id }) => request_id)).toEqual(["'=1", "''=1"])
  })

  it.each([
    ['id', withId('x'.repeat(200_000))],
    [
      'session',
      (record: { metadata: object }) => Object.assign(record.metadata, { x_correlation_id: 'x'.repeat(1025) }),
    ],
  ] as [string, Change][])('an %s that no row holds is refused', async (name, change) => {
    const refused = await refusalOf('aiperf', aiperf(change))
    expect(refused).toMatchObject({ code: 'import_text', message: expect.stringContaining(`as its ${name};`) })
    expect(refused.message.length).toBeLessThan(200)
  })
})

it.each(['vllm', 'sglang'] as const)('%s: hundreds of gaps add up to the end without their roundings', async (tool) => {
  const run = fixtureJson('vllm.json')
  for (const name of ['latencies', 'start_times']) delete run[name]
  if (tool === 'sglang') {
    for (const name of ['endpoint_type', 'num_prompts', 'burstiness', 'model_id']) delete run[name]
    run.server_info = {}
  }
  run.itls[0] = Array(2000).fill(0.0100005)
  const { requests } = await importText(tool, json(run))
  expect(requests[0]?.e2eUs).toBe(50_000 + 20_001_000)
})

describe('a length’s tolerance', () => {
  // 0.29 · 100 is 28.999999999999996, and 0.07 · 300 is 21.000000000000004.
  it.each([
    [0.29, 100, 129, true],
    [0.29, 100, 71, true],
    [0.29, 100, 130, false],
    [0.07, 300, 321, true],
    [0.07, 300, 322, false],
    [0, 100, 100, true],
    [0, 100, 101, false],
  ])('of %d takes what lies that far from %d, to the token: %d %s', (lengthTolerance, length, input, isTaken) => {
    const choose = classChooser({ lengthTolerance }, [{ name: 'a', input_tokens: length, output_tokens: 4 }], 'f')
    const chosen = () => {
      try {
        return choose({ ...untold('request 1'), inputTokens: input, outputTokens: 4 }).name
      } catch (error) {
        return (error as { code: string }).code
      }
    }
    expect(chosen()).toBe(isTaken ? 'a' : 'import_class')
  })
})

it('of two classes with the same input length, the output length tells', () => {
  const classes = [
    { name: 'brief', input_tokens: 100, output_tokens: 4 },
    { name: 'long', input_tokens: 100, output_tokens: 40 },
  ]
  const choose = classChooser({ lengthTolerance: 0 }, classes, 'f')
  const request = (outputTokens: number | null) => ({ ...untold('request 1'), inputTokens: 100, outputTokens })
  expect([choose(request(40)).name, choose(request(4)).name]).toEqual(['long', 'brief'])
  for (const unclear of [5, null]) expect(() => choose(request(unclear))).toThrow(/may be brief or long/)
})
