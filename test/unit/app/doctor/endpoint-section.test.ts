import { describe, expect, it } from 'vitest'
import { doctor } from '../../../../src/app/doctor.ts'
import type { DoctorFinding, DoctorSection } from '../../../../src/app/doctor.ts'
import { endpointSection } from '../../../../src/app/doctor/endpoint-section.ts'
import { dialectNamed } from '../../../../src/core/dialect/choose.ts'
import type { ControlAnswer } from '../../../../src/core/dialect/control-answers.ts'
import { recordedEngine } from '../../../fakes/recorded-engine.ts'
import type { RecordedEngine } from '../../../fakes/recorded-engine.ts'

const never = new AbortController().signal

async function examined(
  probe: RecordedEngine,
  options: { dialect?: string; model?: string; keepsCache?: boolean } = {},
) {
  const { dialect, model = null, keepsCache = false } = options
  const section = endpointSection({
    probe,
    url: 'http://engine:8000',
    dialect: dialectNamed(dialect) ?? null,
    model,
    keepsCache,
  })
  const { usable, sections } = await doctor([section], never)
  const findings = sections[0]?.findings ?? []
  const of = (probeName: string): DoctorFinding | undefined => findings.find((finding) => finding.probe === probeName)
  const lacking = findings.filter(({ state }) => state !== 'pass').map(({ probe: name, state }) => `${state} ${name}`)
  return { usable, findings, of, lacking, report: sections[0] }
}

const vllm = () => recordedEngine('vllm', ['vllm/default', 'vllm/devmode'])

describe('engines that were recorded', () => {
  it('vLLM proves everything', async () => {
    const engine = vllm()
    const { usable, lacking, of, report } = await examined(engine)
    expect(lacking).toEqual([])
    expect(usable).toBe(true)
    expect(report?.facts).toMatchObject({
      dialect: 'vllm',
      version: '0.32.0',
      models: [{ id: 'tiny', maxModelLen: 2048 }],
    })
    expect(of('generation.exact_length')?.text).toBe('32 of 32 tokens came')
    expect(of('cache.cached_tokens')?.text).toBe('384 of 512 when the prompt was repeated')
    expect(of('cache.salt')?.text).toBe('384 cached tokens became 0')
    expect(of('cache.reset')?.text).toBe('384 cached tokens became 0')
    expect(engine.calls.filter(({ method }) => method === 'POST').length).toBeLessThanOrEqual(10)
    expect(engine.calls.every(({ deadlineMs, maximumBytes }) => deadlineMs <= 60_000 && maximumBytes <= 4 << 20)).toBe(
      true,
    )
  })

  it('llama-server lacks what it has no field for, and its version was not recorded', async () => {
    const { usable, lacking, of } = await examined(recordedEngine('llama-server', ['llama-server/default']))
    expect(lacking).toEqual([
      'unknown endpoint.version',
      'unknown generation.continuous_usage',
      'unknown generation.token_ids',
      'unknown cache.reset',
      'unknown metrics.kv',
    ])
    expect(usable).toBe(false)
    expect(of('endpoint.version')).toMatchObject({ required: true, cost: expect.stringContaining('identity.version') })
    expect(of('cache.cached_tokens')?.text).toBe('511 of 512 when the prompt was repeated')
    expect(of('metrics.restarts')?.state).toBe('pass')
  })

  it('llama-server that tells its version is usable', async () => {
    const text = '{"build_info":"b1-0c1e570","total_slots":4}'
    const props: ControlAnswer = { status: 200, contentType: 'application/json', text }
    const engine = recordedEngine('llama-server', ['llama-server/default'], { 'GET /props': props })
    expect(await examined(engine)).toMatchObject({ usable: true, report: { facts: { version: 'b1-0c1e570' } } })
  })

  it('llm-d’s simulator is no vLLM', async () => {
    const { lacking, of, report } = await examined(recordedEngine('llm-d-sim', ['llm-d-sim/default']))
    expect(report?.facts['dialect']).toBe('llm-d-sim')
    expect(lacking).toEqual(expect.arrayContaining(['unknown endpoint.version', 'unknown cache.reset']))
    expect(of('metrics.cache')).toMatchObject({ state: 'pass', text: 'prefixHits of prefixQueries' })
    expect(of('generation.exact_length')?.state).toBe('pass')
  })

  it('llama-cpp-python gives no usage, and is sent no request id', async () => {
    const engine = recordedEngine('llama-cpp-python', ['llamacpp-python/default'])
    const { usable, of, report } = await examined(engine)
    expect(report?.facts['dialect']).toBe('llama-cpp-python')
    expect(usable).toBe(false)
    expect(of('generation.usage')).toMatchObject({ state: 'fail', required: true })
    expect(of('requests.id_header')?.text).toMatch(/refuses one/)
    expect(engine.calls.some(({ headers }) => headers && 'x-request-id' in headers)).toBe(false)
    expect(of('requests.token_id_prompts')?.state).toBe('unknown')
    expect(of('metrics.page')).toMatchObject({ state: 'unknown', required: true })
  })

  it('llama-cpp-python spoken to as vLLM shows what breaks', async () => {
    const engine = recordedEngine('llama-cpp-python', ['llamacpp-python/default'])
    const { of } = await examined(engine, { dialect: 'vllm' })
    expect(of('endpoint.dialect')).toMatchObject({
      state: 'unknown',
      text: expect.stringMatching(/^llama-cpp-python fits better/),
    })
    expect(of('requests.id_header')).toMatchObject({ state: 'fail', text: expect.stringContaining('status 400') })
    expect(of('requests.token_id_prompts')).toMatchObject({
      state: 'fail',
      text: expect.stringContaining('status 500'),
    })
    expect(of('endpoint.health')).toMatchObject({ state: 'fail', required: true })
  })
})

describe('vLLM without', () => {
  const withControl = (replaced: Record<string, ControlAnswer | null>) =>
    recordedEngine('vllm', ['vllm/default', 'vllm/devmode'], replaced)

  it('its reset route is told to open it, and is usable', async () => {
    const text = '{"detail":"Not Found"}'
    const absent = withControl({ 'POST /reset_prefix_cache': { status: 404, contentType: 'application/json', text } })
    const { usable, of } = await examined(absent)
    expect(of('cache.reset')).toMatchObject({
      state: 'unknown',
      mend: expect.stringContaining('VLLM_SERVER_DEV_MODE=1'),
    })
    expect(usable).toBe(true)
  })

  it('an idle moment refuses the reset with a 200', async () => {
    const text = '{"success":false}'
    const busy = withControl({ 'POST /reset_prefix_cache': { status: 200, contentType: 'application/json', text } })
    expect((await examined(busy)).of('cache.reset')).toMatchObject({
      state: 'fail',
      text: expect.stringMatching(/refused/),
    })
  })

  it.each([
    ['no answer', null],
    ['HTML', { status: 200, contentType: 'text/html', text: '<html>' }],
    ['a 500 with a full body', { status: 500, contentType: 'text/plain', text: 'vllm:num_requests_running 0' }],
    ['an empty page', { status: 200, contentType: 'text/plain', text: '' }],
  ])('metrics (%s) is not usable', async (_what, answer) => {
    const { usable, of } = await examined(withControl({ 'GET /metrics': answer }))
    expect(of('metrics.page')).toMatchObject({
      state: 'fail',
      required: true,
      cost: expect.stringContaining('restarts'),
    })
    expect(usable).toBe(false)
  })

  it('the expected series is told which are missing', async () => {
    const text = 'vllm:generation_tokens_total{engine="0"} 3\nother 1\n'
    const { usable, of } = await examined(
      withControl({ 'GET /metrics': { status: 200, contentType: 'text/plain', text } }),
    )
    expect(of('metrics.restarts')?.state).toBe('pass')
    expect(of('metrics.queue')).toMatchObject({
      state: 'unknown',
      required: true,
      text: expect.stringContaining('num_requests_waiting'),
    })
    expect(usable).toBe(false)
  })

  it('exact lengths counts each early end as an error', async () => {
    const chunk = (text: string, finish: string | null) => ({ choices: [{ index: 0, text, finish_reason: finish }] })
    const usage = { choices: [], usage: { prompt_tokens: 12, completion_tokens: 2 } }
    const text = [chunk('a', null), chunk('b', 'stop'), usage].map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
    const early = withControl({
      'POST /v1/completions': { status: 200, contentType: 'text/event-stream', text: `${text}data: [DONE]\n\n` },
    })
    const { of, usable } = await examined(early)
    expect(of('generation.exact_length')).toMatchObject({ state: 'fail', required: true, text: '2 of 32 tokens came' })
    expect(of('generation.continuous_usage')?.state).toBe('unknown')
    expect(of('generation.token_ids')?.text).toBe('asked for, and they did not come')
    expect(usable).toBe(false)
  })

  it('a true word after a reset is found out by the next prompt', async () => {
    const lying = vllm()
    let resets = 0
    const engine: RecordedEngine = {
      calls: lying.calls,
      async call(call, signal) {
        if (!call.path.startsWith('/reset_prefix_cache')) return lying.call(call, signal)
        resets += 1
        return { answer: { status: 200, contentType: 'application/json', text: '{"success":true}' } }
      },
    }
    const { of } = await examined(engine)
    expect(resets).toBe(1)
    expect(of('cache.reset')).toMatchObject({
      state: 'fail',
      text: 'it says done, and 384 tokens still came from the cache',
    })
  })

  it('any model is asked for none', async () => {
    const none = { status: 200, contentType: 'application/json', text: '{"data":[]}' }
    const engine = withControl({ 'GET /v1/models': none })
    const { usable, of } = await examined(engine)
    expect(of('endpoint.models')).toMatchObject({ state: 'fail', text: '/v1/models lists no model' })
    expect(usable).toBe(false)
    expect(engine.calls.filter(({ path }) => path.includes('completions'))).toEqual([])
  })
})

describe('what it sends', () => {
  const bodies = (engine: RecordedEngine) =>
    engine.calls.filter(({ path }) => path.endsWith('completions')).map(({ body }) => JSON.parse(body ?? ''))

  it('is in the dialect’s words, and no word that the dialect does not have', async () => {
    const engine = vllm()
    await examined(engine)
    expect(bodies(engine)[0]).toMatchObject({
      model: 'tiny',
      stream: true,
      temperature: 0,
      max_tokens: 32,
      min_tokens: 32,
      ignore_eos: true,
      return_token_ids: true,
      stream_options: { include_usage: true, continuous_usage_stats: true },
    })
    expect(bodies(engine)[1]).toMatchObject({ max_completion_tokens: 32, messages: [{ role: 'user' }] })
    const other = recordedEngine('llama-server', ['llama-server/default'])
    await examined(other)
    const fields = new Set(bodies(other).flatMap((body) => Object.keys(body)))
    for (const foreign of ['min_tokens', 'return_token_ids', 'cache_salt', 'max_completion_tokens']) {
      expect(fields).not.toContain(foreign)
    }
  })

  it('is for a model that is there, where the one that is wanted is not', async () => {
    const engine = vllm()
    const { of, usable } = await examined(engine, { model: 'acme/dense-70b' })
    expect(of('endpoint.models')).toMatchObject({
      state: 'fail',
      text: expect.stringMatching(/^serves tiny .*, and not acme\/dense-70b$/),
    })
    expect(of('generation.completions')?.state).toBe('pass')
    expect(usable).toBe(false)
    expect((await examined(vllm(), { model: 'tiny' })).usable).toBe(true)
  })

  it('is nothing more after one that was not answered', async () => {
    const engine = recordedEngine('vllm', ['vllm/default'], { 'POST /v1/chat/completions': null })
    const { of } = await examined(engine)
    expect(of('generation.chat')).toMatchObject({ state: 'unknown', text: 'refuses connections' })
    expect(of('requests.id_header')?.text).toMatch(/not tried/)
    expect(engine.calls.filter(({ path }) => path.endsWith('completions'))).toHaveLength(2)
  })

  it('is no reset where the cache is to be kept', async () => {
    const engine = vllm()
    const { of } = await examined(engine, { keepsCache: true })
    expect(engine.calls.filter(({ path }) => path.startsWith('/reset'))).toEqual([])
    expect(of('cache.reset')).toBeUndefined()
  })

  it('is no more than one generation where nobody answers it', async () => {
    const engine = recordedEngine('vllm', [], { 'POST /v1/completions': null })
    const { of, usable } = await examined(engine)
    expect(of('generation.completions')).toMatchObject({ state: 'fail', text: 'refuses connections' })
    expect(engine.calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(usable).toBe(false)
  })

  it('is the plain fields where the dialect’s own are refused', async () => {
    const text = '{"object":"error","message":"extra_forbidden: return_token_ids","type":"BadRequestError","code":400}'
    const refusing = recordedEngine('vllm', ['vllm/default'], {})
    const engine: RecordedEngine = {
      calls: refusing.calls,
      async call(call, signal) {
        const isOwn = call.body?.includes('return_token_ids') === true
        const result = await refusing.call(call, signal)
        return isOwn ? { answer: { status: 400, contentType: 'application/json', text } } : result
      },
    }
    const { of } = await examined(engine, { dialect: 'vllm' })
    expect(of('generation.completions')).toMatchObject({
      state: 'fail',
      text: expect.stringMatching(
        /streams only without the dialect's own fields; with them: status 400.*extra_forbidden/,
      ),
    })
  })

  it('is nothing after everything was silent', async () => {
    const silent: RecordedEngine = {
      calls: [],
      call: async (call) => (silent.calls.push(call), { why: 'refuses connections' }),
    }
    const { usable, findings } = await examined(silent)
    expect(findings).toMatchObject([{ probe: 'endpoint.reachable', state: 'fail', text: 'refuses connections' }])
    expect(usable).toBe(false)
    expect(silent.calls.every(({ method }) => method === 'GET')).toBe(true)
  })
})

describe('engines known from documents', () => {
  it.each([
    ['sglang', '0.5.19'],
    ['tensorrt-llm', '1.3.0rc2'],
    ['dynamo', null],
  ])('%s is found by its surface', async (engine, version) => {
    const { report, of } = await examined(recordedEngine(engine, []))
    expect(report?.facts).toMatchObject({ dialect: engine, version })
    expect(of('endpoint.health')?.state).toBe('pass')
    expect(of('metrics.restarts')?.state).toBe('pass')
  })
})

describe('the diagnosis', () => {
  const section = (title: string, findings: Partial<DoctorFinding>[]): DoctorSection => ({
    examine: async () => ({ title, summary: [], findings: findings as DoctorFinding[], facts: {} }),
  })

  it('is of all sections, in their order, and only what is required counts', async () => {
    const fine = section('one', [
      { state: 'unknown', required: false },
      { state: 'pass', required: true },
    ])
    expect(await doctor([fine, section('two', [])], never)).toMatchObject({
      usable: true,
      sections: [{ title: 'one' }, { title: 'two' }],
    })
    const unknown = section('three', [{ state: 'unknown', required: true }])
    expect((await doctor([fine, unknown], never)).usable).toBe(false)
  })
})
