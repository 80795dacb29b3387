import { describe, expect, it } from 'vitest'
import { fixtureJson, fixtureText, importText, rowsOf } from './import-value.ts'

const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n')
const aiperfLines = () =>
  fixtureText('aiperf.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('what a tool lacks is empty, never zero', () => {
  const never: Record<string, string[]> = {
    aiperf: ['due_us', 'send_lag_ms', 'ttft_from_due_ms', 'cached_tokens', 'finish_reason', 'first_content_us'],
    vllm: ['due_us', 'send_lag_ms', 'e2e_from_due_ms', 'cached_tokens', 'session', 'turn', 'replica'],
    sglang: ['due_us', 'sent_us', 'first_token_us', 'last_token_us', 'end_us', 'chunks', 'gap_p50_ms', 'gap_max_ms'],
    guidellm: ['gap_p50_ms', 'gap_p95_ms', 'gap_max_ms', 'cached_tokens', 'replica'],
    'inference-perf': ['due_us', 'send_lag_ms', 'session', 'turn', 'replica'],
  }

  it.each([
    ['aiperf', 'aiperf.jsonl'],
    ['vllm', 'vllm.json'],
    ['sglang', 'sglang.jsonl'],
    ['guidellm', 'guidellm.json'],
    ['inference-perf', 'inference-perf.json'],
  ] as const)('%s', async (tool, file) => {
    const cohort = await importText(tool, fixtureText(file), tool === 'guidellm' ? { run: 1 } : {})
    for (const row of rowsOf(cohort))
      for (const column of never[tool] ?? []) expect([column, row[column]]).toEqual([column, ''])
  })

  it('a row that is not ok has 0 in the four measured columns, as the reference has it', async () => {
    const failed = rowsOf(await importText('vllm', fixtureText('vllm.json'))).filter(({ status }) => status !== 'ok')
    expect(failed).toHaveLength(4)
    for (const row of failed) {
      expect([row['ttft_ms'], row['tpot_ms'], row['e2e_ms'], row['output_tokens']]).toEqual(['0', '0', '0', '0'])
      expect(row['observed_output_tokens']).toBe('')
    }
  })
})

describe('AIPerf', () => {
  it('leaves warm-up records out and says how many', async () => {
    const cohort = await importText('aiperf', fixtureText('aiperf.jsonl'))
    expect(cohort.requests.map(({ id }) => id)).not.toContain('req-0900')
    expect(cohort.notes).toContain('warm-up records left out: 1')
  })

  it('trusts the unit of each metric', async () => {
    const record = aiperfLines()[1]
    for (const [value, unit] of [
      [60.125, 'ms'],
      [0.060125, 's'],
      [60_125, 'us'],
      [60_125_000, 'ns'],
    ]) {
      record.metrics.time_to_first_token = { value, unit }
      expect(rowsOf(await importText('aiperf', lines(record)))[0]?.['ttft_ms']).toBe('60.125')
    }
  })

  it('takes TPOT from E2E and TTFT, whatever the mean says that it calls inter-token latency', async () => {
    const rows = rowsOf(await importText('aiperf', fixtureText('aiperf.jsonl')))
    expect(rows.find(({ request_id }) => request_id === 'req-0001')?.['tpot_ms']).toBe('10.041667')
  })

  it('counts reasoning tokens as output', async () => {
    const rows = rowsOf(await importText('aiperf', fixtureText('aiperf.jsonl')))
    expect(rows[0]).toMatchObject({ request_id: 'req-0000', status: 'ok', output_tokens: '3' })
  })

  it('orders by sending, where the file is in the order of ending', async () => {
    const { requests } = await importText('aiperf', fixtureText('aiperf.jsonl'))
    expect(requests.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5].map((i) => `req-000${i}`))
  })

  it('tells cancellations, rejections and deadlines apart', async () => {
    const { requests } = await importText('aiperf', fixtureText('aiperf.jsonl'))
    expect(requests.slice(2, 5).map(({ status, errorCode, httpStatus }) => [status, errorCode, httpStatus])).toEqual([
      ['cancelled', 'planned_cancellation', null],
      ['rejected', 'http_status', 503],
      ['timeout', 'whole_deadline', null],
    ])
  })

  it('gives an id where the record has none, by its place', async () => {
    const [, first, second] = aiperfLines()
    delete first.metadata.x_request_id
    second.metadata.x_request_id = ''
    const { requests } = await importText('aiperf', lines(first, second))
    expect(requests.map(({ id }) => id).toSorted()).toEqual(['i-00001', 'i-00002'])
  })

  it('gives the duration from the first sent to the last end', async () => {
    const cohort = await importText('aiperf', fixtureText('aiperf.jsonl'))
    expect([cohort.durationSeconds, cohort.arrivalSeconds]).toEqual([30.8, 0.9])
  })
})

describe('vLLM', () => {
  it('reads perf_counter as a clock of its own, from the first start', async () => {
    const rows = rowsOf(await importText('vllm', fixtureText('vllm.json')))
    expect(rows.map(({ sent_us }) => sent_us)).toEqual([
      '0',
      '250000',
      '500000',
      '750000',
      '1000000',
      '1250000',
      '1500000',
    ])
  })

  it('calls a failure what has neither error nor token', async () => {
    const { requests } = await importText('vllm', fixtureText('vllm.json'))
    expect(requests[3]).toMatchObject({ status: 'error', errorCode: 'no_token', ttftUs: null, outputTokens: null })
  })

  it('names a failure by the last line of its traceback, and a rejection by its reason phrase', async () => {
    const { requests } = await importText('vllm', fixtureText('vllm.json'))
    expect(requests.map(({ status, errorCode }) => `${status} ${errorCode}`)).toEqual([
      'ok null',
      'ok null',
      'rejected http_status',
      'error no_token',
      'error connection_reset',
      'timeout whole_deadline',
      'ok null',
    ])
  })

  it('does without start times and latencies, as older files have it: E2E is TTFT and the gaps', async () => {
    const [newer, older] = [fixtureText('vllm.json'), fixtureText('vllm-older.json')]
    const spans = async (text: string) =>
      (await importText('vllm', text)).requests.map(({ ttftUs, e2eUs, status }) => [status, ttftUs, e2eUs])
    expect(await spans(older)).toEqual(await spans(newer))
    expect((await importText('vllm', older)).durationSeconds).toBe(2.75)
  })

  it('takes a start of 0 of a failure for none', async () => {
    const rows = rowsOf(await importText('vllm', fixtureText('vllm-rust.json')))
    expect(rows[2]).toMatchObject({ status: 'rejected', sent_us: '' })
    expect(rows[0]).toMatchObject({ status: 'ok', sent_us: '0' })
  })

  it('says that a capped client queued, and that its chat client takes the role chunk for a token', async () => {
    const run = { ...fixtureJson('vllm.json'), max_concurrency: 8, backend: 'openai-chat' }
    const { notes } = await importText('vllm', JSON.stringify(run))
    expect(notes).toEqual([expect.stringContaining('at most 8'), expect.stringContaining('role chunk')])
  })
})

describe('SGLang', () => {
  it('reads bare Infinity and NaN, and leaves those words in texts alone', async () => {
    expect(fixtureText('sglang.jsonl')).toContain('"request_rate": Infinity')
    expect(fixtureText('sglang-appended.jsonl')).toContain('"mean_ttft_ms": NaN')
    const third = await importText('sglang', fixtureText('sglang-appended.jsonl'), { run: 3 })
    expect(third.requests).toHaveLength(5)
  })

  it('adds TTFT and ITLs up to E2E, and keeps no gap of its own spreading', async () => {
    const [first] = (await importText('sglang', fixtureText('sglang.jsonl'))).requests
    expect(first).toMatchObject({ ttftUs: 60_000, e2eUs: 90_000, chunks: null, gapUs: null })
  })

  it('takes TTFT 0 for no token, though it is credited with the length that was asked for', async () => {
    const { requests } = await importText('sglang', fixtureText('sglang.jsonl'))
    expect(requests[2]).toMatchObject({ status: 'error', errorCode: 'no_token', ttftUs: null, outputTokens: null })
    expect(requests[2]?.cachedTokens).toBeNull()
  })
})

describe('GuideLLM', () => {
  const cohort = () => importText('guidellm', fixtureText('guidellm.json'), { run: 1 })

  it('keeps the targeted start as the due time', async () => {
    const rows = rowsOf(await cohort())
    expect(rows[2]).toMatchObject({
      request_id: 'g-3',
      send_lag_ms: '250.000',
      ttft_ms: '50.000',
      ttft_from_due_ms: '300.000',
    })
  })

  it('leaves out what lies outside the measured window, by the tool’s own rule', async () => {
    const { requests, notes } = await cohort()
    expect(requests.map(({ id }) => id)).toEqual(['g-1', 'g-2', 'g-3', 'g-4', 'g-5', 'g-6'])
    expect(notes[0]).toBe('requests outside the measured window (warm-up, cool-down) left out: 2')
  })

  it('takes neither the TPOT that includes the first token, nor the mean that it calls ITL', async () => {
    expect(rowsOf(await cohort())[0]?.['tpot_ms']).toBe('10.000000')
  })

  it('counts an answer without usage as an error: chunks are no tokens', async () => {
    const { requests } = await cohort()
    expect(requests[3]).toMatchObject({ id: 'g-4', status: 'error', errorCode: 'usage_missing', chunks: 4 })
  })

  it('keeps what the benchmark’s end cut off in the denominator', async () => {
    const { requests, notes } = await cohort()
    expect(requests[5]).toMatchObject({ id: 'g-6', status: 'error' })
    expect(notes.join()).toContain('cut off, which count as errors: 1')
  })

  it('names its version in the origin, cleaned', async () => {
    expect((await cohort()).origin).toBe('guidellm/0.8.1')
    const report = fixtureJson('guidellm.json')
    report.metadata.guidellm_version = '0.8,1"\n=x'
    expect((await importText('guidellm', JSON.stringify(report), { run: 1 })).origin).toBe('guidellm/0.81x')
  })
})

describe('inference-perf', () => {
  it('believes the engine’s usage and no text tokenized anew', async () => {
    const { requests } = await importText('inference-perf', fixtureText('inference-perf.json'))
    expect(requests[0]).toMatchObject({ status: 'ok', outputTokens: 4, cachedTokens: 32 })
    expect(requests[2]).toMatchObject({ status: 'error', errorCode: 'usage_missing' })
  })

  it('tells HTTP statuses, deadlines and connections apart', async () => {
    const { requests } = await importText('inference-perf', fixtureText('inference-perf.json'))
    expect(requests.slice(3).map(({ status, errorCode, httpStatus }) => [status, errorCode, httpStatus])).toEqual([
      ['rejected', 'http_status', 503],
      ['timeout', 'whole_deadline', null],
      ['error', 'connect_failed', null],
    ])
  })
})

it('writes one token as a request whose last token is its first', async () => {
  const run = fixtureJson('vllm.json')
  run.output_lens[0] = 1
  const rows = rowsOf(await importText('vllm', JSON.stringify(run), { choice: { name: 'chat' } }))
  expect(rows[0]).toMatchObject({ status: 'error', error_code: 'wrong_length', last_token_us: '50000' })
})
