import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Ending } from '../../../../src/adapters/replay/ending.ts'
import { recordOf } from '../../../../src/adapters/replay/ending.ts'
import { Exchange } from '../../../../src/adapters/replay/exchange.ts'
import { createReplay } from '../../../../src/adapters/replay/replay.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { encodeRequestsCsv } from '../../../../src/core/record/csv.ts'
import { readRequestsCsv } from '../../../../src/core/record/read.ts'
import { tableRecords } from '../../../../src/core/record/table.ts'
import type { ScheduleRow } from '../../../../src/core/schedule/schedule.ts'
import { testRows, testShape } from '../../../contract/replay/shape.ts'
import { DONE, head, startStreamServer, tokenChunk } from '../../../contract/replay/stream-server.ts'

const SSE = 'text/event-stream'

/** An exchange on a clock that the test sets, and what it was told to do. */
function stage(cancelAfterTokens: number | null = null) {
  const log: string[] = []
  const endings: Ending[] = []
  const time = { us: 0 }
  const exchange = new Exchange({
    expected: { shape: 'completions', outputTokens: 1 },
    deadlines: { wholeUs: 5_000_000, firstTokenUs: 2_000_000, stallUs: 1_000_000 },
    cancelAfterTokens,
    nowUs: () => time.us,
    onSent: () => void log.push('sent'),
    onEnd(ending) {
      log.push('ended')
      endings.push(ending)
    },
    onClosed: () => void log.push('closed'),
  })
  const control = { cut: () => void log.push('cut') }
  return { exchange, control, log, endings, time }
}

describe('Exchange', () => {
  it('leaves the connection when the body goes on for a second after its answer', () => {
    const { exchange, control, log, endings, time } = stage()
    exchange.onOpen(control)
    exchange.onSent()
    exchange.onHead(200, SSE, undefined)
    time.us = 1000
    exchange.onBody(Buffer.from(`${tokenChunk('length')}${DONE}`))
    expect(endings).toMatchObject([{ status: 'ok', sentUs: 0, endUs: 1000 }])
    exchange.checkDeadlines(900_000)
    expect(log).toEqual(['sent', 'ended'])
    exchange.checkDeadlines(1_100_000)
    expect(log).toEqual(['sent', 'ended', 'cut', 'closed'])
    exchange.onFailure('connection_reset')
    expect(log).toHaveLength(4)
  })

  it('tells when the client had done its part, and when the engine had taken the request', () => {
    const atOnce = stage()
    atOnce.exchange.onOpen(atOnce.control)
    atOnce.exchange.onSent()
    atOnce.time.us = 70
    atOnce.exchange.noteHanded()
    atOnce.exchange.onFailure('connection_reset')
    expect(atOnce.endings).toMatchObject([{ handedUs: 0, sentUs: 0 }])
    const later = stage()
    later.time.us = 70
    later.exchange.noteHanded()
    later.time.us = 900_000
    later.exchange.onOpen(later.control)
    later.exchange.onSent()
    later.exchange.onFailure('connection_reset')
    expect(later.endings).toMatchObject([{ handedUs: 70, sentUs: 900_000 }])
  })

  it('writes nothing for a request that was given up while it was being connected', () => {
    const { exchange, control, log, endings } = stage()
    exchange.checkDeadlines(2_000_000)
    expect(endings).toMatchObject([{ status: 'timeout', errorCode: 'first_token_deadline', sentUs: null }])
    exchange.onOpen(control)
    expect(log).toEqual(['ended', 'closed', 'cut'])
  })

  it('names the deadline that passed first, however late it looks', () => {
    for (const [tokenUs, code] of [
      [null, 'first_token_deadline'],
      [1_500_000, 'stall_deadline'],
    ] as const) {
      const { exchange, control, endings, time } = stage()
      exchange.onOpen(control)
      exchange.onSent()
      exchange.onHead(200, SSE, undefined)
      time.us = tokenUs ?? 0
      if (tokenUs !== null) exchange.onBody(Buffer.from(tokenChunk()))
      time.us = 30_000_000
      exchange.checkDeadlines(time.us)
      expect(endings).toMatchObject([{ status: 'timeout', errorCode: code, endUs: 30_000_000 }])
    }
  })

  it('counts deadlines from when the request was sent', () => {
    const { exchange, control, endings, time } = stage()
    exchange.onOpen(control)
    time.us = 1_000_000
    exchange.onSent()
    exchange.checkDeadlines(2_900_000)
    expect(endings).toEqual([])
    exchange.checkDeadlines(3_000_000)
    expect(endings).toHaveLength(1)
  })

  it('is not sent once it has ended: an answer may come while the request is being written', () => {
    const { exchange, control, log, endings } = stage()
    exchange.onOpen(control)
    exchange.onHead(413, undefined, undefined)
    exchange.onSent()
    exchange.onEnd()
    expect(endings).toMatchObject([{ status: 'error', errorCode: 'http_status', httpStatus: 413, sentUs: null }])
    expect(log).toEqual(['ended', 'closed'])
  })

  it.each([
    ['a token', tokenChunk()],
    ['a whole answer', `${tokenChunk('length')}${DONE}`],
  ])('takes %s that came before the request was sent whole for the engine’s error, and leaves', async (_, body) => {
    const { exchange, control, log, endings, time } = stage()
    exchange.onOpen(control)
    exchange.noteHanded()
    exchange.onHead(200, SSE, undefined)
    time.us = 1000
    exchange.onBody(Buffer.from(body))
    const seen = { sentUs: null, firstTokenUs: 1000, endUs: 1000, chunks: 1 }
    expect(endings).toMatchObject([{ status: 'error', errorCode: 'answered_early', ...seen }])
    expect(log).toEqual(['ended', 'cut', 'closed'])
    const [row] = testRows(1) as [ScheduleRow]
    const record = recordOf(row, 0, 0, endings[0] as Ending)
    const table = await readRequestsCsv(encodeRequestsCsv([record]))
    expect([...tableRecords(table)]).toEqual([record])
  })

  it('leaves as planned once the answer has so many tokens, with what was seen of it', () => {
    const { exchange, control, log, endings, time } = stage(2)
    exchange.onOpen(control)
    exchange.onSent()
    exchange.onHead(200, SSE, undefined)
    time.us = 1000
    exchange.onBody(Buffer.from(tokenChunk()))
    expect(endings).toEqual([])
    time.us = 2000
    exchange.onBody(Buffer.from(tokenChunk()))
    expect(endings).toMatchObject([
      { status: 'cancelled', errorCode: 'planned_cancellation', firstTokenUs: 1000, endUs: 2000, chunks: 2 },
    ])
    expect(log).toEqual(['sent', 'ended', 'cut', 'closed'])
    exchange.onFailure('connection_reset')
    expect(endings).toHaveLength(1)
  })

  it('is not cancelled where the answer was whole before it could be left', () => {
    const { exchange, control, endings } = stage(1)
    exchange.onOpen(control)
    exchange.onSent()
    exchange.onHead(200, SSE, undefined)
    exchange.onBody(Buffer.from(`${tokenChunk('length')}${DONE}`))
    expect(endings).toMatchObject([{ status: 'ok', outputTokens: 1 }])
  })

  it('never ends once it was abandoned', () => {
    const { exchange, control, log } = stage()
    exchange.onOpen(control)
    exchange.onSent()
    exchange.abandon()
    exchange.onHead(503, undefined, undefined)
    exchange.onFailure('connection_reset')
    expect(log).toEqual(['sent', 'cut', 'closed'])
  })
})

describe('one request', () => {
  const replay = createReplay(systemClock())
  const [row] = testRows(1) as [ScheduleRow]

  it('that cannot be made is its own error, and nothing is sent', async () => {
    await using server = await startStreamServer(() => {})
    const target = { index: 0, url: server.url }
    const record = await replay.send(testShape(), target, { ...row, inputTokens: 2 }, new AbortController().signal)
    expect(record).toMatchObject({ status: 'error', errorCode: 'client_resource', sentUs: null })
    expect(server.asked).toEqual([])
  })

  it('tells how long the engine took to take it: a socket that nobody reads is not the client’s lag', async () => {
    const { promise: accepted, resolve: accept } = Promise.withResolvers<Socket>()
    const server = createServer({ pauseOnConnect: true }, accept).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const target = { index: 0, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    const long = { ...row, inputTokens: 2_000_000 }
    const sending = replay.send(testShape(), target, long, new AbortController().signal)
    const socket = await accepted
    await systemClock().sleep(100)
    // Answered once all of it has come.
    let [head, received] = ['', 0]
    socket.on('data', (bytes: Buffer) => {
      received += bytes.length
      if (!head.includes('\r\n\r\n')) head += bytes.toString('latin1')
      const length = Number(/content-length: (\d+)/.exec(head)?.[1])
      if (received === head.indexOf('\r\n\r\n') + 4 + length) socket.end('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n')
    })
    socket.resume()
    const { handedUs, sentUs } = await sending
    expect((sentUs ?? 0) - (handedUs ?? Infinity)).toBeGreaterThan(90_000)
    server.close()
  })

  it('is left at once when it is aborted, its socket closed', async () => {
    const controller = new AbortController()
    await using server = await startStreamServer((_, response) => {
      head(response)
      response.write(tokenChunk(), () => controller.abort(new Error('enough')))
    })
    const sending = replay.send(testShape(), { index: 0, url: server.url }, row, controller.signal)
    await expect(sending).rejects.toThrow('enough')
    while (server.open > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(server.asked).toHaveLength(1)
  })
})
