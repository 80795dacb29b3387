import { describe, expect, it, test } from 'vitest'
import type { ImportTool } from '../../../../src/core/record/import/tool.ts'
import { IMPORT_TOOLS } from '../../../../src/core/record/import/tool.ts'
import { fixtureJson, fixtureText, importText, refusalOf } from './import-value.ts'
import type { Change } from './import-value.ts'

const FILES: Record<ImportTool, string> = {
  aiperf: 'aiperf.jsonl',
  vllm: 'vllm.json',
  sglang: 'sglang.jsonl',
  guidellm: 'guidellm.json',
  'inference-perf': 'inference-perf.json',
}
const json = (value: unknown) => JSON.stringify(value)
const aiperfRecord = () => JSON.parse(fixtureText('aiperf.jsonl').split('\n')[1] ?? '')

describe('another tool’s file', () => {
  const pairs = IMPORT_TOOLS.flatMap((asked) =>
    IMPORT_TOOLS.filter((of) => of !== asked).map((of) => [asked, of] as const),
  )

  it.each(pairs)('asked for %s, given a file of %s, names it', async (asked, of) => {
    const refused = await refusalOf(asked, fixtureText(FILES[of]))
    expect(refused).toMatchObject({ code: 'import_wrong_tool', exitCode: 4, hint: `import it with --from ${of}` })
  })

  it.each([
    ['aiperf', { input_config: {}, request_latency: { avg: 1 } }],
    ['inference-perf', { load_summary: {}, successes: {}, failures: {} }],
  ] as const)('a summary of %s is told from its records', async (tool, value) => {
    const refused = await refusalOf(tool, json(value))
    expect(refused).toMatchObject({ code: 'import_not_detailed', message: expect.stringContaining('summary') })
  })

  it.each(['vllm', 'sglang'] as const)('%s without its details says how to have them', async (tool) => {
    const whole = JSON.parse(fixtureText(FILES[tool]).replaceAll(/ (NaN|Infinity)(?=[,}])/g, ' null'))
    for (const name of ['ttfts', 'itls', 'input_lens', 'output_lens', 'errors']) delete whole[name]
    const refused = await refusalOf(tool, json(whole))
    expect(refused).toMatchObject({ code: 'import_not_detailed', hint: expect.stringMatching(/detail/) })
  })
})

describe('a file that is no whole JSON', () => {
  it.each([...IMPORT_TOOLS])('%s, cut anywhere, is refused or a shorter file, never an exception', async (tool) => {
    const text = fixtureText(FILES[tool])
    for (let end = 0; end < text.length - 2; end += 97) {
      const cut = text.slice(0, end)
      const ended = await importText(tool, cut, { run: 1 }).then(
        () => 'read',
        (error: { code?: string }) => error.code ?? String(error),
      )
      expect(ended).toMatch(/^(read|import_\w+)$/)
    }
  })

  it.each([
    ['nothing', ''],
    ['blank lines', '\n \n\t\n'],
    ['a byte order mark', '\u{feff}'],
  ])('%s is empty', async (_, text) => {
    expect(await refusalOf('vllm', text)).toMatchObject({ code: 'import_empty' })
  })

  it('names the line of JSON Lines that is cut off, or no JSON', async () => {
    const line = json(aiperfRecord())
    expect(await refusalOf('aiperf', `${line}\n${line.slice(0, 200)}`)).toMatchObject({
      code: 'import_not_json',
      message: 'given.json: line 2 is cut off',
    })
    expect(await refusalOf('aiperf', `${line}\nrequest_id,class\n`)).toMatchObject({
      code: 'import_not_json',
      message: 'given.json: line 2 is no JSON: "request_id,class"',
    })
  })

  it('refuses bytes that are no text', async () => {
    const bytes = (async function* () {
      yield Uint8Array.of(0x7b, 0xff, 0x7d)
    })()
    const { readImport } = await import('../../../../src/core/record/import/read-import.ts')
    await expect(readImport('vllm', bytes, { file: 'f', run: null })).rejects.toMatchObject({ code: 'import_not_text' })
  })
})

describe('runs', () => {
  it.each([
    ['vllm', 'vllm-appended.jsonl', '2 runs', '--run 1 to --run 2'],
    ['sglang', 'sglang-appended.jsonl', '3 runs', '--run 1 to --run 3'],
    ['guidellm', 'guidellm.json', '2 benchmarks', '--run 1 to --run 2'],
  ] as const)('%s with several and none named is refused', async (tool, file, many, hint) => {
    const refused = await refusalOf(tool, fixtureText(file))
    expect(refused).toMatchObject({ code: 'import_run' })
    expect(refused.message).toContain(many)
    expect(refused.hint).toContain(hint)
  })

  it('a run that is not there is refused', async () => {
    expect(await refusalOf('sglang', fixtureText('sglang.jsonl'), { run: 2 })).toMatchObject({
      code: 'import_run',
      message: 'given.json: there is no run 2: it holds 1 run',
    })
  })

  it.each(['aiperf', 'inference-perf'] as const)('%s has no runs to choose from', async (tool) => {
    expect(await refusalOf(tool, fixtureText(FILES[tool]), { run: 1 })).toMatchObject({ code: 'import_run' })
  })

  it('a benchmark without requests, and a sample of them, are refused', async () => {
    const report = fixtureJson('guidellm.json')
    report.benchmarks[1].metrics.request_totals.total = 500
    expect(await refusalOf('guidellm', json(report), { run: 2 })).toMatchObject({ code: 'import_sampled' })
    report.benchmarks[1] = { ...report.benchmarks[1], requests: null }
    expect(await refusalOf('guidellm', json(report), { run: 2 })).toMatchObject({ code: 'import_not_detailed' })
    expect(await refusalOf('guidellm', json({ ...report, benchmarks: [] }))).toMatchObject({ code: 'import_run' })
  })
})

describe('values', () => {
  const changed = (change: Change) => {
    const run = fixtureJson('vllm.json')
    change(run)
    return json(run)
  }

  const values: [what: string, change: Change, code: string, message: RegExp][] = [
    ['arrays of different lengths', (run) => run.ttfts.pop(), 'import_misaligned', /ttfts 6/],
    ['a negative TTFT', (run) => (run.ttfts[1] = -0.1), 'import_negative', /request 2 has a negative TTFT/],
    ['a negative gap', (run) => (run.itls[0][1] = -1e-3), 'import_negative', /request 1 has a negative gap/],
    ['a gap that is no number', (run) => (run.itls[0][1] = 'x'), 'import_shape', /request 1/],
    ['a length that is no count', (run) => (run.output_lens[6] = 3.5), 'import_shape', /request 7 has a output_lens/],
    ['a text for a number', (run) => (run.latencies[0] = '83'), 'import_shape', /request 1/],
    ['an end before the first token', (run) => (run.latencies[0] = 0.02), 'import_times', /request 1 ended/],
    ['two clocks', (run) => (run.start_times[3] = 1_762_000_000), 'import_clocks', /request 1 and request 4/],
    [
      'answers that came in one piece',
      (run) => (run.itls = run.itls.map(() => [])),
      'import_not_streamed',
      /one piece/,
    ],
    [
      'no requests',
      (run) =>
        [
          'input_lens',
          'output_lens',
          'ttfts',
          'itls',
          'errors',
          'latencies',
          'start_times',
          'queue_times',
          'generated_texts',
        ].forEach((name) => (run[name] = [])),
      'import_empty',
      /no requests/,
    ],
  ]

  it.each(values)('%s is refused by its place', async (_, change, code, message) => {
    const refused = await refusalOf('vllm', changed(change))
    expect(refused).toMatchObject({ code, exitCode: 4, message: expect.stringMatching(message) })
    expect(refused.hint).not.toBe('')
  })

  it('an id that stands twice is refused, with both places', async () => {
    const line = json(aiperfRecord())
    const refused = await refusalOf('aiperf', `${line}\n${line}\n`)
    expect(refused).toMatchObject({ code: 'import_id' })
    expect(refused.message).toContain('line 2 has the id of line 1: "req-0001"')
  })

  const records: [what: string, change: Change, code: string][] = [
    ['a unit that is none', (record) => (record.metrics.request_latency.unit = 'ticks'), 'import_unit'],
    ['no unit', (record) => delete record.metrics.time_to_first_token.unit, 'import_unit'],
    ['another phase', (record) => (record.metadata.benchmark_phase = 'ramp'), 'import_shape'],
    ['no metadata', (record) => (record.metadata = null), 'import_shape'],
    ['an end before the start', (record) => (record.metadata.request_end_ns -= 1e9), 'import_negative'],
    ['tokens by halves', (record) => (record.metrics.output_sequence_length.value = 4.5), 'import_shape'],
  ]

  it.each(records)('AIPerf with %s is refused', async (_, change, code) => {
    const record = aiperfRecord()
    change(record)
    const refused = await refusalOf('aiperf', `${json(aiperfRecord())}\n${json(record)}\n`)
    expect(refused).toMatchObject({ code, message: expect.stringContaining('line 2') })
  })

  it('a wall clock that stepped back is refused', async () => {
    const report = fixtureJson('guidellm.json')
    report.benchmarks[1].requests.successful[0].info.timings.first_token_iteration -= 60
    const refused = await refusalOf('guidellm', json(report), { run: 2 })
    expect(refused).toMatchObject({ code: 'import_negative', hint: expect.stringContaining('clock stepped') })
  })

  it('a report without the details of its requests is refused', async () => {
    const list = fixtureJson('inference-perf.json')
    list[1].info = null
    expect(await refusalOf('inference-perf', json(list))).toMatchObject({
      code: 'import_not_detailed',
      message: expect.stringContaining('request 2'),
    })
  })
})

describe('classes', () => {
  it('a class for all', async () => {
    const cohort = await importText('vllm', fixtureText('vllm.json'), { choice: { name: 'chat' } })
    expect(new Set(cohort.requests.map((request) => request.class))).toEqual(new Set(['chat']))
    expect(cohort.requests[1]).toMatchObject({ status: 'error', errorCode: 'wrong_length' })
    expect(cohort.notes.join()).toContain('count as errors here: wrong_length 1')
  })

  it('a class that is none is refused with those that are', async () => {
    const refused = await refusalOf('vllm', fixtureText('vllm.json'), { choice: { name: 'chta' } })
    expect(refused).toMatchObject({ code: 'import_class', message: expect.stringContaining('has chat, summary') })
  })

  it('by lengths: an unmatched request is refused by its place, and a tolerance lets it in', async () => {
    const run = fixtureJson('vllm.json')
    run.input_lens = run.input_lens.map((tokens: number) => tokens + 5)
    const refused = await refusalOf('vllm', json(run))
    expect(refused).toMatchObject({ code: 'import_class' })
    expect(refused.message).toContain('request 1 has 69 input and 4 output tokens, which no class')
    const cohort = await importText('vllm', json(run), { choice: { lengthTolerance: 0.08 } })
    expect(cohort.requests.map((request) => request.class)).toEqual(
      (await importText('vllm', fixtureText('vllm.json'))).requests.map((request) => request.class),
    )
  })

  it('by lengths: what may be of two classes is refused, not guessed', async () => {
    const run = fixtureJson('vllm.json')
    const refused = await refusalOf('vllm', json(run), { choice: { lengthTolerance: 0.99 } })
    expect(refused).toMatchObject({ code: 'import_class', message: expect.stringContaining('may be chat or summary') })
  })

  it('no success that can be judged says that the manifest is the wrong one', async () => {
    const run = fixtureJson('vllm.json')
    run.output_lens = run.output_lens.map((tokens: number) => tokens * 2)
    const refused = await refusalOf('vllm', json(run))
    expect(refused).toMatchObject({ code: 'import_no_success', message: expect.stringContaining('3 are wrong_length') })
  })
})

test('a run in which everything failed is imported: it says a lot', async () => {
  const run = fixtureJson('vllm.json')
  run.errors = run.errors.map(() => 'Service Unavailable')
  const { requests } = await importText('vllm', json(run))
  expect(requests.map(({ status }) => status)).toEqual(Array(7).fill('rejected'))
})
