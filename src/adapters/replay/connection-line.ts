import type { Clock } from '../../app/ports/clock.ts'
import type { ErrorCode } from '../../core/stream/error-codes.ts'
import type { ConnectionOwner, WireCall } from './wire-connection.ts'
import { WireConnection } from './wire-connection.ts'
import type { WireAddress } from './wire-socket.ts'

/** Spare connections for so many in flight grow with the root of their number, as their fluctuation does. */
const SPARE_ROOTS = 2
const MOST_SPARE = 256
/** Of its life between requests, as the server says it, a connection is used for so much. */
const KEPT_SHARE = 0.8

export interface LineInit {
  address: WireAddress
  /** Connections that are kept open ahead of need, at least; none at 0. */
  spare: number
  /** A connection that was free for longer is closed, not used. */
  maxFreeUs: number
  connectTimeoutMs: number
  clock: Clock
}

/**
 * The connections to one replica. A request takes the one that became free last, or has one opened for it at once; spare ones are opened
 * one a loop turn, in turns in which nothing was sent.
 */
export class ConnectionLine implements ConnectionOwner, AsyncDisposable {
  readonly #init: LineInit
  readonly #connections = new Set<WireConnection>()
  /** Oldest first. */
  readonly #free: WireConnection[] = []
  /** Requests for which a connection is being opened, oldest first. */
  readonly #waiting = new Map<WireConnection, WireCall>()
  readonly #opening = new Set<WireConnection>()
  readonly #renewal: NodeJS.Timeout | null
  #refill: NodeJS.Immediate | null = null
  #hasSent = false
  #isDisposed = false
  #onEmpty: (() => void) | null = null

  constructor(init: LineInit) {
    this.#init = init
    this.#renewal = init.spare > 0 ? setInterval(() => this.#renew(), Math.max(20, init.maxFreeUs / 4000)) : null
    this.#renewal?.unref()
    this.#fill()
  }

  dispatch(call: WireCall): void {
    if (this.#isDisposed) return call.handler.onFailure('connection_reset')
    this.#hasSent = true
    for (let free = this.#take(); free; free = this.#take()) if (this.#send(free, call)) return this.#fill()
    this.#waiting.set(this.#open(), call)
    this.#fill()
  }

  onFree(connection: WireConnection): void {
    this.#opening.delete(connection)
    if (this.#isDisposed) return connection.destroy()
    const call = this.#nextFor(connection)
    if (call) {
      if (!this.#send(connection, call)) call.handler.onFailure('connection_reset')
      return
    }
    connection.freeSinceUs = this.#init.clock.nowUs()
    this.#free.push(connection)
    this.#dropOld()
  }

  onLost(connection: WireConnection, failure: ErrorCode | null): void {
    this.#opening.delete(connection)
    const index = this.#free.lastIndexOf(connection)
    if (index !== -1) this.#free.splice(index, 1)
    const call = this.#waiting.get(connection)
    this.#waiting.delete(connection)
    call?.handler.onFailure(failure ?? 'connection_reset')
  }

  onClosed(connection: WireConnection): void {
    this.#connections.delete(connection)
    if (this.#connections.size === 0) this.#onEmpty?.()
  }

  /** Closes every connection and resolves when they are closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    if (this.#renewal) clearInterval(this.#renewal)
    if (this.#refill) clearImmediate(this.#refill)
    this.#refill = null
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onEmpty = resolve
    for (const connection of this.#connections) connection.destroy()
    if (this.#connections.size > 0) await promise
  }

  /** False: the connection is lost, and not a byte of the request was taken by it. */
  #send(connection: WireConnection, call: WireCall): boolean {
    const outcome = connection.send(call)
    if (outcome === 'refused') connection.destroy()
    else if (outcome === 'given_up') this.onFree(connection)
    return outcome !== 'refused'
  }

  /** The request that the connection was opened for, else the one that waits longest: it waits no more. */
  #nextFor(connection: WireConnection): WireCall | null {
    const own = this.#waiting.has(connection) ? connection : this.#waiting.keys().next().value
    if (!own) return null
    const call = this.#waiting.get(own) ?? null
    this.#waiting.delete(own)
    return call
  }

  #open(): WireConnection {
    const { address, connectTimeoutMs } = this.#init
    const connection = new WireConnection(address, connectTimeoutMs, this)
    this.#connections.add(connection)
    this.#opening.add(connection)
    return connection
  }

  /** The connection that became free last, if it is young enough. */
  #take(): WireConnection | null {
    const connection = this.#free.at(-1)
    if (!connection) return null
    if (this.#isOld(connection)) {
      connection.destroy()
      return this.#take()
    }
    this.#free.pop()
    return connection
  }

  #isOld({ freeSinceUs, keepAliveSeconds }: WireConnection): boolean {
    const { clock, maxFreeUs } = this.#init
    const saidUs = keepAliveSeconds === null ? Infinity : keepAliveSeconds * 1e6 * KEPT_SHARE
    return clock.nowUs() - freeSinceUs > Math.min(maxFreeUs, saidUs)
  }

  #dropOld(): void {
    for (let oldest = this.#free[0]; oldest && this.#isOld(oldest); oldest = this.#free[0]) oldest.destroy()
  }

  #renew(): void {
    this.#dropOld()
    this.#fill()
  }

  #isShort(): boolean {
    const { spare } = this.#init
    const spares = this.#free.length + this.#opening.size - this.#waiting.size
    const busy = this.#connections.size - spares
    return spare > 0 && spares < Math.min(MOST_SPARE, Math.max(spare, SPARE_ROOTS * Math.sqrt(busy)))
  }

  #fill(): void {
    if (this.#isDisposed || this.#refill || !this.#isShort()) return
    this.#refill = setImmediate(() => {
      this.#refill = null
      // In a burst of arrivals every microsecond is theirs.
      if (!this.#hasSent && this.#isShort()) this.#open()
      this.#hasSent = false
      this.#fill()
    })
  }
}
