import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createReplay } from '../../../../src/adapters/replay/replay.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import type { ScheduleRow } from '../../../../src/core/schedule/schedule.ts'
import { testRows, testShape } from '../../../contract/replay/shape.ts'
import type { ShapeParts } from '../../../contract/replay/shape.ts'
import {
  DONE,
  head,
  startStreamServer,
  tokenChunk,
  usageChunk,
  wholeAnswer,
} from '../../../contract/replay/stream-server.ts'
import type { Asked, Respond } from '../../../contract/replay/stream-server.ts'
import { never } from '../../../contract/replay/watch.ts'

const replay = createReplay(systemClock())
const [row] = testRows(1) as [ScheduleRow]

/** One request to a server that answers so; the server must have seen it at most once. */
async function ask(respond: Respond, parts: ShapeParts = {}) {
  await using server = await startStreamServer(respond)
  const record = await replay.send(testShape(parts), { index: 0, url: server.url }, row, never)
  expect(server.asked).toHaveLength(1)
  return record
}

/** The same against bytes that are no HTTP server's. */
async function askRaw(onRequest: (socket: Socket) => void) {
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => onRequest(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const record = await replay.send(testShape(), { index: 0, url }, row, never)
  for (const socket of sockets) socket.destroy()
  server.close()
  expect(connections).toBe(1)
  return record
}

const tokens = (count: number) => Array.from({ length: count }, () => tokenChunk()).join('')
const hang: Respond = (_, response) => {
  head(response)
  response.flushHeaders()
}

const answers: [string, string, Respond, object][] = [
  ['HTML', 'not_an_event_stream', (_, r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), {}],
  [
    'a redirect',
    'http_status',
    (_, r) => void r.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    { httpStatus: 302 },
  ],
  ['429', 'http_status', (_, r) => void r.writeHead(429).end(), { status: 'rejected', httpStatus: 429 }],
  ['503', 'http_status', (_, r) => void r.writeHead(503).end(), { status: 'rejected', httpStatus: 503 }],
  ['204', 'http_status', (_, r) => void r.writeHead(204).end(), { httpStatus: 204 }],
  [
    'a compressed body',
    'unexpected_encoding',
    (_, r) => {
      head(r, { 'content-encoding': 'gzip' })
      r.end('x')
    },
    { httpStatus: 200 },
  ],
  [
    'a body cut after two tokens',
    'cut_body',
    (_, r) => {
      head(r)
      r.write(tokens(2), () => setTimeout(() => r.socket?.destroy(), 20))
    },
    { httpStatus: 200, chunks: 2 },
  ],
  [
    'a reset after two tokens',
    'cut_body',
    (_, r) => {
      head(r)
      r.write(tokens(2), () => setTimeout(() => r.socket?.resetAndDestroy(), 20))
    },
    { chunks: 2 },
  ],
  [
    'a connection closed without an answer',
    'connection_reset',
    (_, r) => void r.socket?.destroy(),
    { httpStatus: null },
  ],
  ['a reset without an answer', 'connection_reset', (_, r) => void r.socket?.resetAndDestroy(), { httpStatus: null }],
  [
    'an error inside the stream',
    'in_stream_error',
    (_, r) => {
      head(r)
      r.end(`${tokens(1)}data: {"error":{"message":"broken","code":500}}\n\n${DONE}`)
    },
    { status: 'error', chunks: 1 },
  ],
  [
    'a refusal inside the stream',
    'in_stream_error',
    (_, r) => {
      head(r)
      r.end(`data: {"error":{"message":"queue full","code":503}}\n\n${DONE}`)
    },
    { status: 'rejected' },
  ],
  [
    'an aborted generation',
    'engine_abort',
    (_, r) => {
      head(r)
      r.end(`${tokens(1)}${tokenChunk('abort')}${DONE}`)
    },
    { finishReason: 'abort' },
  ],
  [
    'an event that is no JSON',
    'malformed_event',
    (_, r) => {
      head(r)
      r.end(`data: {"choices":[\n\n${DONE}`)
    },
    {},
  ],
  [
    '[DONE] without a finish reason',
    'done_without_finish',
    (_, r) => {
      head(r)
      r.end(`${tokens(4)}${usageChunk(24, 4)}${DONE}`)
    },
    {},
  ],
  [
    'a clean end without a finish reason',
    'end_without_finish',
    (_, r) => {
      head(r)
      r.end(tokens(4))
    },
    {},
  ],
  [
    'no token at all',
    'no_token',
    (_, r) => {
      head(r)
      r.end(`data: {"choices":[{"index":0,"text":"","finish_reason":"length"}]}\n\n${DONE}`)
    },
    {},
  ],
  [
    'another length than scheduled',
    'wrong_length',
    (_, r) => {
      head(r)
      r.end(`${tokens(2)}${tokenChunk('stop')}${usageChunk(24, 3)}${DONE}`)
    },
    { outputTokens: 3, finishReason: 'stop' },
  ],
  [
    'no count of tokens',
    'usage_missing',
    (_, r) => {
      head(r)
      r.end(`data: {"choices":[{"index":0,"text":"a","finish_reason":"length"}]}\n\n${DONE}`)
    },
    { outputTokens: null },
  ],
  [
    'headers over 64 KiB',
    'headers_too_large',
    (asked, r) => {
      head(r, { 'x-big': 'a'.repeat(70_000) })
      r.end(wholeAnswer(asked))
    },
    {},
  ],
]

describe('what an engine does wrong', () => {
  it.each(answers)('%s is %s', async (_, errorCode, respond, rest) => {
    const record = await ask(respond)
    expect(record).toMatchObject({ status: 'error', errorCode, ...rest })
    expect(record.sentUs).not.toBeNull()
    expect(record.endUs).toBeGreaterThanOrEqual(record.sentUs ?? Infinity)
  })

  it('bytes that are not HTTP', async () => {
    const record = await askRaw((socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n\r\n'))
    expect(record).toMatchObject({ status: 'error', errorCode: 'bad_http', httpStatus: null })
  })

  it('a chunk size that is none, in the middle of the body', async () => {
    const body = tokenChunk()
    const record = await askRaw((socket) => {
      const headers = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
      socket.write(`${headers}${body.length.toString(16)}\r\n${body}\r\nzz\r\n`)
    })
    expect(record).toMatchObject({ status: 'error', errorCode: 'bad_http', httpStatus: 200, chunks: 1 })
  })

  it('a body that ends before its declared length', async () => {
    const record = await askRaw((socket) => {
      const headers = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 5000\r\n\r\n'
      socket.end(headers + tokenChunk())
    })
    expect(record).toMatchObject({ status: 'error', errorCode: 'cut_body', chunks: 1 })
  })

  it('nobody listens', async () => {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const record = await replay.send(testShape(), { index: 0, url: `http://127.0.0.1:${port}` }, row, never)
    expect(record).toMatchObject({ status: 'error', errorCode: 'connect_failed', sentUs: null, httpStatus: null })
  })

  it('a name that no resolver knows, and a TLS client that meets plain HTTP', async () => {
    const unknown = await replay.send(testShape(), { index: 0, url: 'http://engine.invalid:8000' }, row, never)
    expect(unknown).toMatchObject({ status: 'error', errorCode: 'name_not_resolved', sentUs: null })
    await using server = await startStreamServer(hang)
    const url = server.url.replace('http:', 'https:')
    const plain = await replay.send(testShape(), { index: 0, url }, row, never)
    expect(plain).toMatchObject({ status: 'error', errorCode: 'tls_failed', sentUs: null })
  })
})

describe('deadlines', () => {
  it('gives up where no first token comes, and disconnects', async () => {
    let closed: Promise<unknown> = Promise.resolve()
    const respond: Respond = (asked, response) => {
      closed = once(response, 'close')
      return hang(asked, response)
    }
    // Long enough for the head to come on a busy machine.
    const record = await ask(respond, { client: { first_token_timeout_seconds: 1 } })
    expect(record).toMatchObject({ status: 'timeout', errorCode: 'first_token_deadline', httpStatus: 200, chunks: 0 })
    await closed
  })

  it('gives up where tokens stop coming, whatever comments do', async () => {
    const record = await ask(
      (_, response) => {
        head(response)
        response.write(tokens(2))
        const ping = setInterval(() => response.write(': ping\n\n'), 10)
        response.on('close', () => clearInterval(ping))
      },
      { client: { stall_timeout_seconds: 0.15, first_token_timeout_seconds: 5 } },
    )
    expect(record).toMatchObject({ status: 'timeout', errorCode: 'stall_deadline', chunks: 2 })
  })

  it('gives up at the whole deadline, however steadily tokens trickle', async () => {
    const record = await ask(
      (_, response) => {
        head(response)
        const trickle = setInterval(() => response.write(tokenChunk()), 10)
        response.on('close', () => clearInterval(trickle))
      },
      { client: { stall_timeout_seconds: 5, request_timeout_seconds: 1 } },
    )
    expect(record).toMatchObject({ status: 'timeout', errorCode: 'whole_deadline' })
    expect(record.chunks).toBeGreaterThan(2)
  })

  it('gives up where not even headers come', async () => {
    const record = await ask(() => {}, { client: { request_timeout_seconds: 0.1 } })
    expect(record).toMatchObject({ status: 'timeout', errorCode: 'whole_deadline', httpStatus: null })
  })
})

describe('a refusal', () => {
  it.each([
    ['goes on without an end', (_: Asked, response: ServerResponse) => void response.writeHead(503).write('busy')],
    [
      'is cut off',
      (_: Asked, response: ServerResponse) =>
        void response.writeHead(503).write('busy', () => setTimeout(() => response.socket?.destroy(), 20)),
    ],
  ])('counts from its head where its body %s, and says what was read', async (_, respond) => {
    const record = await ask(respond, { client: { first_token_timeout_seconds: 2, request_timeout_seconds: 4 } })
    expect(record).toMatchObject({ status: 'rejected', errorCode: 'http_status', httpStatus: 503, refusal: 'busy' })
  })
})

describe('what is legal', () => {
  it('bytes split anywhere', async () => {
    const record = await ask(async (asked, response) => {
      head(response)
      for (const byte of Buffer.from(wholeAnswer(asked))) {
        response.write(Buffer.of(byte))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    })
    expect(record).toMatchObject({ status: 'ok', chunks: 4, outputTokens: 4, cachedTokens: 3 })
  })

  it('slow headers, informational ones first, and headers of nearly 64 KiB', async () => {
    const record = await ask((asked, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      setTimeout(() => {
        head(response, { 'x-big': 'a'.repeat(60_000) })
        response.end(wholeAnswer(asked))
      }, 50)
    })
    expect(record).toMatchObject({ status: 'ok', httpStatus: 200 })
  })

  it('a body that goes on after [DONE], and a cut there', async () => {
    for (const close of [false, true]) {
      const record = await ask((asked, response) => {
        head(response)
        response.write(`${wholeAnswer(asked)}data: {"error":{"message":"too late"}}\n\n`)
        if (close) setTimeout(() => response.socket?.destroy(), 20)
      })
      expect(record).toMatchObject({ status: 'ok', errorCode: null, outputTokens: 4 })
    }
  })

  it('a path below the origin', async () => {
    await using server = await startStreamServer((asked, response) => {
      head(response)
      response.end(wholeAnswer(asked))
    })
    const record = await replay.send(testShape(), { index: 0, url: `${server.url}/engine` }, row, never)
    expect(record.status).toBe('ok')
    expect(server.asked[0]?.path).toBe('/engine/v1/completions')
  })
})
