import type { Clock } from '../../app/ports/clock.ts'
import type { Replica } from '../../app/ports/engine.ts'
import type { RequestShape } from '../../app/ports/replay.ts'
import { idleConnectionMs } from '../../core/dialect/choose.ts'
import type { EngineConnection } from '../system/engine-connection.ts'
import type { Transport } from './transport.ts'
import { openUndiciTransport } from './undici-transport.ts'

/** An engine that is up takes a connection in milliseconds; a full accept queue drops the first tries. */
const CONNECT_TIMEOUT_MS = 10_000

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
  return openUndiciTransport({
    targets,
    connection,
    idleConnectionMs: idleConnectionMs(dialect, { ...dialect.environment, ...environment }),
    connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, Math.ceil(manifest.client.request_timeout_seconds * 1000)),
    spareConnections,
    clock,
  })
}
