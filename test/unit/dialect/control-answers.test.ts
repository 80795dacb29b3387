import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIALECTS } from '../../../src/core/dialect/choose.ts'
import {
  readHealth,
  readModels,
  readReset,
  readVersion,
  valueAtField,
} from '../../../src/core/dialect/control-answers.ts'
import type { ControlAnswer } from '../../../src/core/dialect/control-answers.ts'
import type { CacheReset } from '../../../src/core/dialect/dialect.ts'
import { DYNAMO } from '../../../src/core/dialect/dynamo-table.ts'
import { LLAMA_SERVER } from '../../../src/core/dialect/llama-server-table.ts'
import { SGLANG } from '../../../src/core/dialect/sglang-table.ts'
import { VLLM } from '../../../src/core/dialect/vllm-table.ts'
import { allControlAnswers } from '../../fakes/recorded-engine.ts'

const json = (value: unknown, status = 200): ControlAnswer => ({
  status,
  contentType: 'application/json',
  text: JSON.stringify(value),
})
const plain = (text: string, status = 200): ControlAnswer => ({ status, contentType: 'text/plain', text })
const page = { status: 200, contentType: 'text/html', text: '<!doctype html><title>Welcome</title>' }

describe('health', () => {
  it('is the status where the engine says no more', () => {
    expect(readHealth(VLLM, plain(''))).toEqual({ value: true })
    expect(readHealth(VLLM, plain('', 503))).toMatchObject({ why: 'answers 503' })
    expect(readHealth(VLLM, page)).toMatchObject({ why: expect.stringContaining('HTML') })
  })

  it('is the body’s word where a 200 may hold the contrary', () => {
    expect(readHealth(DYNAMO, json({ status: 'healthy', endpoints: [] }))).toEqual({ value: true })
    const unhealthy = { instances: [], message: 'No endpoints available', status: 'unhealthy' }
    expect(readHealth(DYNAMO, json(unhealthy))).toMatchObject({ said: 'unhealthy' })
    expect(readHealth(DYNAMO, json({}))).toMatchObject({ why: expect.stringContaining('healthy or ready') })
    expect(readHealth(DYNAMO, plain('ok'))).toMatchObject({ why: expect.stringContaining('no JSON') })
    expect(readHealth(LLAMA_SERVER, json({ status: 'ok' }))).toEqual({ value: true })
    const loading = { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }
    expect(readHealth(LLAMA_SERVER, json(loading, 503))).toMatchObject({ why: 'answers 503' })
  })
})

describe('a version', () => {
  it('is a text at its place, however deep', () => {
    const place = { path: '/openapi.json', field: 'info.version' }
    expect(readVersion(place, json({ info: { version: '0.3.36' } }))).toEqual({ value: '0.3.36' })
    for (const wrong of [{ info: {} }, { info: { version: 3 } }, { info: { version: '' } }, {}, [], 'text', null]) {
      expect(readVersion(place, json(wrong))).toMatchObject({ why: 'told no info.version' })
    }
  })

  it('is never one of an object’s own kind', () => {
    expect(valueAtField({}, 'constructor.name')).toBeUndefined()
    expect(valueAtField({ a: [] }, 'a.length')).toBe(0)
    expect(valueAtField(null, 'a')).toBeUndefined()
  })
})

describe('model cards', () => {
  it('keep what can be read of them', () => {
    const data = [
      { id: 'a', owned_by: 'vllm', root: '/m', max_model_len: 8 },
      { id: 7 },
      null,
      { id: 'b', max_model_len: 'x' },
    ]
    expect(readModels(json({ data }))).toEqual({
      value: [
        { id: 'a', ownedBy: 'vllm', root: '/m', maxModelLen: 8 },
        { id: 'b', ownedBy: null, root: null, maxModelLen: null },
      ],
    })
    expect(readModels(json({ models: [] }))).toMatchObject({ why: 'told no list of models' })
  })
})

describe('a reset', () => {
  const reset = (table: { reset: CacheReset | null }, answer: ControlAnswer) => {
    if (table.reset === null) throw new Error('the table has no reset')
    return readReset(table.reset, table.reset.paths[0] ?? '', answer).state
  }

  it('is what vLLM’s recorded bodies say, whatever their status', () => {
    const recorded = allControlAnswers('vllm').filter(({ path }) => path.startsWith('/reset_prefix_cache'))
    expect(recorded.map((answer) => [answer.status, answer.text, reset(VLLM, answer)])).toEqual([
      [200, '{"success":true}', 'done'],
      [200, '{"success":false}', 'refused'],
      [404, '{"detail":"Not Found"}', 'absent'],
    ])
    expect(reset(VLLM, plain(''))).toBe('unknown')
    expect(reset(VLLM, json({ ok: true }))).toBe('unknown')
    expect(reset(VLLM, json({ success: 'true' }))).toBe('unknown')
    expect(reset(VLLM, page)).toBe('refused')
    expect(reset(VLLM, plain('no', 500))).toBe('refused')
  })

  it('is the status where that is all that SGLang says', () => {
    expect(reset(SGLANG, plain('Cache flushed.'))).toBe('done')
    expect(reset(SGLANG, plain('Flush cache failed.', 400))).toBe('refused')
    expect(reset(SGLANG, plain('', 401))).toBe('refused')
    expect(reset(SGLANG, plain('', 202))).toBe('unknown')
    expect(reset(SGLANG, plain('', 405))).toBe('absent')
    expect(reset(SGLANG, page)).toBe('refused')
  })

  it('is what became of Dynamo’s workers, each of them', () => {
    const worker = { name: 'w', response: 'cleared' }
    expect(reset(DYNAMO, json({ cleared_workers: [worker], failed_workers: [] }))).toBe('done')
    expect(reset(DYNAMO, json({ cleared_workers: [worker] }))).toBe('done')
    expect(reset(DYNAMO, json({ cleared_workers: [worker], failed_workers: [worker] }))).toBe('refused')
    expect(reset(DYNAMO, json({ cleared_workers: [], failed_workers: [] }))).toBe('refused')
    expect(reset(DYNAMO, json({ message: 'No active worker groups found' }))).toBe('refused')
    expect(reset(DYNAMO, plain(''))).toBe('refused')
  })

  it('is never done for an answer that says something else', () => {
    const resets = DIALECTS.flatMap(({ reset: own }) => own ?? [])
    fc.assert(
      fc.property(fc.constantFrom(...resets), fc.integer({ min: 201, max: 599 }), fc.string(), (own, status, text) => {
        expect(readReset(own, '/x', plain(text, status)).state).not.toBe('done')
      }),
    )
  })
})
