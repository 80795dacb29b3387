import type { Clock } from '../../app/ports/clock.ts'
import type { Replica } from '../../app/ports/engine.ts'
import type { ErrorCode } from '../../core/stream/error-codes.ts'
import type { EngineConnection } from '../system/engine-connection.ts'

export interface TransportInit {
  targets: readonly Replica[]
  /** What every request carries beside its own headers, and how the engine is reached. */
  connection: EngineConnection
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

/** One request on a connection. */
export interface WireControl {
  /** Leaves the connection at once: what has not been written never is, and no more is read. The handler may still be told of a failure. */
  cut(): void
}

/** What becomes of one request on the wire. After `onEnd` or `onFailure`, one of which always comes unless it was cut, comes nothing. */
export interface WireHandler {
  /** There is a connection, and nothing has been written. May come again if that one turns out to be closed before anything was. */
  onOpen(control: WireControl): void
  /** The last byte of head and body was handed to the socket. */
  onSent(): void
  /** The answer's head; informational ones (1xx) are passed over. */
  onHead(status: number, contentType: string | undefined, contentEncoding: string | undefined): void
  /** Bytes of the body without HTTP's framing. They are reused after the call. */
  onBody(bytes: Uint8Array): void
  /** The body is whole by its framing. */
  onEnd(): void
  /** No whole answer will come. `connection_reset` is any end of the connection, in the body too. */
  onFailure(errorCode: ErrorCode): void
}

/** HTTP to every replica: as many requests at once as are asked for, none waiting for another. */
export interface Transport extends AsyncDisposable {
  /**
   * Hands a request over at once. What goes wrong reaches `handler.onFailure`; nothing is sent twice, redirected, or sent through a
   * proxy that was not asked for.
   */
  dispatch(target: number, request: WireRequest, handler: WireHandler): void
}
