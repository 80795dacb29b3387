import { Pool } from 'undici'
import type { Dispatcher } from 'undici'
import type { Clock } from '../../app/ports/clock.ts'
import type { Replica } from '../../app/ports/engine.ts'
import { ConnectionReserve } from './connection-reserve.ts'

/** Headers of an answer are read up to this size. */
const MAX_HEADER_BYTES = 64 * 1024

export interface TransportInit {
  targets: readonly Replica[]
  /** An idle connection is not used after so long. */
  idleConnectionMs: number
  connectTimeoutMs: number
  /** Connections opened ahead for each replica. */
  spareConnections: number
  clock: Clock
}

interface WireRequest {
  path: string
  /** Names and values, alternating. */
  headers: string[]
  body: Buffer
}

/** HTTP/1.1 to every replica: as many connections as there are requests in flight, one request on each at a time. */
export interface Transport extends AsyncDisposable {
  /**
   * Hands a request over at once. What goes wrong reaches `handler.onResponseError`; nothing is thrown, sent twice, redirected or sent
   * through a proxy.
   */
  dispatch(target: number, request: WireRequest, handler: Dispatcher.DispatchHandler): void
}

/** Opens a transport. Disposing it cuts what is in flight, and resolves when every socket is closed. */
export function openTransport(init: TransportInit): Transport {
  const lines = init.targets.map((target) => openLine(new URL(target.url), init))
  return {
    dispatch(target, request, handler) {
      const line = lines[target]
      if (!line) throw new RangeError(`no replica ${target}`)
      line.pool.dispatch({ ...request, path: line.basePath + request.path, method: 'POST' }, handler)
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
