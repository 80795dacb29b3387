import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { resetEvidence } from '../../../../src/adapters/engine/cache-reset.ts'
import { engineControl } from '../../../../src/adapters/engine/control.ts'
import { FIXTURE } from '../../../../src/core/dialect/fixture-table.ts'
import { OPENAI } from '../../../../src/core/dialect/openai-table.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { processManifest } from '../../../fakes/manifest.ts'

const never = new AbortController().signal
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function engine(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const says =
  (body: string, status = 200, type = 'application/json'): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': type }).end(body)

const manifest = processManifest()

describe('the health of an engine', () => {
  it.each<[string, RequestListener, RegExp]>([
    ['503', says('', 503), /^answers 503$/],
    ['HTML with 200', says('<html>', 200, 'text/html; charset=utf-8'), /HTML/],
    ['HTML that says it is JSON', says('\n <!DOCTYPE html><p>'), /HTML/],
    ['a redirect', (_, response) => response.writeHead(307, { location: '/health2' }).end(), /answers 307/],
    [
      'an endless body',
      (_, response) => void setInterval(() => response.write('x'.repeat(65_536)), 1).unref(),
      /more than/,
    ],
    ['silence', () => undefined, /within 2000 ms/],
    ['a broken answer', (request) => request.socket.end('HTTP/1.1 2000 what\r\n\r\n'), /./],
  ])('is not taken for good from %s', async (_, answer, why) => {
    await using control = engineControl(FIXTURE, manifest)
    expect(await control.ill(await engine(answer), never)).toMatch(why)
  })

  it('is good with an empty 200', async () => {
    await using control = engineControl(FIXTURE, manifest)
    expect(await control.ill(await engine(says('')), never)).toBeNull()
  })

  it('is not asked once aborted', async () => {
    await using control = engineControl(FIXTURE, manifest)
    const controller = new AbortController()
    const asked = control.ill(await engine(() => controller.abort(new Error('enough'))), controller.signal)
    await expect(asked).rejects.toThrow('enough')
  })
})

describe('what an engine says of itself', () => {
  it.each([
    '',
    '[]',
    'null',
    '"1.0"',
    '{"version":1}',
    '{"version":{"a":1}}',
    '{"data":{}}',
    '{"data":7}',
    'x'.repeat(99),
  ])('is not believed from %j', async (body) => {
    await using control = engineControl(FIXTURE, manifest)
    const url = await engine(says(body))
    expect(await control.version(url, never)).toHaveProperty('why')
    expect(await control.models(url, never)).toHaveProperty('why')
    expect(await control.generate(url, 'fixture', 1000, never)).toMatchObject({ final: false })
    expect(await control.kvTokens(url, never)).toBeNull()
  })

  it('is its version and its models', async () => {
    await using control = engineControl(FIXTURE, manifest)
    const url = await engine(says('{"version":"1.0","data":[{"id":"a"},{"id":7},null,{"id":"b"}]}'))
    expect(await control.version(url, never)).toEqual({ value: '1.0' })
    expect(await control.models(url, never)).toEqual({ value: ['a', 'b'] })
  })

  it('has no version where the dialect knows no route', async () => {
    await using control = engineControl(OPENAI, manifest)
    expect(await control.version('http://127.0.0.1:1', never)).toHaveProperty('why')
  })

  it.each([
    ['{block_size="16",num_gpu_blocks="100"} 1', 1600],
    [
      '{engine="0",block_size="16",num_gpu_blocks="100"} 1\nvllm:cache_config_info{engine="1",block_size="16",num_gpu_blocks="50"} 1',
      2400,
    ],
    ['{block_size="16",num_gpu_blocks="None"} 1', null],
    ['{block_size="16"} 1', null],
    ['{block_size="1e999",num_gpu_blocks="2"} 1', null],
  ])('is the size of its KV cache: %s', async (labels, tokens) => {
    await using control = engineControl(FIXTURE, manifest)
    const url = await engine(says(`vllm:cache_config_info${labels}\n`, 200, 'text/plain'))
    expect(await control.kvTokens(url, never)).toBe(tokens)
  })
})

describe('one generation', () => {
  async function asked(change: Parameters<typeof processManifest>[0], client: object): Promise<[string, unknown]> {
    const seen: [string, unknown][] = []
    const read = async (request: IncomingMessage) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      return JSON.parse(Buffer.concat(chunks).toString()) as unknown
    }
    const url = await engine((request, response) => {
      void read(request).then((body) => {
        seen.push([request.url ?? '', body])
        response.end('{"choices":[{"text":"a"}]}')
      })
    })
    const base = processManifest(change)
    await using control = engineControl(FIXTURE, { ...base, client: { ...base.client, ...client } })
    expect(await control.generate(url, 'fixture', 5000, never)).toEqual({ ms: expect.any(Number) })
    return seen[0]!
  }

  it('is asked in token ids, with a prompt too short to stay in a prefix cache', async () => {
    const body = { model: 'fixture', prompt: [1000, 1001], max_tokens: 1, temperature: 0 }
    expect(await asked({}, {})).toEqual(['/v1/completions', body])
  })

  it('is asked as a chat where the manifest measures chats', async () => {
    const [path, body] = await asked({}, { endpoint: 'chat' })
    expect(path).toBe('/v1/chat/completions')
    expect(body).toMatchObject({ messages: [{ role: 'user', content: 'ready' }] })
  })

  it.each([
    [400, true],
    [404, true],
    [429, false],
    [500, false],
    [503, false],
  ])('that is answered %i is final: %s', async (status, final) => {
    await using control = engineControl(FIXTURE, manifest)
    const outcome = await control.generate(await engine(says('{"choices":[{}]}', status)), 'fixture', 1000, never)
    expect(outcome).toMatchObject({ final, why: expect.stringContaining(`answers ${status}`) })
  })
})

describe('a reset', () => {
  it.each([
    ['{"success":true}', 200, 'pass'],
    ['{"success":false}', 200, 'fail'],
    ['{"success":"true"}', 200, 'unknown'],
    ['', 200, 'unknown'],
    ['done', 200, 'unknown'],
    ['{"success":true}', 500, 'fail'],
    ['{"detail":"Not Found"}', 404, 'unknown'],
  ])('that answers %j with %i is %s', async (body, status, state) => {
    await using control = engineControl(FIXTURE, manifest)
    expect(await control.reset(await engine(says(body, status)), never)).toMatchObject({ state })
  })

  it('is unknown where the engine has none', async () => {
    await using control = engineControl(OPENAI, manifest)
    expect(await control.reset('http://127.0.0.1:1', never)).toMatchObject({ state: 'unknown' })
  })

  it('that one replica goes on refusing fails for all, naming it', async () => {
    let asked = 0
    const clock = fakeClock({ mode: 'auto' })
    await using control = engineControl(FIXTURE, manifest)
    const stubborn = {
      ...control,
      reset: async (url: string) => {
        if (url === 'http://a') return { state: 'pass' as const, text: 'reset' }
        asked += 1
        return { state: 'fail' as const, text: 'refused' }
      },
    }
    const order = { manifest, dialect: FIXTURE, deployId: 'd', log: { write: () => undefined } }
    const replicas = ['http://a', 'http://b'].map((url, index) => ({ index, url }))
    const evidence = await resetEvidence(order, replicas, stubborn, clock, never)
    expect(evidence).toEqual({
      probe: 'cache_hit.reset',
      state: 'fail',
      required: true,
      blames: 'host',
      text: 'replica 1: refused',
    })
    expect(asked).toBe(26)
  })
})
