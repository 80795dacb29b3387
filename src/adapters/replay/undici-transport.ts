import type { TLSSocket } from 'node:tls'
import { buildConnector, errors, Pool, ProxyAgent } from 'undici'
import type { Dispatcher } from 'undici'
import { transportErrorCode } from '../../core/stream/error-codes.ts'
import type { ErrorCode } from '../../core/stream/error-codes.ts'
import { trusted } from '../system/engine-connection.ts'
import { socketPathOf } from '../system/engine-origin.ts'
import type { Transport, TransportInit, WireHandler } from './transport.ts'

/** Headers of an answer are read up to this size. */
const MAX_HEADER_BYTES = 64 * 1024

/** Streams that share a connection of HTTP/2: fewer than servers commonly allow. */
const STREAMS = 100

interface Line extends AsyncDisposable {
  origin: string
  basePath: string
  dispatcher: Dispatcher
}

/** Opens a transport over undici, for HTTP/2 and proxies. Disposing it cuts what is in flight, and resolves when every socket is closed. */
export function openUndiciTransport(init: TransportInit): Transport {
  const lines = init.targets.map((target) => openLine(target.url, init))
  const fixed = Object.entries(init.connection.headers).flat()
  return {
    dispatch(target, request, handler) {
      const line = lines[target]
      if (!line) throw new RangeError(`no replica ${target}`)
      const headers = [...request.headers, ...fixed]
      const { origin, basePath, dispatcher } = line
      const options = { ...request, headers, origin, path: basePath + request.path, method: 'POST' } as const
      dispatcher.dispatch(options, new DispatchHandler(handler))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(lines.map((line) => line[Symbol.asyncDispose]()))
    },
  }
}

function openLine(target: string, init: TransportInit): Line {
  const socketPath = socketPathOf(target)
  const url = new URL(socketPath === null ? target : 'http://localhost')
  const { origin } = url
  const basePath = url.pathname.replace(/\/$/, '')
  const { ca, proxy, httpVersion } = init.connection
  const trust = { ...(ca === null ? {} : { ca: trusted(ca) }), ...(socketPath === null ? {} : { socketPath }) }
  const close = (dispatcher: Dispatcher) => async (): Promise<void> => void (await dispatcher.destroy())
  if (proxy !== null && socketPath === null) {
    const dispatcher = new ProxyAgent({
      ...poolLimits(init.idleConnectionMs),
      uri: proxy,
      proxyTunnel: true,
      connectTimeout: init.connectTimeoutMs,
      proxyTls: trust,
      requestTls: { ...trust, allowH2: false },
    })
    return { origin, basePath, dispatcher, [Symbol.asyncDispose]: close(dispatcher) }
  }
  const allowH2 = httpVersion === '2'
  const connector = buildConnector({ ...trust, allowH2, timeout: init.connectTimeoutMs })
  const connect = allowH2 ? http2Only(connector) : connector
  const pipelining = allowH2 ? STREAMS : 1
  const dispatcher = new Pool(origin, { ...poolLimits(init.idleConnectionMs), connect, allowH2, pipelining })
  return { origin, basePath, dispatcher, [Symbol.asyncDispose]: close(dispatcher) }
}

function poolLimits(idleConnectionMs: number) {
  return {
    connections: null,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleConnectionMs,
    keepAliveMaxTimeout: idleConnectionMs,
    maxHeaderSize: MAX_HEADER_BYTES + 1,
    // A request's deadlines are its exchange's own.
    headersTimeout: 0,
    bodyTimeout: 0,
  } as const
}

/** A server that does not offer HTTP/2 is refused: on HTTP/1.1 many requests would wait on one connection. */
function http2Only(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...[error, socket]) => {
      if (error) return callback(error, null)
      if ((socket as TLSSocket).alpnProtocol === 'h2') return callback(null, socket)
      socket.destroy()
      callback(Object.assign(new Error('the engine does not offer HTTP/2'), { code: 'HPE_NO_HTTP2' }), null)
    })
}

/** undici's events as the wire's. */
class DispatchHandler implements Dispatcher.DispatchHandler {
  readonly #handler: WireHandler

  constructor(handler: WireHandler) {
    this.#handler = handler
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#handler.onOpen({ cut: () => controller.abort(new Error('given up')) })
  }

  onRequestSent(): void {
    this.#handler.onSent()
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return
    const encoding = headers['content-encoding']
    this.#handler.onHead(status, firstOf(headers['content-type']), Array.isArray(encoding) ? encoding.join() : encoding)
  }

  onResponseData(_: Dispatcher.DispatchController, bytes: Buffer): void {
    this.#handler.onBody(bytes)
  }

  onResponseEnd(): void {
    this.#handler.onEnd()
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    this.#handler.onFailure(failureCode(error))
  }
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

/** undici's refusal of a request, or an exception of our own or its, is not the engine's failure. */
export function failureCode(error: Error): ErrorCode {
  // The end in the middle of a chunk's framing.
  if ('code' in error && error.code === 'HPE_INVALID_EOF_STATE') return 'connection_reset'
  if (error instanceof errors.HTTPParserError || NOT_HTTP.has(error.constructor)) return 'bad_http'
  // What undici has for a proxy that opens no tunnel: our own aborts have no code.
  if (error instanceof errors.RequestAbortedError) return 'connect_failed'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return code === undefined || OURS.has(code) ? 'client_resource' : transportErrorCode(code)
}

/** Lengths that are none, or more than one, are told so. */
const NOT_HTTP = new Set<unknown>([errors.ResponseContentLengthMismatchError])

const OURS = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'ERR_ASSERTION'])
