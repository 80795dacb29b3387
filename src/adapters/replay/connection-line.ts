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
const MOST_RENEWAL_MS = 60_000
/** A server that takes no connection, or closes one that waits for a request, is asked for no other ahead of need for so long. */
const PATIENCE_US = 100_000
/** Closing takes a tenth of a millisecond: of many that grew old together, so many are closed a loop turn. */
const CLOSED_A_TURN = 4

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
 * one a loop turn, and old ones closed, in turns in which nothing was sent. One whose answer was read rests until the event loop has read once more: a server
 * that closes right behind its answer, or says more than it, is heard before the next request is written.
 */
export class ConnectionLine implements ConnectionOwner, AsyncDisposable {
  readonly #init: LineInit
  readonly #connections = new Set<WireConnection>()
  /** Oldest first. */
  readonly #free: WireConnection[] = []
  /** Free for too long: to be closed. */
  readonly #old = new Set<WireConnection>()
  /** Requests for which a connection is being opened, oldest first. */
  readonly #waiting = new Map<WireConnection, WireCall>()
  readonly #opening = new Set<WireConnection>()
  /** Whose answer was read in this loop turn, and in the one before. */
  #resting = new Set<WireConnection>()
  #rested = new Set<WireConnection>()
  /** Requests for which one that rests is enough: never more of them than of those. */
  readonly #queued: WireCall[] = []
  #nextTurn: NodeJS.Immediate | null = null
  readonly #renewal: NodeJS.Timeout | null
  #upkeep: NodeJS.Immediate | null = null
  #hasSent = false
  #patientUntilUs = 0
  #isDisposed = false
  #onEmpty: (() => void) | null = null

  constructor(init: LineInit) {
    this.#init = init
    const renewalMs = Math.min(MOST_RENEWAL_MS, Math.max(20, init.maxFreeUs / 4000))
    this.#renewal = init.spare > 0 ? setInterval(() => this.#tend(), renewalMs) : null
    this.#renewal?.unref()
    this.#tend()
  }

  dispatch(call: WireCall): void {
    if (this.#isDisposed) return call.handler.onFailure('connection_reset')
    this.#hasSent = true
    for (let free = this.#take(); free; free = this.#take()) {
      const outcome = free.send(call)
      if (outcome === 'given_up') this.#settle(free)
      if (outcome !== 'refused') return this.#tend()
      free.destroy()
    }
    if (this.#queued.length < this.#atRest) this.#queued.push(call)
    else this.#waiting.set(this.#open(), call)
    this.#tend()
  }

  onOpen(connection: WireConnection): void {
    this.#opening.delete(connection)
    if (this.#isDisposed) return connection.destroy()
    connection.freeSinceUs = this.#init.clock.nowUs()
    const unsent = this.#settle(connection)
    unsent?.handler.onFailure('connection_reset')
  }

  onFree(connection: WireConnection): void {
    if (this.#isDisposed) return connection.destroy()
    connection.freeSinceUs = this.#init.clock.nowUs()
    this.#resting.add(connection)
    this.#nextTurn ??= setImmediate(() => this.#turn())
  }

  onLost(connection: WireConnection, failure: ErrorCode | null): void {
    this.#opening.delete(connection)
    const index = this.#old.delete(connection) ? -1 : this.#free.lastIndexOf(connection)
    if (index !== -1) this.#free.splice(index, 1)
    // Else thousands a second: its ports and ours would run out.
    if (failure !== null || index !== -1) this.#patientUntilUs = this.#init.clock.nowUs() + PATIENCE_US
    const call = this.#waiting.get(connection)
    this.#waiting.delete(connection)
    call?.handler.onFailure(failure ?? 'connection_reset')
    if (this.#resting.delete(connection) || this.#rested.delete(connection)) this.#openForQueued()
  }

  onClosed(connection: WireConnection): void {
    this.#connections.delete(connection)
    if (this.#connections.size === 0) this.#onEmpty?.()
  }

  /** Closes every connection and resolves when they are closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    if (this.#renewal) clearInterval(this.#renewal)
    for (const immediate of [this.#upkeep, this.#nextTurn]) if (immediate) clearImmediate(immediate)
    this.#free.length = 0
    for (const { handler } of this.#queued.splice(0)) handler.onFailure('connection_reset')
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onEmpty = resolve
    for (const connection of this.#connections) connection.destroy()
    if (this.#connections.size > 0) await promise
  }

  get #atRest(): number {
    return this.#resting.size + this.#rested.size
  }

  /** Once a loop turn, after its reads: what has rested since before them may be used again. */
  #turn(): void {
    const rested = this.#rested
    this.#rested = this.#resting
    this.#resting = new Set()
    this.#nextTurn = this.#atRest > 0 ? setImmediate(() => this.#turn()) : null
    for (const connection of rested) {
      const unsent = this.#settle(connection)
      if (unsent) this.dispatch(unsent)
    }
    this.#openForQueued()
  }

  /** Gives a connection the next request that waits for one, else it is free. Returns a request of which it would not take a byte. */
  #settle(connection: WireConnection): WireCall | null {
    for (let call = this.#nextFor(connection); call; call = this.#nextFor(connection)) {
      const outcome = connection.send(call)
      if (outcome === 'sent') return null
      if (outcome === 'refused') {
        connection.destroy()
        return call
      }
    }
    this.#free.push(connection)
    return null
  }

  /** Connections that rested were lost: those who waited for them get their own. */
  #openForQueued(): void {
    while (this.#queued.length > this.#atRest) {
      const call = this.#queued.pop()
      if (call) this.#waiting.set(this.#open(), call)
    }
  }

  /** The request that the connection was opened for, else the one that waits longest: it waits no more. */
  #nextFor(connection: WireConnection): WireCall | null {
    const isOwn = this.#waiting.has(connection)
    const queued = isOwn ? undefined : this.#queued.shift()
    if (queued) return queued
    const key = isOwn ? connection : this.#waiting.keys().next().value
    if (!key) return null
    const call = this.#waiting.get(key) ?? null
    this.#waiting.delete(key)
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
    for (let last = this.#free.pop(); last; last = this.#free.pop()) {
      if (!this.#isOld(last)) return last
      this.#old.add(last)
    }
    return null
  }

  #isOld({ freeSinceUs, keepAliveSeconds }: WireConnection): boolean {
    const { clock, maxFreeUs } = this.#init
    const saidUs = keepAliveSeconds === null ? Infinity : keepAliveSeconds * 1e6 * KEPT_SHARE
    return clock.nowUs() - freeSinceUs > Math.min(maxFreeUs, saidUs)
  }

  #isShort(): boolean {
    const { spare } = this.#init
    const coming = this.#opening.size - this.#waiting.size + this.#atRest - this.#queued.length
    const spares = this.#free.length + coming
    const busy = this.#connections.size - spares - this.#old.size
    if (spare === 0 || this.#init.clock.nowUs() < this.#patientUntilUs) return false
    return spares < Math.min(MOST_SPARE, Math.max(spare, SPARE_ROOTS * Math.sqrt(busy)))
  }

  /** In loop turns to come, for as long as there is something to open or to close. */
  #tend(): void {
    if (this.#isDisposed || this.#upkeep) return
    this.#retire()
    if (this.#old.size === 0 && !this.#isShort()) return
    this.#upkeep = setImmediate(() => {
      this.#upkeep = null
      // In a burst of arrivals every microsecond is theirs.
      if (!this.#hasSent) this.#closeOrOpen()
      this.#hasSent = false
      this.#tend()
    })
  }

  #retire(): void {
    const young = this.#free.findIndex((connection) => !this.#isOld(connection))
    if (young === 0) return
    for (const old of this.#free.splice(0, young === -1 ? this.#free.length : young)) this.#old.add(old)
  }

  #closeOrOpen(): void {
    if (this.#isShort()) this.#open()
    let left = CLOSED_A_TURN
    for (const connection of this.#old) {
      if (left === 0) return
      left -= 1
      connection.destroy()
    }
  }
}
