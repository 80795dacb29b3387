import { describe, expect, test } from 'vitest'
import { headFailure } from '../../../src/core/stream/answer-head.ts'
import { AnswerStream } from '../../../src/core/stream/answer-stream.ts'
import { Dechunker, recorded, recordedReads } from './recorded.ts'

// What real engines sent, and what each stream holds, counted apart from the reader (by usage, ids, texts and finish reasons).
// Columns: name, shape, tokens asked, choices, continuous usage asked, then status, code, token-bearing chunks, input, output
// and cached tokens, finish reason.
test.each([
  ['llama-server/default/chat_stream_exact32_continuous', 'chat', 32, 1, true, 'ok', null, 32, 31, 32, 30, 'length'],
  ['llama-server/default/chat_stream_n2', 'chat', null, 2, true, 'ok', null, 64, 31, 32, 30, 'length'],
  [
    'llama-server/default/comp_stream_batch_prompts',
    'completions',
    null,
    2,
    true,
    'ok',
    null,
    64,
    12,
    32,
    11,
    'length',
  ],
  [
    'llama-server/default/comp_stream_exact32_continuous',
    'completions',
    32,
    1,
    true,
    'ok',
    null,
    32,
    12,
    32,
    11,
    'length',
  ],
  [
    'llama-server/default/comp_stream_usage_false',
    'completions',
    16,
    1,
    false,
    'error',
    'wrong_length',
    1,
    12,
    2,
    11,
    'stop',
  ],
  ['llama-server/default/prefix_512_2', 'completions', 8, 1, false, 'ok', null, 8, 512, 8, 511, 'length'],
  [
    'llama-server/sigterm/sigterm_comp_stream',
    'completions',
    800,
    1,
    true,
    'error',
    'cut_body',
    13,
    null,
    null,
    null,
    null,
  ],
  [
    'llamacpp-python/crash-sigill/comp_stream_plain_no_usage',
    'completions',
    16,
    1,
    false,
    'error',
    'cut_body',
    0,
    null,
    null,
    null,
    null,
  ],
  [
    'llamacpp-python/default/chat_stream_exact32_continuous',
    'chat',
    32,
    1,
    true,
    'error',
    'usage_missing',
    32,
    null,
    null,
    null,
    'length',
  ],
  [
    'llamacpp-python/default/comp_stream_exact32',
    'completions',
    32,
    1,
    false,
    'error',
    'usage_missing',
    32,
    null,
    null,
    null,
    'length',
  ],
  [
    'llamacpp-python/interrupt/int_stream_0',
    'completions',
    100,
    1,
    false,
    'error',
    'done_without_finish',
    1,
    null,
    null,
    null,
    null,
  ],
  ['llm-d-sim/default/chat_stream_exact32_continuous', 'chat', 32, 1, true, 'ok', null, 32, 27, 32, 16, 'length'],
  [
    'llm-d-sim/default/chat_stream_plain_no_usage',
    'chat',
    16,
    1,
    false,
    'error',
    'usage_missing',
    3,
    null,
    null,
    null,
    'stop',
  ],
  ['llm-d-sim/default/comp_stream_exact32', 'completions', 32, 1, false, 'ok', null, 32, 12, 32, 0, 'length'],
  [
    'llm-d-sim/default/disc_stream_closed_after_5',
    'completions',
    1500,
    1,
    false,
    'error',
    'cut_body',
    5,
    null,
    null,
    null,
    null,
  ],
  ['vllm/api-sigkill/apikill_comp_stream', 'completions', 1000, 1, true, 'error', 'cut_body', 200, 5, 200, null, null],
  ['vllm/default/chat_stream_exact32', 'chat', 32, 1, false, 'ok', null, 31, 24, 32, 0, 'length'],
  ['vllm/default/chat_stream_exact32_continuous', 'chat', 32, 1, true, 'ok', null, 32, 24, 32, 0, 'length'],
  [
    'vllm/default/chat_stream_plain_no_usage',
    'chat',
    16,
    1,
    false,
    'error',
    'usage_missing',
    16,
    null,
    null,
    null,
    'length',
  ],
  ['vllm/default/chat_stream_stream_interval4', 'chat', 32, 1, true, 'ok', null, 9, 24, 32, 0, 'length'],
  ['vllm/default/chat_stream_token_ids', 'chat', 32, 1, false, 'ok', null, 32, 24, 32, 0, 'length'],
  ['vllm/default/chat_stream_token_ids_continuous', 'chat', 32, 1, true, 'ok', null, 32, 24, 32, 0, 'length'],
  ['vllm/default/comp_stream_exact32', 'completions', 32, 1, false, 'ok', null, 26, 12, 32, 0, 'length'],
  ['vllm/default/comp_stream_exact32_continuous', 'completions', 32, 1, true, 'ok', null, 32, 12, 32, 0, 'length'],
  ['vllm/default/comp_stream_max_tokens_1', 'completions', 1, 1, false, 'ok', null, 1, 12, 1, 0, 'length'],
  ['vllm/default/comp_stream_n2', 'completions', null, 2, true, 'ok', null, 64, 12, 64, 0, 'length'],
  ['vllm/default/comp_stream_stop_string', 'completions', 64, 1, false, 'error', 'wrong_length', 18, 12, 21, 0, 'stop'],
  ['vllm/default/comp_stream_stream_interval4', 'completions', 32, 1, true, 'ok', null, 9, 12, 32, 0, 'length'],
  ['vllm/default/comp_stream_token_ids', 'completions', 32, 1, false, 'ok', null, 32, 12, 32, 0, 'length'],
  ['vllm/default/comp_stream_token_ids_continuous', 'completions', 32, 1, true, 'ok', null, 32, 12, 32, 0, 'length'],
  ['vllm/default/comp_stream_token_prompt', 'completions', 32, 1, true, 'ok', null, 32, 64, 32, 0, 'length'],
  [
    'vllm/default/comp_stream_usage_false',
    'completions',
    16,
    1,
    false,
    'error',
    'usage_missing',
    13,
    null,
    null,
    null,
    'length',
  ],
  ['vllm/default/load_stream_1', 'completions', 256, 1, true, 'ok', null, 256, 26, 256, 0, 'length'],
  ['vllm/default/prefix_512_1', 'completions', 8, 1, false, 'ok', null, 8, 512, 8, 0, 'length'],
  ['vllm/default/prefix_512_2', 'completions', 8, 1, false, 'ok', null, 8, 512, 8, 384, 'length'],
  ['vllm/devmode/over_run_2', 'completions', 900, 1, true, 'rejected', 'in_stream_error', 0, null, null, null, null],
  ['vllm/dummy/dummy_comp_stream_0', 'completions', 32, 1, true, 'ok', null, 32, 3, 32, 0, 'length'],
  ['vllm/preempt-keepalive/pre_queued_0', 'completions', 32, 1, true, 'ok', null, 32, 7, 32, 0, 'length'],
  ['vllm/sigterm/sigterm_chat_stream', 'chat', 1800, 1, true, 'error', 'cut_body', 188, 9, 188, null, null],
] as const)(
  '%s',
  (name, shape, outputTokens, choices, continuousUsage, status, errorCode, chunks, input, output, cached, finish) => {
    const { httpStatus, header, body, isWhole } = recorded(name)
    expect(headFailure(httpStatus, header('content-type'), header('content-encoding'))).toBeNull()
    const stream = new AnswerStream({ shape, outputTokens, choices, continuousUsage })
    for (let at = 0; at < body.length; at += 1000) stream.push(body.subarray(at, at + 1000), at)
    const answer = stream.finish(isWhole ? 'clean' : 'cut_body', body.length)
    const { inputTokens, cachedTokens, finishReason, gapsUs, tokensPerChunk } = answer
    expect({ status: answer.status, errorCode: answer.errorCode, chunks: answer.chunks }).toEqual({
      status,
      errorCode,
      chunks,
    })
    expect({ inputTokens, outputTokens: answer.outputTokens, cachedTokens, finishReason }).toEqual({
      inputTokens: input,
      outputTokens: output,
      cachedTokens: cached,
      finishReason: finish,
    })
    expect(gapsUs).toHaveLength(Math.max(0, chunks - 1))
    const told = tokensPerChunk.reduce((sum, tokens) => sum + tokens, 0)
    expect([0, output]).toContain(told)
  },
)

describe('reads as they happened', () => {
  test.each([
    ['vllm/default/load_stream_1', 256],
    ['vllm/preempt-keepalive/pre_queued_0', 32],
    ['llama-server/default/chat_stream_exact32_continuous', 32],
  ] as const)('%s: an event’s time is its read’s', (name, outputTokens) => {
    const shape = name.includes('chat') ? 'chat' : 'completions'
    const reads = recordedReads(name)
    const stream = new AnswerStream({ shape, outputTokens, continuousUsage: true })
    for (const { bytes, atUs } of reads) stream.push(bytes, atUs)
    const last = reads.at(-1)?.atUs ?? 0
    const answer = stream.finish('clean', last)
    expect(answer.status).toBe('ok')
    const times = reads.map((read) => read.atUs)
    expect(times).toContain(answer.firstTokenUs)
    expect(times).toContain(answer.lastTokenUs)
    const sum = answer.gapsUs.reduce((total, gap) => total + gap, 0)
    expect(sum).toBe((answer.lastTokenUs ?? 0) - (answer.firstTokenUs ?? 0))
    expect(answer.chunks).toBe(outputTokens)
    // Fewer reads than events: those of one read share its time.
    expect(answer.gapsUs.filter((gap) => gap === 0).length).toBeGreaterThanOrEqual(outputTokens - reads.length)
  })

  test('framing comes off whatever the splits', () => {
    const framed = Buffer.from('5\r\nhello\r\nA\r\n, world!!!\r\n0\r\n\r\n')
    for (let size = 1; size <= framed.length; size++) {
      const framing = new Dechunker()
      let text = ''
      for (let at = 0; at < framed.length; at += size) text += framing.push(framed.subarray(at, at + size)).toString()
      expect([text, framing.isWhole]).toEqual(['hello, world!!!', true])
    }
  })
})

test.each([
  ['vllm/devmode/over_rejected_stream_0', 'rejected', 503],
  ['vllm/default/err_max_tokens_0_stream', 'error', 400],
] as const)('%s is refused by its head', (name, status, code) => {
  const { httpStatus, header } = recorded(name)
  expect(httpStatus).toBe(code)
  expect(headFailure(httpStatus, header('content-type'), undefined)).toEqual({ status, errorCode: 'http_status' })
})
