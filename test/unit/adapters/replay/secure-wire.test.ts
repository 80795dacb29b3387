import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import type { TLSSocket } from 'node:tls'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { openNetTransport } from '../../../../src/adapters/replay/net-transport.ts'
import type { Transport } from '../../../../src/adapters/replay/transport.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { PLAIN_CONNECTION } from '../../../../src/adapters/system/engine-connection.ts'

const clock = systemClock()
const pem = (name: string): string => readFileSync(new URL(`../../../../fixtures/tls/${name}`, import.meta.url), 'utf8')
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'

function open(port: number): Transport {
  const targets = [{ index: 0, url: `https://localhost:${port}` }]
  const limits = { idleConnectionMs: 60_000, connectTimeoutMs: 5000, spareConnections: 0 }
  return openNetTransport({ targets, connection: { ...PLAIN_CONNECTION, ca: pem('ca.pem') }, ...limits, clock })
}

function send(transport: Transport, body: Buffer) {
  const told: string[] = []
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const end = (what: string): void => {
    told.push(what)
    resolve()
  }
  transport.dispatch(
    0,
    { path: '/', headers: [], body },
    {
      onOpen: () => void told.push('open'),
      onSent: () => void told.push('sent'),
      onHead: () => void told.push('head'),
      onBody: () => void told.push('body'),
      onEnd: () => end('end'),
      onFailure: end,
    },
  )
  return { told, ended }
}

describe('a request over TLS', () => {
  it('is sent before its answer can come, however long the event loop is busy', async () => {
    const answered = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(new URL('prompt-server.ts', import.meta.url), {
      workerData: { answer: ANSWER, answered },
    })
    const [port] = (await once(worker, 'message')) as [number]
    await using transport = open(port)
    await send(transport, Buffer.from('{}')).ended
    for (let count = 1; count <= 20; count += 1) {
      await clock.sleep(5)
      // From an immediate: what TLS has to tell waits for the next one, behind the reads.
      await new Promise((resolve) => setImmediate(resolve))
      const { told, ended } = send(transport, Buffer.from('{}'))
      while (Atomics.load(answered, 0) <= count) Atomics.wait(answered, 0, count, 1000)
      await ended
      expect(told).toEqual(['open', 'sent', 'head', 'body', 'end'])
    }
    await worker.terminate()
  })

  it('is sent when the socket has taken its last byte, and goes out as it is', async () => {
    const sizes = [0, 60_000, 65_000, 65_536, 70_000, 1_000_000, 16 * 1024 * 1024]
    let received = 0
    const sockets: TLSSocket[] = []
    const server = createServer({ key: pem('server.key'), cert: pem('server.pem') }, (socket) => {
      sockets.push(socket.pause())
      socket.on('error', () => {})
      const parts: Buffer[] = []
      let length = 0
      socket.on('data', (bytes: Buffer) => {
        parts.push(bytes)
        length += bytes.length
        // The head comes with the first read: what is to come is known without joining what came.
        const wanted = /content-length: (\d+)/.exec(parts[0]?.toString('latin1') ?? '')?.[1]
        const headLength = (parts[0]?.indexOf('\r\n\r\n') ?? -5) + 4
        if (length !== headLength + Number(wanted)) return
        const body = Buffer.concat(parts).subarray(headLength).toString('latin1')
        expect(body).toBe('abcdefghij'.repeat(body.length / 10 + 1).slice(0, body.length))
        received += 1
        socket.write(ANSWER)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    await using transport = open((server.address() as AddressInfo).port)
    const requests = sizes.map((size) => send(transport, Buffer.alloc(size, 'abcdefghij')))
    while (!requests.at(-1)?.told.includes('open')) await clock.sleep(5)
    await clock.sleep(50)
    expect(requests.at(-1)?.told).toEqual(['open'])
    while (sockets.length < sizes.length) await clock.sleep(5)
    for (const socket of sockets) socket.resume()
    for (const { told, ended } of requests) {
      await ended
      expect(told).toEqual(['open', 'sent', 'head', 'body', 'end'])
    }
    expect(received).toBe(sizes.length)
    for (const socket of sockets) socket.destroy()
    server.close()
  })
})

describe('a connection over TLS', () => {
  it('resumes the session of an earlier one', async () => {
    const resumed: boolean[] = []
    const server = createServer({ key: pem('server.key'), cert: pem('server.pem') }, (socket) => {
      resumed.push(socket.isSessionReused())
      socket.on('error', () => {}).on('data', () => void socket.end(ANSWER))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    await using transport = open((server.address() as AddressInfo).port)
    for (let count = 0; count < 3; count += 1) {
      await send(transport, Buffer.from('{}')).ended
      await clock.sleep(20)
    }
    expect(resumed).toEqual([false, true, true])
    server.close()
  })
})
