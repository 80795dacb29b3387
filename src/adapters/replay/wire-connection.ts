import { isIP } from 'node:net'
import type { Socket } from 'node:net'
import type { ErrorCode } from '../../core/stream/error-codes.ts'
import { transportErrorCode } from '../../core/stream/error-codes.ts'
import { HttpAnswerReader } from '../../core/stream/http-answer-reader.ts'
import type { HttpHead } from '../../core/stream/http-head.ts'
import { writeRequest, writeSecurely } from './request-write.ts'
import type { WireHandler } from './transport.ts'
import type { WireAddress } from './wire-socket.ts'
import { openSocket } from './wire-socket.ts'

export interface WireCall {
  head: string
  body: Buffer
  handler: WireHandler
}

export interface ConnectionOwner {
  /** It was opened: it may carry a request. */
  onOpen(connection: WireConnection): void
  /** Its answer is read: it may carry another request. */
  onFree(connection: WireConnection): void
  /** It cannot be used any more. `failure`: why it could not even be opened; null if it was. */
  onLost(connection: WireConnection, failure: ErrorCode | null): void
  /** Its socket is closed. */
  onClosed(connection: WireConnection): void
}

/** One connection of HTTP/1.1: one request at a time, as often as both sides keep it. */
export class WireConnection {
  /** When it became free, by its owner's clock. */
  freeSinceUs = 0
  readonly #owner: ConnectionOwner
  readonly #socket: Socket
  readonly #reader: HttpAnswerReader
  readonly #connectTimer: NodeJS.Timeout
  readonly #write: typeof writeRequest
  #handler: WireHandler | null = null
  #isOpen = false
  #isLost = false
  #isSent = false

  constructor(address: WireAddress, connectTimeoutMs: number, owner: ConnectionOwner) {
    this.#owner = owner
    this.#reader = new HttpAnswerReader({
      onHead: (head) => this.#onHead(head),
      onBody: (bytes) => this.#handler?.onBody(bytes),
    })
    const socket = openSocket(address, {
      onOpen: () => this.#opened(),
      onRead: (bytes, length) => this.#read(bytes, length),
    })
    this.#socket = socket
    this.#write = 'secure' in address && address.secure ? writeSecurely : writeRequest
    // A resolver that is silent for so long is no fault of the engine.
    let hasAddress = 'path' in address || isIP(address.host) !== 0
    socket.once('lookup', () => (hasAddress = true))
    const onTimeout = (): void => this.#leave(hasAddress ? 'connect_failed' : 'name_not_resolved')
    this.#connectTimer = setTimeout(onTimeout, connectTimeoutMs)
    socket.on('end', () => this.#ended())
    socket.on('error', (error: NodeJS.ErrnoException) => this.#leave(this.#codeOf(error)))
    socket.on('close', () => {
      this.#leave('connection_reset')
      owner.onClosed(this)
    })
  }

  /** How long the server keeps it open between requests, by its own word. */
  get keepAliveSeconds(): number | null {
    return this.#reader.keepAliveSeconds
  }

  /**
   * Sends a request; the connection must be free. `refused`: it turned out to be closed, and not a byte was taken by the socket. `given_up`:
   * the handler did not want it any more; the connection is still free.
   */
  send({ head, body, handler }: WireCall): 'sent' | 'refused' | 'given_up' {
    const socket = this.#socket
    if (this.#isLost || socket.destroyed) return 'refused'
    this.#handler = handler
    this.#isSent = false
    let isWritten = false
    handler.onOpen({
      cut: () => {
        if (this.#handler !== handler) return
        this.#handler = null
        if (isWritten) this.#leave('connection_reset')
      },
    })
    if (this.#handler !== handler) return 'given_up'
    this.#reader.restart()
    isWritten = true
    const isTaken = this.#write(socket, head, body, this.#onWritten)
    // The system refuses a write at once or takes a part of it: an error known by now means that it took nothing.
    if (socket.errored || socket.destroyed) {
      this.#handler = null
      return 'refused'
    }
    if (isTaken) this.#noteSent()
    return 'sent'
  }

  /** Closes it at once. */
  destroy(): void {
    this.#leave('connection_reset')
  }

  /** Called for every write, late: what was taken at once was noted before. */
  readonly #onWritten = (error?: Error | null): void => {
    if (!error) this.#noteSent()
  }

  #opened(): void {
    if (this.#isLost) return
    clearTimeout(this.#connectTimer)
    this.#isOpen = true
    this.#owner.onOpen(this)
  }

  #noteSent(): void {
    if (this.#isSent || !this.#handler) return
    this.#isSent = true
    this.#handler.onSent()
  }

  #onHead({ status, contentType, contentEncoding }: HttpHead): void {
    this.#handler?.onHead(status, contentType, contentEncoding)
  }

  #read(bytes: Uint8Array, length: number): void {
    const handler = this.#handler
    const reader = this.#reader
    // A server that speaks unasked.
    if (!handler) return this.#leave('connection_reset')
    try {
      reader.push(bytes, length)
      if (this.#handler !== handler) return
      if (reader.isEnded) this.#finish(handler)
      else if (reader.failure !== null) this.#leave(reader.failure)
    } catch {
      // Ours, not the server's: the request must not hang for it.
      this.#leave('client_resource')
    }
  }

  #finish(handler: WireHandler): void {
    const isFree = this.#reader.isReusable && this.#isSent
    this.#handler = null
    if (isFree) this.#owner.onFree(this)
    else this.#leave('connection_reset')
    handler.onEnd()
  }

  /** The server closed its side. */
  #ended(): void {
    const handler = this.#handler
    this.#reader.close()
    if (handler && this.#reader.isEnded) this.#finish(handler)
    else this.#leave(this.#reader.failure ?? 'connection_reset')
  }

  /** Ends the connection, and the request on it with this error. */
  #leave(code: ErrorCode): void {
    if (this.#isLost) return
    this.#isLost = true
    clearTimeout(this.#connectTimer)
    const handler = this.#handler
    this.#handler = null
    this.#reader.stop()
    this.#socket.destroy()
    this.#owner.onLost(this, this.#isOpen ? null : code)
    handler?.onFailure(code)
  }

  /** The system has one name for a reset before and after the connection stood. */
  #codeOf(error: NodeJS.ErrnoException): ErrorCode {
    const code = transportErrorCode(error.code)
    if (this.#isOpen) return code === 'connect_failed' ? 'connection_reset' : code
    return code === 'connection_reset' ? 'connect_failed' : code
  }
}
