import { connect, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectSecurely, createSecureContext } from 'node:tls'
import type { ConnectionOptions, SecureContext } from 'node:tls'
import { trusted } from '../system/engine-connection.ts'
import { socketPathOf } from '../system/engine-origin.ts'

/**
 * Every read of every connection lands here, so that ten thousand streams need no more than one. The event loop reads one socket at a
 * time, and what was read is used up before the callback returns.
 */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024)

/** Where a replica listens. */
export type WireAddress = { path: string } | { host: string; port: number; secure: SecureSide | null }

/** Built once for all connections: a context with the usual certificates takes milliseconds. */
interface SecureSide {
  context: SecureContext
  /** Of the last handshake, which makes the next one cheap. */
  session: Buffer | undefined
}

export interface SocketEvents {
  /** Connected, TLS included. */
  onOpen(): void
  /** The first `length` bytes were read. They are gone after the call. */
  onRead(bytes: Uint8Array, length: number): void
}

/** The address that a replica's URL or `unix:/path` names; `ca` is trusted beside the usual certificates. */
export function wireAddress(target: string, ca: string | null): WireAddress {
  const path = socketPathOf(target)
  if (path !== null) return { path }
  const { protocol, hostname, port } = new URL(target)
  const isSecure = protocol === 'https:'
  const secure = isSecure
    ? { context: createSecureContext(ca === null ? {} : { ca: trusted(ca) }), session: undefined }
    : null
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (isSecure ? 443 : 80)), secure }
}

/** Begins to connect. Errors and the end are told by the socket's own events. */
export function openSocket(address: WireAddress, { onOpen, onRead }: SocketEvents): Socket {
  const onread = {
    buffer: readBuffer,
    callback(length: number) {
      onRead(readBuffer, length)
      return true
    },
  }
  if ('path' in address) return connect({ path: address.path, onread }).on('connect', onOpen)
  const { host, port, secure } = address
  if (secure === null) return connect({ host, port, noDelay: true, onread }).on('connect', onOpen)
  // The types do not know that TLS reads into a given buffer too.
  const options: ConnectionOptions & { onread: typeof onread } = {
    host,
    port,
    secureContext: secure.context,
    ALPNProtocols: ['http/1.1'],
    onread,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(secure.session ? { session: secure.session } : {}),
  }
  return (
    connectSecurely(options)
      .setNoDelay(true)
      // What the handshake wrote last is off by then; until it is, TLS holds back what is written.
      .on('secureConnect', () => setImmediate(onOpen))
      .on('session', (session: Buffer) => (secure.session = session))
  )
}
