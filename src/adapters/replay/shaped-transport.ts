import type { Clock } from '../../app/ports/clock.ts'
import type { Replica } from '../../app/ports/engine.ts'
import type { RequestShape } from '../../app/ports/replay.ts'
import { idleConnectionMs } from '../../core/dialect/choose.ts'
import type { EngineConnection } from '../system/engine-connection.ts'
import { socketPathOf } from '../system/engine-origin.ts'
import { openNetTransport } from './net-transport.ts'
import type { Transport, TransportInit } from './transport.ts'
import { openUndiciTransport } from './undici-transport.ts'

/** An engine that is up takes a connection in milliseconds; a full accept queue drops the first tries. */
const CONNECT_TIMEOUT_MS = 10_000

/** Sockets of our own for HTTP/1.1; undici for HTTP/2, and where a proxy stands between. */
function openTransport(init: TransportInit): Transport {
  const { proxy, httpVersion } = init.connection
  const isDirect = init.targets.every(({ url }) => proxy === null || socketPathOf(url) !== null)
  return isDirect && httpVersion === '1.1' ? openNetTransport(init) : openUndiciTransport(init)
}

/** The transport that a manifest and its dialect ask for. */
export function openShapedTransport(
  clock: Clock,
  connection: EngineConnection,
  { manifest, dialect }: RequestShape,
  targets: readonly Replica[],
  spareConnections: number,
): Transport {
  const { deploy } = manifest.engine
  const environment = deploy && 'env' in deploy ? deploy.env : {}
  return openTransport({
    targets,
    connection,
    idleConnectionMs: idleConnectionMs(dialect, { ...dialect.environment, ...environment }),
    connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, Math.ceil(manifest.client.request_timeout_seconds * 1000)),
    spareConnections,
    clock,
  })
}
