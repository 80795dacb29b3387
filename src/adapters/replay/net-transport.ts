import { socketPathOf } from '../system/engine-origin.ts'
import { ConnectionLine } from './connection-line.ts'
import { requestHead } from './request-head.ts'
import type { Transport, TransportInit } from './transport.ts'
import type { WireAddress } from './wire-connection.ts'

/**
 * Opens a transport of HTTP/1.1 over plain sockets: TCP (`http://host:port/base`) or a Unix one (`unix:/path`). Disposing it cuts what is in
 * flight, and resolves when every socket is closed.
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
  const socketPath = socketPathOf(target)
  const url = new URL(socketPath === null ? target : 'http://localhost')
  const connections = new ConnectionLine({
    address: socketPath === null ? addressOf(url) : { path: socketPath },
    spare: init.spareConnections,
    maxFreeUs: init.idleConnectionMs * 1000,
    connectTimeoutMs: init.connectTimeoutMs,
    clock: init.clock,
  })
  return { connections, host: url.host, basePath: url.pathname.replace(/\/$/, '') }
}

function addressOf({ hostname, port }: URL): WireAddress {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 80 : Number(port) }
}
