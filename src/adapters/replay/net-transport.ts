import { socketPathOf } from '../system/engine-origin.ts'
import { ConnectionLine } from './connection-line.ts'
import { requestHead } from './request-head.ts'
import type { Transport, TransportInit } from './transport.ts'
import { wireAddress } from './wire-socket.ts'

/**
 * Opens a transport of HTTP/1.1 over sockets of our own: TCP, TLS or a Unix one. Disposing it cuts what is in flight, and resolves when every
 * socket is closed.
 */
export function openNetTransport(init: TransportInit): Transport {
  const lines = init.targets.map(({ url }) => openLine(url, init))
  const fixed = Object.entries(init.connection.headers).flat()
  return {
    dispatch(target, { path, headers, body }, handler) {
      const line = lines[target]
      if (!line) throw new RangeError(`no replica ${target}`)
      const head = requestHead(line.host, line.basePath + path, [...headers, ...fixed], body.length)
      line.connections.dispatch({ head, body, handler })
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(lines.map(({ connections }) => connections[Symbol.asyncDispose]()))
    },
  }
}

function openLine(target: string, init: TransportInit) {
  const url = new URL(socketPathOf(target) === null ? target : 'http://localhost')
  const connections = new ConnectionLine({
    address: wireAddress(target, init.connection.ca),
    spare: init.spareConnections,
    maxFreeUs: init.idleConnectionMs * 1000,
    connectTimeoutMs: init.connectTimeoutMs,
    clock: init.clock,
  })
  return { connections, host: url.host, basePath: url.pathname.replace(/\/$/, '') }
}
