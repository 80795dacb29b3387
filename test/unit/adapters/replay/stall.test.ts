import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createReplay } from '../../../../src/adapters/replay/replay.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { dueUs } from '../../../../src/core/kernel/point.ts'
import { encodeRequestsCsv } from '../../../../src/core/record/csv.ts'
import { testRows } from '../../../contract/replay/shape.ts'
import { DONE, tokenChunk, usageChunk } from '../../../contract/replay/stream-server.ts'
import { never, orderOn, watch } from '../../../contract/replay/watch.ts'

const STALL_MS = 3000
const clock = systemClock()

/** Answers every request at once, but reads nothing from any connection while it is stalled. */
async function startStallingServer() {
  const sockets = new Set<Socket>()
  let isStalled = false
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let asked = ''
    socket.on('data', (bytes) => {
      asked += bytes.toString('latin1')
      const end = asked.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(asked)?.[1] ?? NaN)
      if (end < 0 || asked.length < end + 4 + length) return
      const body = JSON.parse(asked.slice(end + 4, end + 4 + length)) as { prompt: number[]; max_tokens: number }
      asked = asked.slice(end + 4 + length)
      socket.write(answerTo(body))
    })
    if (isStalled) socket.pause()
  })
  server.listen(0, '127.0.0.1', 1024)
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns when it began and ended, on the clock. */
    async stall() {
      isStalled = true
      for (const socket of sockets) socket.pause()
      const fromUs = clock.nowUs()
      await clock.sleep(STALL_MS)
      const toUs = clock.nowUs()
      isStalled = false
      for (const socket of sockets) socket.resume()
      return { fromUs, toUs }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answerTo({ prompt, max_tokens: tokens }: { prompt: number[]; max_tokens: number }): string {
  const chunks = Array.from({ length: tokens }, (_, index) => tokenChunk(index === tokens - 1 ? 'length' : null))
  const body = `${chunks.join('')}${usageChunk(prompt.length, tokens)}${DONE}`
  const head = ['HTTP/1.1 200 OK', 'content-type: text/event-stream', `content-length: ${Buffer.byteLength(body)}`]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

it('shows a stall of the server in every request that was due in it, and loses none', async () => {
  await using server = await startStallingServer()
  const rows = testRows(250)
  const seen = watch()
  const order = orderOn(
    { clock, targets: [{ index: 0, url: server.url }] },
    { blocks: [rows], load: { openMilliRps: 50_000 } },
  )
  const running = createReplay(clock).run(order, seen, never)
  await clock.sleep(1000 + (order.originUs - clock.nowUs()) / 1000)
  const stall = await server.stall()
  const outcome = await running
  const [fromUs, toUs] = [stall.fromUs - order.originUs, stall.toUs - order.originUs]
  expect(outcome).toMatchObject({ cohortRequests: 250, stoppedEarly: null, maximumReached: false })
  expect(seen.records.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id))
  expect(seen.records.every(({ status }) => status === 'ok')).toBe(true)
  const due = new Map(rows.map((row) => [row.id, dueUs(row.offsetUs, 50_000)]))
  const [header = '', ...lines] = encodeRequestsCsv(seen.records).trimEnd().split('\n')
  const column = header.split(',').indexOf('ttft_from_due_ms')
  let within = 0
  for (const [index, record] of seen.records.entries()) {
    expect(record.dueUs).toBe(due.get(record.id))
    if (record.dueUs < fromUs || record.dueUs >= toUs) continue
    within += 1
    expect(Number(lines[index]?.split(',')[column])).toBeGreaterThanOrEqual((toUs - record.dueUs) / 1000)
  }
  expect(within).toBeGreaterThan(0)
})
