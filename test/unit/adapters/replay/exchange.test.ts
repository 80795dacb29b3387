import { describe, expect, it } from 'vitest'
import type { Ending } from '../../../../src/adapters/replay/ending.ts'
import { Exchange } from '../../../../src/adapters/replay/exchange.ts'
import { createReplay } from '../../../../src/adapters/replay/replay.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import type { ScheduleRow } from '../../../../src/core/schedule/schedule.ts'
import { testRows, testShape } from '../../../contract/replay/shape.ts'
import { DONE, head, startStreamServer, tokenChunk } from '../../../contract/replay/stream-server.ts'

const SSE = { 'content-type': 'text/event-stream' }

/** An exchange on a clock that the test sets, and what it was told to do. */
function stage() {
  const log: string[] = []
  const endings: Ending[] = []
  const time = { us: 0 }
  const exchange = new Exchange({
    expected: { shape: 'completions', outputTokens: 1 },
    deadlines: { wholeUs: 5_000_000, firstTokenUs: 2_000_000, stallUs: 1_000_000 },
    nowUs: () => time.us,
    onSent: () => void log.push('sent'),
    onEnd(ending) {
      log.push('ended')
      endings.push(ending)
    },
    onClosed: () => void log.push('closed'),
  })
  const controller = {
    abort: () => void log.push('aborted'),
    aborted: false,
    paused: false,
    reason: null,
    pause() {},
    resume() {},
  }
  return { exchange, controller, log, endings, time }
}

const coded = (code: string) => Object.assign(new Error(code), { code })

describe('Exchange', () => {
  it('leaves the connection when the body goes on for a second after its answer', () => {
    const { exchange, controller, log, endings, time } = stage()
    exchange.onRequestStart(controller)
    exchange.onRequestSent()
    exchange.onResponseStart(controller, 200, SSE)
    time.us = 1000
    exchange.onResponseData(controller, Buffer.from(`${tokenChunk('length')}${DONE}`))
    expect(endings).toMatchObject([{ status: 'ok', sentUs: 0, endUs: 1000 }])
    exchange.checkDeadlines(900_000)
    expect(log).toEqual(['sent', 'ended'])
    exchange.checkDeadlines(1_100_000)
    expect(log).toEqual(['sent', 'ended', 'aborted', 'closed'])
    exchange.onResponseError(controller, coded('UND_ERR_ABORTED'))
    expect(log).toHaveLength(4)
  })

  it('writes nothing for a request that was given up while it was being connected', () => {
    const { exchange, controller, log, endings } = stage()
    exchange.checkDeadlines(2_000_000)
    expect(endings).toMatchObject([{ status: 'timeout', errorCode: 'first_token_deadline', sentUs: null }])
    exchange.onRequestStart(controller)
    expect(log).toEqual(['ended', 'closed', 'aborted'])
  })

  it('names the deadline that passed first, however late it looks', () => {
    for (const [tokenUs, code] of [
      [null, 'first_token_deadline'],
      [1_500_000, 'stall_deadline'],
    ] as const) {
      const { exchange, controller, endings, time } = stage()
      exchange.onRequestStart(controller)
      exchange.onRequestSent()
      exchange.onResponseStart(controller, 200, SSE)
      time.us = tokenUs ?? 0
      if (tokenUs !== null) exchange.onResponseData(controller, Buffer.from(tokenChunk()))
      time.us = 30_000_000
      exchange.checkDeadlines(time.us)
      expect(endings).toMatchObject([{ status: 'timeout', errorCode: code, endUs: 30_000_000 }])
    }
  })

  it('counts deadlines from when the request was sent', () => {
    const { exchange, controller, endings, time } = stage()
    exchange.onRequestStart(controller)
    time.us = 1_000_000
    exchange.onRequestSent()
    exchange.checkDeadlines(2_900_000)
    expect(endings).toEqual([])
    exchange.checkDeadlines(3_000_000)
    expect(endings).toHaveLength(1)
  })

  it.each([
    ['EMFILE', 'client_resource'],
    ['EADDRNOTAVAIL', 'client_resource'],
    ['UND_ERR_INVALID_ARG', 'client_resource'],
    ['ERR_ASSERTION', 'client_resource'],
    ['ECONNREFUSED', 'connect_failed'],
    ['UND_ERR_CONNECT_TIMEOUT', 'connect_failed'],
    ['ECONNRESET', 'connection_reset'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_failed'],
  ])('takes %s for %s', (code, expected) => {
    const { exchange, endings } = stage()
    exchange.onResponseError(null, coded(code))
    expect(endings).toMatchObject([{ status: 'error', errorCode: expected, sentUs: null }])
  })

  it('takes an exception without a code for the client’s own', () => {
    const { exchange, endings } = stage()
    exchange.onResponseError(null, new TypeError('x is not a function'))
    expect(endings).toMatchObject([{ errorCode: 'client_resource' }])
  })

  it('never ends once it was abandoned', () => {
    const { exchange, controller, log } = stage()
    exchange.onRequestStart(controller)
    exchange.onRequestSent()
    exchange.abandon()
    exchange.onResponseStart(controller, 503, {})
    exchange.onResponseError(controller, coded('ECONNRESET'))
    expect(log).toEqual(['sent', 'aborted', 'closed'])
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
