import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import type { Ending } from '../../../../src/adapters/replay/ending.ts'
import { Flight } from '../../../../src/adapters/replay/flight.ts'
import { openNetTransport } from '../../../../src/adapters/replay/net-transport.ts'
import type { Transport, WireHandler } from '../../../../src/adapters/replay/transport.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { PLAIN_CONNECTION } from '../../../../src/adapters/system/engine-connection.ts'
import type { ScheduleRow } from '../../../../src/core/schedule/schedule.ts'
import { testRows, testShape } from '../../../contract/replay/shape.ts'
import { DONE, tokenChunk } from '../../../contract/replay/stream-server.ts'

const [row] = testRows(1) as [ScheduleRow]

it('tells of what is thrown for an ending, and waits for nothing more of it', async () => {
  const handlers: WireHandler[] = []
  const transport: Transport = {
    dispatch: (_, __, handler) => void handlers.push(handler),
    async [Symbol.asyncDispose]() {},
  }
  const targets = [{ index: 0, url: 'http://127.0.0.1:1' }]
  using flight = new Flight(testShape(), targets, transport, () => 0, PLAIN_CONNECTION.secrets)
  const launch = (onEnd: () => void): void =>
    flight.launch({ row, replica: 0, keepsReply: false, body: () => Buffer.from('{}'), onSent() {}, onEnd })
  launch(() => {
    throw new Error('cannot be recorded')
  })
  launch(() => {})
  const landed = flight.landed()
  for (const handler of handlers) handler.onFailure('connection_reset')
  await expect(landed).rejects.toThrow('cannot be recorded')
  expect(flight.inFlight).toBe(0)
})

it('takes no answer for late that came in time while the event loop was busy', async () => {
  const body = `${tokenChunk().repeat(3)}${tokenChunk('length')}${DONE}`
  const answer = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL('prompt-server.ts', import.meta.url), { workerData: { answer, answered } })
  const [port] = (await once(worker, 'message')) as [number]
  const targets = [{ index: 0, url: `https://localhost:${port}` }]
  const ca = readFileSync(new URL('../../../../fixtures/tls/ca.pem', import.meta.url), 'utf8')
  const limits = { idleConnectionMs: 60_000, connectTimeoutMs: 5000, spareConnections: 0 }
  const clock = systemClock()
  await using transport = openNetTransport({ targets, connection: { ...PLAIN_CONNECTION, ca }, ...limits, clock })
  const shape = testShape({ client: { request_timeout_seconds: 1 } })
  using flight = new Flight(shape, targets, transport, () => clock.nowUs(), PLAIN_CONNECTION.secrets)
  const codes: Ending['errorCode'][] = []
  const onSent = (): void => {
    while (Atomics.load(answered, 0) === 0) Atomics.wait(answered, 0, 0, 1000)
    // Past the deadline and several looks at it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100)
  }
  const onEnd = ({ errorCode }: Ending): void => void codes.push(errorCode)
  flight.launch({ row, replica: 0, keepsReply: false, body: () => Buffer.from('{}'), onSent, onEnd })
  await flight.landed()
  expect(codes).toEqual([null])
  await worker.terminate()
})
