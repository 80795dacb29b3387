import { Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { Clock } from '../../app/ports/clock.ts'

type Target = Parameters<buildConnector.connector>[0]

export interface ReserveInit {
  origin: URL
  /** Further options of the connector: certificates, a socket's path. */
  trust: { ca?: string[]; socketPath?: string }
  /** Spare connections that are kept open. */
  size: number
  /** A spare one that is older is closed, not used. */
  maxIdleUs: number
  connectTimeoutMs: number
  clock: Clock
}

interface Spare {
  socket: Socket
  openedUs: number
}

/**
 * Opens connections, and keeps a few spare ones that were opened before they are needed: opening them in a burst of arrivals stalls the
 * event loop by milliseconds. `connect` is the connector of an undici dispatcher.
 */
export class ConnectionReserve implements AsyncDisposable {
  readonly #init: ReserveInit
  readonly #open: (target: Target, callback: buildConnector.Callback) => unknown
  readonly #spares: Spare[] = []
  /** Every socket that was opened here and is not closed. */
  readonly #sockets = new Set<Socket>()
  #opening = 0
  #isDisposed = false
  #refill: NodeJS.Immediate | null = null

  constructor(init: ReserveInit) {
    this.#init = init
    this.#open = buildConnector({ ...init.trust, allowH2: false, timeout: init.connectTimeoutMs })
  }

  readonly connect = (target: Target, callback: buildConnector.Callback): void => {
    const spare = this.#take()
    // The dispatcher that asks is in the middle of its own work: a socket at once would be overlooked.
    if (spare) queueMicrotask(() => callback(null, spare))
    else this.#openSocket(target, callback)
    this.fill()
  }

  /** Opens what is missing, one connection a loop turn. */
  fill(): void {
    if (this.#isDisposed || this.#refill !== null || this.#spares.length + this.#opening >= this.#init.size) return
    this.#refill = setImmediate(() => {
      this.#refill = null
      this.#openSpare()
      this.fill()
    })
  }

  /** Closes every connection and resolves when they are closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    if (this.#refill !== null) clearImmediate(this.#refill)
    this.#refill = null
    const open = [...this.#sockets]
    const closed = open.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())))
    for (const socket of open) socket.destroy()
    await Promise.all(closed)
  }

  #openSocket(target: Target, callback: buildConnector.Callback): void {
    const socket = this.#open(target, callback)
    if (!(socket instanceof Socket)) return
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  #openSpare(): void {
    const { protocol, hostname, host, port } = this.#init.origin
    this.#opening += 1
    this.#openSocket({ protocol, hostname: hostname.replace(/^\[|\]$/g, ''), host, port }, (error, socket) => {
      this.#opening -= 1
      // Whoever needs a connection opens one and learns why it fails.
      if (error || !socket) return
      this.#keep(socket)
    })
  }

  #keep(socket: Socket): void {
    socket.unref()
    socket.on('readable', drop)
    socket.on('error', drop)
    this.#spares.push({ socket, openedUs: this.#init.clock.nowUs() })
  }

  /** The youngest spare connection that is still open. */
  #take(): Socket | null {
    const oldestUs = this.#init.clock.nowUs() - this.#init.maxIdleUs
    for (let spare = this.#spares.pop(); spare; spare = this.#spares.pop()) {
      const { socket, openedUs } = spare
      if (socket.destroyed || openedUs < oldestUs) {
        socket.destroy()
        continue
      }
      socket.off('readable', drop)
      socket.off('error', drop)
      socket.ref()
      return socket
    }
    return null
  }
}

/** A server that closes, or speaks unasked, on a connection that carries no request. */
function drop(this: Socket): void {
  this.destroy()
}
