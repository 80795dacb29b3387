import { errors, Pool } from 'undici'
import type { Dispatcher } from 'undici'
import { transportErrorCode } from '../../core/stream/error-codes.ts'
import type { ErrorCode } from '../../core/stream/error-codes.ts'
import { ConnectionReserve } from './connection-reserve.ts'
import type { Transport, TransportInit, WireHandler } from './transport.ts'

/** Headers of an answer are read up to this size. */
const MAX_HEADER_BYTES = 64 * 1024

/** Opens a transport over undici. Disposing it cuts what is in flight, and resolves when every socket is closed. */
export function openUndiciTransport(init: TransportInit): Transport {
  const lines = init.targets.map((target) => openLine(new URL(target.url), init))
  return {
    dispatch(target, request, handler) {
      const line = lines[target]
      if (!line) throw new RangeError(`no replica ${target}`)
      const options = { ...request, path: line.basePath + request.path, method: 'POST' } as const
      line.pool.dispatch(options, new DispatchHandler(handler))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(lines.map(({ pool }) => pool.destroy()))
      await Promise.all(lines.map(({ reserve }) => reserve[Symbol.asyncDispose]()))
    },
  }
}

function openLine(url: URL, init: TransportInit) {
  const reserve = new ConnectionReserve({
    origin: url,
    size: init.spareConnections,
    maxIdleUs: init.idleConnectionMs * 1000,
    connectTimeoutMs: init.connectTimeoutMs,
    clock: init.clock,
  })
  const pool = new Pool(url.origin, {
    connect: reserve.connect,
    connections: null,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: init.idleConnectionMs,
    keepAliveMaxTimeout: init.idleConnectionMs,
    maxHeaderSize: MAX_HEADER_BYTES + 1,
    // A request's deadlines are its exchange's own.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  reserve.fill()
  return { pool, reserve, basePath: url.pathname.replace(/\/$/, '') }
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
    this.#handler.onHead(status, firstOf(headers['content-type']), firstOf(headers['content-encoding']))
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
  if (error instanceof errors.HTTPParserError) return 'bad_http'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return code === undefined || OURS.has(code) ? 'client_resource' : transportErrorCode(code)
}

const OURS = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'ERR_ASSERTION'])
