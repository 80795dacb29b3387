import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openNetTransport } from '../../../../src/adapters/replay/net-transport.ts'
import { requestHead } from '../../../../src/adapters/replay/request-head.ts'
import { writeRequest } from '../../../../src/adapters/replay/request-write.ts'
import type { Transport, TransportInit, WireHandler } from '../../../../src/adapters/replay/transport.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { PLAIN_CONNECTION } from '../../../../src/adapters/system/engine-connection.ts'

const clock = systemClock()
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 2\r\n\r\nhi'
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await clock.sleep(2)
}

interface RawServer extends AsyncDisposable {
  port: number
  sockets: Socket[]
  /** What each connection received, in order of opening. */
  received: string[]
}

/** A server of plain bytes; `onRequest` is called when a connection's bytes hold another whole head. */
async function rawServer(
  onRequest: (socket: Socket, connection: number) => void,
  pauseOnConnect = false,
): Promise<RawServer> {
  const sockets: Socket[] = []
  const received: string[] = []
  const server = createServer({ pauseOnConnect, allowHalfOpen: true }, (socket) => {
    const connection = sockets.push(socket) - 1
    received.push('')
    let last = ''
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1')
      received[connection] += text
      const heads = (last + text).split('\r\n\r\n').length - 1
      last = text.slice(-3)
      for (let head = 0; head < heads; head += 1) onRequest(socket, connection)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    received,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function open(port: number, parts: Partial<TransportInit> & { scheme?: string } = {}): Transport {
  const { scheme = 'http', ...init } = parts
  const targets = [{ index: 0, url: `${scheme}://127.0.0.1:${port}` }]
  const limits = { idleConnectionMs: 60_000, connectTimeoutMs: 5000, spareConnections: 0 }
  return openNetTransport({ targets, connection: PLAIN_CONNECTION, ...limits, clock, ...init })
}

/** Sends a request and keeps what its handler is told; `ended` resolves with the last of it. */
function send(transport: Transport, body = '{}', on: Partial<WireHandler> = {}) {
  const told: string[] = []
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  const tell = (what: string): void => void told.push(what)
  const end = (what: string): void => {
    tell(what)
    resolve(what)
  }
  const handler: WireHandler = {
    onOpen: () => tell('open'),
    onSent: () => tell('sent'),
    onHead: (status) => tell(`head ${status}`),
    onBody: (bytes) => tell(`body ${Buffer.from(bytes).toString()}`),
    onEnd: () => end('end'),
    onFailure: (code) => end(code),
    ...on,
  }
  transport.dispatch(0, { path: '/v1/completions', headers: [], body: Buffer.from(body) }, handler)
  return { told, ended }
}

describe('a request', () => {
  it('is sent when the socket has taken its last byte, not before', async () => {
    await using server = await rawServer(() => {}, true)
    await using transport = open(server.port)
    const large = send(transport, 'x'.repeat(16 * 1024 * 1024))
    await until(() => large.told.includes('open'))
    await clock.sleep(50)
    expect(large.told).toEqual(['open'])
    server.sockets[0]?.resume()
    await until(() => large.told.includes('sent'))
  })

  it('of any size goes out as it is', async () => {
    const sizes = [0, 1, 60_000, 70_000, 1_000_000]
    await using server = await rawServer(() => {})
    await using transport = open(server.port)
    const bodies = sizes.map((size) => 'abcdefghij'.repeat(size / 10 + 1).slice(0, size))
    for (const body of bodies) send(transport, body)
    await until(() => server.received.join('').length > 1_130_000)
    const got = server.received.map((text) => text.slice(text.indexOf('\r\n\r\n') + 4))
    expect(got.toSorted((a, b) => a.length - b.length)).toEqual(bodies)
    for (const text of server.received) {
      const head = text.slice(0, text.indexOf('\r\n\r\n'))
      const length = text.length - head.length - 4
      expect(head).toBe(
        `POST /v1/completions HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: keep-alive\r\ncontent-length: ${length}`,
      )
    }
  })

  it('is the socket’s until it was taken: the next one is put together elsewhere', () => {
    const written: Buffer[] = []
    const socket = { writableLength: 1, write: (bytes: Buffer) => void written.push(bytes) } as unknown as Socket
    for (const body of ['one', 'two']) {
      expect(writeRequest(socket, 'head ', Buffer.from(body), () => {})).toBe(false)
    }
    expect(written.map(String)).toEqual(['head one', 'head two'])
  })

  it('may be answered before it is sent whole, and its connection is not used again', async () => {
    await using server = await rawServer((socket) => {
      socket.pause()
      socket.write('HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\n\r\n')
    })
    await using transport = open(server.port)
    const large = send(transport, 'x'.repeat(16 * 1024 * 1024))
    expect(await large.ended).toBe('end')
    expect(large.told).toEqual(['open', 'head 413', 'end'])
    void send(transport)
    await until(() => server.sockets.length === 2)
  })

  it('cannot change its head’s lines', () => {
    const headers = ['x-request-id', 'r-1']
    expect(requestHead('h', '/p', headers, 3)).toBe(
      'POST /p HTTP/1.1\r\nhost: h\r\nconnection: keep-alive\r\nx-request-id: r-1\r\ncontent-length: 3\r\n\r\n',
    )
    for (const evil of ['a\r\nx: y', 'a\nx: y', 'a\rb', 'a\0', 'a\u0130']) {
      expect(() => requestHead('h', '/p', ['x-request-id', evil], 3)).toThrow(TypeError)
      expect(() => requestHead('h', `/${evil}`, headers, 3)).toThrow(TypeError)
    }
  })

  it('that was given up while its connection was opened is not written, and leaves the connection to the next', async () => {
    await using server = await rawServer((socket) => void socket.write(ANSWER))
    await using transport = open(server.port)
    const given = send(transport, '{"given":"up"}', { onOpen: (control) => control.cut() })
    await until(() => server.sockets.length === 1)
    expect(await send(transport, '{"next":1}').ended).toBe('end')
    expect(given.told).toEqual([])
    expect(server.received.join('')).not.toContain('given')
  })

  it('and a thousand more that were given up so need no stack', async () => {
    await using server = await rawServer((socket) => void socket.write(ANSWER))
    const script = join(import.meta.dirname, 'given-up.ts')
    const child = spawn(process.execPath, ['--stack-size=120', script, String(server.port)])
    let text = ''
    child.stdout.on('data', (part: Buffer) => (text += part.toString()))
    await once(child, 'close')
    expect(text).toBe('end')
    expect(server.received.filter((bytes) => bytes !== '')).toHaveLength(1)
  })

  it('that is cut closes its connection', async () => {
    await using server = await rawServer((socket) => void socket.write(ANSWER.slice(0, -1)))
    await using transport = open(server.port)
    let cut = (): void => {}
    const request = send(transport, '{}', { onOpen: (control) => (cut = control.cut) })
    await until(() => request.told.includes('body h'))
    cut()
    await until(() => server.sockets[0]?.readableEnded === true)
    expect(request.told.at(-1)).toBe('body h')
  })
})

describe('a connection', () => {
  it('that was reset while idle is left before a byte is written, for another', async () => {
    await using server = await rawServer((socket) => void socket.write(ANSWER))
    await using transport = open(server.port)
    expect(await send(transport, '{"a":1}').ended).toBe('end')
    // It has rested, and is free.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    // The reset is in the system before the event loop hears of it.
    server.sockets[0]?.resetAndDestroy()
    const next = send(transport, '{"b":2}')
    expect(await next.ended).toBe('end')
    expect(next.told).toEqual(['open', 'open', 'sent', 'head 200', 'body hi', 'end'])
    expect(server.received.map((text) => text.includes('"b"'))).toEqual([false, true])
  })

  it('that is reset once a byte was written fails its request: it is not sent again', async () => {
    await using server = await rawServer((socket, connection) => {
      if (connection > 0 || socket.bytesWritten > 0) socket.resetAndDestroy()
      else socket.write(ANSWER)
    })
    await using transport = open(server.port)
    expect(await send(transport).ended).toBe('end')
    expect(await send(transport).ended).toBe('connection_reset')
    expect(server.sockets).toHaveLength(1)
  })

  it.each([
    ['says more than its answer', `${ANSWER}x`],
    ['says close', ANSWER.replace('\r\n', '\r\nconnection: close\r\n')],
    ['keeps nothing for long', ANSWER.replace('\r\n', '\r\nkeep-alive: timeout=0\r\n')],
  ])('whose server %s is not used again', async (_, answer) => {
    await using server = await rawServer((socket) => void socket.write(answer))
    await using transport = open(server.port)
    expect(await send(transport).ended).toBe('end')
    await clock.sleep(5)
    expect(await send(transport).ended).toBe('end')
    expect(server.sockets).toHaveLength(2)
  })

  it.each([
    ['closes', (socket: Socket) => void socket.end(ANSWER)],
    ['resets it', (socket: Socket) => void socket.write(ANSWER, () => socket.resetAndDestroy())],
    ['says more than a read holds', (socket: Socket) => void socket.write(ANSWER + 'x'.repeat(200_000))],
  ])('whose server %s behind its answer is not used again, however soon the next request comes', async (_, answer) => {
    await using server = await rawServer(answer)
    await using transport = open(server.port)
    const ends: string[] = []
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const next = (how?: string): void => {
      if (how) ends.push(how)
      if (ends.length === 10) resolve()
      else void send(transport, '{}', { onEnd: () => next('end'), onFailure: next })
    }
    next()
    await ended
    expect(ends).toEqual(Array.from({ length: 10 }, () => 'end'))
    expect(server.sockets).toHaveLength(10)
  })

  it('that is about to be free carries the next requests: none is opened for them', async () => {
    await using server = await rawServer((socket) => void socket.write(ANSWER))
    await using transport = open(server.port)
    const ends: string[] = []
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const next = (): void => {
      ends.push('end')
      if (ends.length === 30) resolve()
      if (ends.length <= 27) void send(transport, '{}', { onEnd: next })
    }
    for (let count = 0; count < 3; count += 1) void send(transport, '{}', { onEnd: next })
    await ended
    expect(server.sockets).toHaveLength(3)
  })

  it('whose server speaks unasked is not used again', async () => {
    await using server = await rawServer((socket) => void socket.write(ANSWER))
    await using transport = open(server.port)
    expect(await send(transport).ended).toBe('end')
    server.sockets[0]?.write(ANSWER)
    await until(() => server.sockets[0]?.readableEnded === true)
    const next = send(transport)
    expect(await next.ended).toBe('end')
    expect(next.told.filter((what) => what === 'head 200')).toHaveLength(1)
    expect(server.sockets).toHaveLength(2)
  })

  it('ends a body without a length, and cuts one with it', async () => {
    const heads = ['HTTP/1.1 200 OK\r\n\r\nhi', ANSWER.slice(0, -1)]
    await using server = await rawServer((socket, connection) => void socket.end(heads[connection] ?? ''))
    await using transport = open(server.port)
    expect(await send(transport).ended).toBe('end')
    expect(await send(transport).ended).toBe('connection_reset')
  })

  it('that is not whole in time is a failed one, and so is one that is opened after the end', async () => {
    await using server = await rawServer(() => {})
    const transport = open(server.port, { scheme: 'https', connectTimeoutMs: 50 })
    const request = send(transport)
    expect(await request.ended).toBe('connect_failed')
    expect(request.told).toEqual(['connect_failed'])
    await transport[Symbol.asyncDispose]()
    expect(await send(transport).ended).toBe('connection_reset')
  })

  it('that cannot be opened for want of descriptors is the client’s own failure', async () => {
    await using server = await rawServer(() => {})
    const script = join(import.meta.dirname, 'few-descriptors.ts')
    const command = 'ulimit -n 60 && exec "$0" "$1" "$2"'
    const child = spawn('bash', ['-c', command, process.execPath, script, String(server.port)])
    let text = ''
    child.stdout.on('data', (part: Buffer) => (text += part.toString()))
    await once(child, 'close')
    expect(JSON.parse(text)).toEqual(['client_resource'])
  })
})
