import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { loopTurn, Pacer } from '../src/adapters/replay/pacer.ts'
import type { Clock } from '../src/app/ports/clock.ts'
import { dueUs } from '../src/core/kernel/point.ts'
import type { ScheduleRow } from '../src/core/schedule/schedule.ts'

export interface BareTimes {
  id: string
  sentUs: number
  firstUs: number
  lastUs: number
}

/**
 * The least that a client in this language can do: plain sockets, no HTTP parser, no events, a search for the first token and for the
 * end. What is left of its error is the machine's and the event loop's.
 */
export async function bareClient(clock: Clock, url: string, rows: readonly ScheduleRow[], milliRps: number) {
  const port = Number(new URL(url).port)
  const times: BareTimes[] = []
  const idle: Socket[] = []
  const pacer = new Pacer(clock, loopTurn)
  const noWork = { sliceUs: 0, slice: () => false }
  const never = new AbortController().signal
  const originUs = clock.nowUs() + 250_000
  let left = rows.length
  const { promise, resolve } = Promise.withResolvers<void>()

  const send = (socket: Socket, row: ScheduleRow): void => {
    const time = { id: row.id, sentUs: 0, firstUs: 0, lastUs: 0 }
    times.push(time)
    socket.on('data', (bytes) => {
      const nowUs = clock.nowUs()
      if (bytes.includes('"text"')) {
        if (time.firstUs === 0) time.firstUs = nowUs
        time.lastUs = nowUs
      }
      if (!bytes.includes('[DONE]')) return
      socket.removeAllListeners('data')
      idle.push(socket)
      if (--left === 0) resolve()
    })
    socket.write(
      `POST /v1/completions HTTP/1.1\r\nhost: x\r\nx-request-id: ${row.id}\r\ncontent-length: 2\r\n\r\n{}`,
      () => {},
    )
    time.sentUs = clock.nowUs()
  }
  for (const row of rows) {
    await pacer.until(originUs + dueUs(row.offsetUs, milliRps), noWork, never)
    const socket = idle.pop()
    if (socket) send(socket, row)
    else {
      const fresh = connect({ port, host: '127.0.0.1', noDelay: true }, () => send(fresh, row))
    }
  }
  await promise
  for (const socket of idle) socket.destroy()
  return times
}
