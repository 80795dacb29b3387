import { expect, it } from 'vitest'
import { Flight } from '../../../../src/adapters/replay/flight.ts'
import type { Transport, WireHandler } from '../../../../src/adapters/replay/transport.ts'
import { PLAIN_CONNECTION } from '../../../../src/adapters/system/engine-connection.ts'
import type { ScheduleRow } from '../../../../src/core/schedule/schedule.ts'
import { testRows, testShape } from '../../../contract/replay/shape.ts'

it('tells of what is thrown for an ending, and waits for nothing more of it', async () => {
  const handlers: WireHandler[] = []
  const transport: Transport = {
    dispatch: (_, __, handler) => void handlers.push(handler),
    async [Symbol.asyncDispose]() {},
  }
  const targets = [{ index: 0, url: 'http://127.0.0.1:1' }]
  using flight = new Flight(testShape(), targets, transport, () => 0, PLAIN_CONNECTION.secrets)
  const [row] = testRows(1) as [ScheduleRow]
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
