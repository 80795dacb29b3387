import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttp } from 'node:http'
import type { RequestListener } from 'node:http'
import { constants, createSecureServer } from 'node:http2'
import { createServer as createHttps } from 'node:https'
import { connect, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { engineControl } from '../../../../src/adapters/engine/control.ts'
import { createReplay } from '../../../../src/adapters/replay/replay.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import type { EngineConnection } from '../../../../src/adapters/system/engine-connection.ts'
import { PLAIN_CONNECTION } from '../../../../src/adapters/system/engine-connection.ts'
import { engineOrigin } from '../../../../src/adapters/system/engine-origin.ts'
import { secretMask } from '../../../../src/adapters/system/secret-mask.ts'
import { OPENAI } from '../../../../src/core/dialect/openai-table.ts'
import type { ScheduleRow } from '../../../../src/core/schedule/schedule.ts'
import { testRows, testShape } from '../../../contract/replay/shape.ts'
import { tokenChunk } from '../../../contract/replay/stream-server.ts'
import { never, orderOn, watch } from '../../../contract/replay/watch.ts'

const clock = systemClock()
const tls = new URL('../../../../fixtures/tls/', import.meta.url)
const pem = (name: string): string => readFileSync(new URL(name, tls), 'utf8')
const identity = { key: pem('server.key'), cert: pem('server.pem') }
const trusting: EngineConnection = { ...PLAIN_CONNECTION, ca: pem('ca.pem') }

interface Seen {
  httpVersion: string
  authorization: string | undefined
  tenant: string | undefined
}

/** Answers every completion, and everything else with a list of one model. */
function answering(seen: Seen[]): RequestListener {
  return (message, response) => {
    const { authorization, 'x-tenant': tenant } = message.headers
    seen.push({
      httpVersion: message.httpVersion,
      authorization,
      tenant: tenant === undefined ? tenant : String(tenant),
    })
    message.resume()
    message.on('end', () => {
      if (message.method === 'GET') return response.end('{"data":[{"id":"fixture"}]}')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(wholeAnswer())
    })
  }
}

function wholeAnswer(reason = 'length'): string {
  const tokens = [1, 2, 3, 4].map((token) => tokenChunk(token === 4 ? reason : null)).join('')
  const usage = { prompt_tokens: 24, completion_tokens: 4, total_tokens: 28 }
  return `${tokens}data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`
}

async function listening(server: Server, path?: string): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => sockets.add(socket))
  if (path === undefined) server.listen(0, '127.0.0.1')
  else server.listen(path)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: address === null || typeof address === 'string' ? 0 : (address as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function endings(url: string, connection: EngineConnection, rows = testRows(8)) {
  const control = watch()
  const targets = [{ index: 0, url: engineOrigin(url) }]
  await createReplay(clock, connection).run(orderOn({ clock, targets }, { blocks: [rows] }), control, never)
  return control.records.map(({ status, errorCode, sentUs }) => ({
    outcome: errorCode ?? status,
    wasSent: sentUs !== null,
  }))
}

const all = (outcome: string, wasSent = true) => Array.from({ length: 8 }, () => ({ outcome, wasSent }))

describe('TLS', () => {
  it('is trusted with the given CA, for load and for control calls', async () => {
    const seen: Seen[] = []
    await using server = await listening(createHttps(identity, answering(seen)))
    const url = `https://localhost:${server.port}`
    expect(await endings(url, trusting)).toEqual(all('ok'))
    await using control = engineControl(OPENAI, testShape().manifest, trusting)
    expect(await control.models(url, never)).toEqual({ value: ['fixture'] })
    expect(new Set(seen.map(({ httpVersion }) => httpVersion))).toEqual(new Set(['1.1']))
  })

  it('fails by name without the CA, under another host name, and where the server speaks none', async () => {
    await using server = await listening(createHttps(identity, answering([])))
    expect(await endings(`https://localhost:${server.port}`, PLAIN_CONNECTION)).toEqual(all('tls_failed', false))
    await using plain = await listening(createHttp(answering([])))
    expect(await endings(`https://localhost:${plain.port}`, trusting)).toEqual(all('tls_failed', false))
    await using control = engineControl(OPENAI, testShape().manifest)
    const told = await control.models(`https://localhost:${server.port}`, never)
    expect('why' in told && told.why).toMatch(/certificate|SIGNATURE/i)
  })
})

describe('HTTP/2', () => {
  const http2: EngineConnection = { ...trusting, httpVersion: '2' }

  it('is spoken where it is asked for and offered, many requests on one connection', async () => {
    const seen: Seen[] = []
    const h2 = createSecureServer({ ...identity, allowHTTP1: true }, answering(seen) as never)
    let connections = 0
    h2.on('secureConnection', () => void (connections += 1))
    await using server = await listening(h2 as unknown as Server)
    expect(await endings(`https://localhost:${server.port}`, http2)).toEqual(all('ok'))
    expect(new Set(seen.map(({ httpVersion }) => httpVersion))).toEqual(new Set(['2.0']))
    expect(connections).toBeLessThan(8)
  })

  it('that refuses a stream unprocessed is asked once more, and the request was sent when it was sent first', async () => {
    const h2 = createSecureServer(identity)
    const refused = new Set<unknown>()
    let streams = 0
    h2.on('stream', (stream, { 'x-request-id': id }) => {
      streams += 1
      stream.on('error', () => {})
      if (!refused.has(id)) {
        refused.add(id)
        return stream.close(constants.NGHTTP2_REFUSED_STREAM)
      }
      stream.resume().on('end', () => {
        stream.respond({ ':status': 200, 'content-type': 'text/event-stream' })
        stream.end(wholeAnswer())
      })
    })
    await using server = await listening(h2 as unknown as Server)
    const control = watch()
    const targets = [{ index: 0, url: `https://localhost:${server.port}` }]
    await createReplay(clock, http2).run(orderOn({ clock, targets }, { blocks: [testRows(4)] }), control, never)
    expect(control.records.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok'])
    expect(streams).toBe(8)
    expect(control.samples.at(-1)).toMatchObject({ sent: 4, inFlight: 0, backlog: 0 })
  })

  it('is never replaced by HTTP/1.1', async () => {
    const seen: Seen[] = []
    await using server = await listening(createHttps(identity, answering(seen)))
    expect(await endings(`https://localhost:${server.port}`, http2)).toEqual(all('bad_http', false))
    expect(seen).toEqual([])
  })
})

describe('a Unix socket', () => {
  it('carries load and control calls', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'socket-'))
    try {
      const path = join(folder, 'engine.sock')
      await using _ = await listening(createHttp(answering([])), path)
      expect(await endings(`unix:${path}`, PLAIN_CONNECTION)).toEqual(all('ok'))
      await using control = engineControl(OPENAI, testShape().manifest)
      expect(await control.models(`unix:${path}`, never)).toEqual({ value: ['fixture'] })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('that is not there is a failed connection', async () => {
    expect(await endings('unix:/nonexistent/engine.sock', PLAIN_CONNECTION)).toEqual(all('connect_failed', false))
  })
})

describe('a proxy', () => {
  it('is used when it is asked for, by load and by control calls, and never by itself', async () => {
    const seen: Seen[] = []
    await using server = await listening(createHttp(answering(seen)))
    const tunnels: string[] = []
    const gate = createHttp((_, response) => response.writeHead(405).end())
    gate.on('connect', (message, socket) => {
      tunnels.push(message.url ?? '')
      const upstream = connect(server.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        upstream.pipe(socket).pipe(upstream)
      })
      for (const end of [socket, upstream]) end.on('error', () => {})
    })
    await using proxy = await listening(gate)
    const url = `http://127.0.0.1:${server.port}`
    const through: EngineConnection = { ...PLAIN_CONNECTION, proxy: `http://127.0.0.1:${proxy.port}` }
    expect(await endings(url, PLAIN_CONNECTION)).toEqual(all('ok'))
    expect(tunnels).toEqual([])
    expect(await endings(url, through)).toEqual(all('ok'))
    expect(new Set(tunnels)).toEqual(new Set([`127.0.0.1:${server.port}`]))
    const byLoad = tunnels.length
    await using control = engineControl(OPENAI, testShape().manifest, through)
    expect(await control.models(url, never)).toMatchObject({ value: ['fixture'] })
    expect(tunnels).toHaveLength(byLoad + 1)
  })

  it('that opens no tunnel is a failed connection', async () => {
    const gate = createHttp()
    gate.on('connect', (_, socket) => socket.end('HTTP/1.1 407 Who are you\r\ncontent-length: 0\r\n\r\n'))
    await using proxy = await listening(gate)
    const through: EngineConnection = { ...PLAIN_CONNECTION, proxy: `http://127.0.0.1:${proxy.port}` }
    expect(await endings('http://127.0.0.1:9', through)).toEqual(all('connect_failed', false))
    await using control = engineControl(OPENAI, testShape().manifest, through)
    const told = await control.models('http://127.0.0.1:9', never)
    expect(told).toMatchObject({ why: expect.stringContaining('(407)') })
  })
})

describe('headers', () => {
  it('and the bearer token are on every request, and what an engine says of the token is masked', async () => {
    const seen: Seen[] = []
    await using server = await listening(createHttp(answering(seen)))
    const url = `http://127.0.0.1:${server.port}`
    const headers = { 'x-tenant': 'gate', authorization: 'Bearer s3cret-token' }
    const connection: EngineConnection = { ...PLAIN_CONNECTION, headers, secrets: secretMask(['s3cret-token']) }
    expect(await endings(url, connection)).toEqual(all('ok'))
    await using control = engineControl(OPENAI, testShape().manifest, connection)
    await control.models(url, never)
    expect(seen).toHaveLength(9)
    for (const { authorization, tenant } of seen)
      expect([authorization, tenant]).toEqual(Object.values(headers).toReversed())
    await using echo = await listening(
      createHttp((message, response) => response.writeHead(401).end(`no ${message.headers.authorization}`)),
    )
    expect(await control.models(`http://127.0.0.1:${echo.port}`, never)).toEqual({ why: 'answers 401: no Bearer ***' })
  })

  it('that an engine says again in an answer or a refusal, whole or cut, do not come into a record', async () => {
    const secret = `s3cret-${'0123456789'.repeat(60)}`
    const connection: EngineConnection = { ...PLAIN_CONNECTION, secrets: secretMask([secret]) }
    await using server = await listening(
      createHttp((message, response) => {
        message.resume().on('end', () => {
          const isRefused = message.headers['x-request-id'] === 'r-00002'
          if (isRefused) return response.writeHead(400).end(`no ${secret}`)
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.end(wholeAnswer(secret))
        })
      }),
    )
    const url = `http://127.0.0.1:${server.port}`
    const control = watch()
    const order = orderOn({ clock, targets: [{ index: 0, url }] }, { blocks: [testRows(1)] })
    await createReplay(clock, connection).run(order, control, never)
    expect(control.records).toMatchObject([{ status: 'ok', finishReason: '***' }])
    const [, refused] = testRows(2) as [ScheduleRow, ScheduleRow]
    const answer = await createReplay(clock, connection).send(testShape(), { index: 0, url }, refused, never)
    expect(answer.refusal).toBe('no ***')
  })
})
