import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createReplay } from '../../../../src/adapters/replay/replay.ts'
import { openNetTransport } from '../../../../src/adapters/replay/net-transport.ts'
import type { Transport, TransportInit } from '../../../../src/adapters/replay/transport.ts'
import { openUndiciTransport } from '../../../../src/adapters/replay/undici-transport.ts'
import { PLAIN_CONNECTION } from '../../../../src/adapters/system/engine-connection.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import type { ScheduleRow } from '../../../../src/core/schedule/schedule.ts'
import { testRows, testShape } from '../../../contract/replay/shape.ts'
import { head, respondWell, startStreamServer, wholeAnswer } from '../../../contract/replay/stream-server.ts'
import type { Respond, StreamServer } from '../../../contract/replay/stream-server.ts'
import { never, orderOn, watch } from '../../../contract/replay/watch.ts'

const clock = systemClock()
const replay = createReplay(clock)
const warnings: Error[] = []
const note = (warning: Error): void => void warnings.push(warning)

beforeEach(() => void process.on('warning', note))
afterEach(() => {
  process.off('warning', note)
  const [warning] = warnings.splice(0)
  if (warning) throw warning
})

function initOf(server: StreamServer, idleConnectionMs: number, spareConnections = 0): TransportInit {
  const targets = [{ index: 0, url: server.url }]
  const limits = { idleConnectionMs, connectTimeoutMs: 1000, spareConnections }
  return { targets, connection: PLAIN_CONNECTION, ...limits, clock }
}

function post(transport: Transport, id: string): Promise<number> {
  const headers = ['content-type', 'application/json', 'x-request-id', id]
  return new Promise((resolve, reject) => {
    let status = 0
    const body = Buffer.from('{"max_tokens":1}')
    transport.dispatch(
      0,
      { path: '/v1/completions', headers, body },
      {
        onOpen() {},
        onSent() {},
        onBody() {},
        onHead: (code) => void (status = code),
        onEnd: () => resolve(status),
        onFailure: (code) => reject(new Error(code)),
      },
    )
  })
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await clock.sleep(5)
}

describe.each([
  ['sockets of our own', openNetTransport],
  ['undici', openUndiciTransport],
])('connections of %s', (__, open) => {
  it.each([
    ['that says how long it keeps them', {}],
    ['that says nothing of it', { connection: 'keep-alive' }],
  ])('are reused while young and never when idle for longer than the limit, by a server %s', async (_, headers) => {
    await using server = await startStreamServer((asked, response) => {
      head(response, headers)
      response.end(wholeAnswer(asked))
    })
    await using transport = open(initOf(server, 1000))
    await post(transport, 'a')
    await clock.sleep(20)
    await post(transport, 'b')
    await clock.sleep(1300)
    await post(transport, 'c')
    expect(server.asked.map(({ connection }) => connection)).toEqual([0, 0, 1])
  })

  it('are not reused when idle for too long, even if the event loop was busy all the while', async () => {
    await using server = await startStreamServer(respondWell)
    await using transport = open(initOf(server, 100))
    await post(transport, 'a')
    await clock.sleep(20)
    const untilMs = performance.now() + 200
    while (performance.now() < untilMs);
    await post(transport, 'b')
    expect(server.asked.map(({ connection }) => connection)).toEqual([0, 1])
  })
})

describe('connections', () => {
  it('are opened ahead of need, used when needed, and replaced', async () => {
    await using server: StreamServer = await startStreamServer(async (asked, response) => {
      await until(() => server.accepted === 5)
      respondWell(asked, response)
    })
    await using transport = openNetTransport(initOf(server, 60_000, 3))
    await until(() => server.accepted === 3)
    await Promise.all([post(transport, 'a'), post(transport, 'b')])
    expect(server.asked.every(({ connection }) => connection < 3)).toBe(true)
    await Promise.all(['c', 'd', 'e', 'f', 'g'].map((id) => post(transport, id)))
    expect(new Set(server.asked.slice(2).map(({ connection }) => connection))).toEqual(new Set([0, 1, 2, 3, 4]))
  })

  it('opened ahead are not used once they are too old, or closed by the server', async () => {
    await using server = await startStreamServer(respondWell)
    await using old = openNetTransport(initOf(server, 50, 1))
    await until(() => server.accepted === 1)
    await clock.sleep(80)
    await post(old, 'a')
    expect(server.asked[0]?.connection).toBeGreaterThan(0)
  })

  it('are not opened ahead again and again where the server closes them at once', async () => {
    let closed = 0
    const server = createServer((socket) => {
      closed += 1
      socket.destroy()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const time = { us: 0 }
    const targets = [{ index: 0, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }]
    const stopped = { ...clock, nowUs: () => time.us }
    const limits = { idleConnectionMs: 80, connectTimeoutMs: 1000, spareConnections: 4, clock: stopped }
    await using transport = openNetTransport({ targets, connection: PLAIN_CONNECTION, ...limits })
    await until(() => closed > 0)
    for (let turn = 0; turn < 300; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(closed).toBeLessThanOrEqual(4)
    const before = closed
    time.us = 200_000
    await until(() => closed > before)
    await expect(post(transport, 'a')).rejects.toThrow('connection_reset')
    server.close()
  })

  it('that grew old together are closed a few a loop turn, and none of them is used', async () => {
    const waiting: (() => void)[] = []
    await using server = await startStreamServer((asked, response) => {
      waiting.push(() => respondWell(asked, response))
      if (waiting.length >= 200) for (const answer of waiting.splice(0)) answer()
    })
    await using transport = openNetTransport(initOf(server, 100))
    await Promise.all(Array.from({ length: 200 }, (_, index) => post(transport, `a${index}`)))
    await clock.sleep(150)
    const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length
    const before = sockets()
    const last = post(transport, 'b')
    expect(sockets()).toBe(before + 1)
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(sockets()).toBeGreaterThan(before - 50)
    await until(() => server.open === 1)
    waiting[0]?.()
    expect(await last).toBe(200)
    expect(server.asked.at(-1)?.connection).toBe(200)
  })

  it('may be kept for longer than a timer can wait', async () => {
    await using server = await startStreamServer(respondWell)
    await using transport = openNetTransport(initOf(server, 1e14, 1))
    expect(await post(transport, 'a')).toBe(200)
  })

  it('close with their transport, those that were being opened too', async () => {
    await using server = await startStreamServer(respondWell)
    const transport = openNetTransport(initOf(server, 60_000, 8))
    await post(transport, 'a')
    await transport[Symbol.asyncDispose]()
    await until(() => server.open === 0)
    const { accepted } = server
    await clock.sleep(50)
    expect(server.accepted).toBe(accepted)
  })

  it('are as many as there are requests in flight: nothing waits for another to end', async () => {
    const waiting: (() => void)[] = []
    const respond: Respond = (asked, response) => {
      waiting.push(() => respondWell(asked, response))
      // Answered only when all have come.
      if (waiting.length === 300) for (const answer of waiting) answer()
    }
    await using server = await startStreamServer(respond)
    const targets = [{ index: 0, url: server.url }]
    const seen = watch()
    const order = orderOn({ clock, targets }, { load: { openMilliRps: 2_000_000 }, blocks: [testRows(300)] })
    await replay.run(order, seen, never)
    expect(seen.records.filter(({ status }) => status === 'ok')).toHaveLength(300)
    expect(new Set(server.asked.map(({ connection }) => connection)).size).toBe(300)
  })

  it('are counted, and none and no listener is left, over 2,000 requests', async () => {
    await using server = await startStreamServer(respondWell)
    const targets = [{ index: 0, url: server.url }]
    const seen = watch()
    const controller = new AbortController()
    const blocks = [testRows(1000), testRows(1000, 1001)]
    const before = process.getActiveResourcesInfo().length
    const order = orderOn({ clock, targets }, { load: { closedConcurrency: 20 }, blocks })
    await replay.run(order, seen, controller.signal)
    expect(seen.records.filter(({ status }) => status === 'ok')).toHaveLength(2000)
    expect(server.asked).toHaveLength(2000)
    expect(new Set(server.asked.map(({ id }) => id)).size).toBe(2000)
    // Twenty at a time, and the spare ones.
    expect(server.accepted).toBeLessThan(120)
    await until(() => server.open === 0)
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before)
  })

  it('carry a request once, whatever becomes of it', async () => {
    let count = 0
    const respond: Respond = (asked, response) => {
      count += 1
      if (count % 3 === 0) response.socket?.destroy()
      else if (count % 5 === 0) {
        head(response)
        response.write(wholeAnswer(asked).slice(0, 150), () => response.socket?.resetAndDestroy())
      } else respondWell(asked, response)
    }
    await using server = await startStreamServer(respond)
    const seen = watch()
    const order = orderOn({ clock, targets: [{ index: 0, url: server.url }] }, { blocks: [testRows(90)] })
    await replay.run(order, seen, never)
    expect(seen.records).toHaveLength(90)
    expect(server.asked).toHaveLength(90)
    expect(new Set(server.asked.map(({ id }) => id)).size).toBe(90)
    const codes = new Set(seen.records.map(({ errorCode }) => errorCode))
    expect(codes).toEqual(new Set([null, 'connection_reset', 'cut_body']))
  })
})

describe('the request on the wire', () => {
  it('asks for an uncompressed event stream, keeps alive, and names itself', async () => {
    await using server = await startStreamServer(respondWell)
    const [row] = testRows(1) as [ScheduleRow]
    await replay.send(testShape(), { index: 0, url: server.url }, row, never)
    const [asked] = server.asked
    expect(asked?.headers).toMatchObject({
      connection: 'keep-alive',
      'x-request-id': 'r-00001',
      accept: 'text/event-stream',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'content-length': String(asked?.bodyText.length),
    })
  })
})
