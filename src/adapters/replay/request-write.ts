import type { Socket } from 'node:net'

const SCRATCH_BYTES = 64 * 1024
/** Fewer than TLS hands on in one write, and than a connection whose buffer has room takes at once. */
const LAST_BYTES = 1024

/** Where head and body are put together. A write that the socket does not take at once keeps it, and the next one gets another. */
let scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)

type OnWritten = (error?: Error | null) => void

/** Hands a request to a socket in one write. True: the socket took it all. Else `onWritten` is called once it has, or failed. */
export function writeRequest(socket: Socket, head: string, body: Buffer, onWritten: OnWritten): boolean {
  if (head.length + body.length > SCRATCH_BYTES) writeParts(socket, head, body, onWritten)
  else writeWhole(socket, head, body, onWritten)
  return socket.writableLength === 0
}

/**
 * The same for TLS, which tells of each write a loop turn late, when the answer may have come. What goes out in one write is taken to have
 * left with it. Of a larger request the last bytes wait until TLS has told of the rest.
 */
export function writeSecurely(socket: Socket, head: string, body: Buffer, onWritten: OnWritten): boolean {
  if (head.length + body.length <= SCRATCH_BYTES) {
    writeWhole(socket, head, body, onWritten)
    return true
  }
  const last = Math.max(0, body.length - LAST_BYTES)
  writeParts(socket, head, body.subarray(0, last), (error) => {
    if (!error) socket.write(body.subarray(last))
    onWritten(error)
  })
  return false
}

function writeParts(socket: Socket, head: string, body: Buffer, onWritten: OnWritten): void {
  socket.cork()
  socket.write(head, 'latin1')
  socket.write(body, onWritten)
  socket.uncork()
}

function writeWhole(socket: Socket, head: string, body: Buffer, onWritten: OnWritten): void {
  const length = head.length + body.length
  scratch.write(head, 0, 'latin1')
  body.copy(scratch, head.length)
  socket.write(scratch.subarray(0, length), onWritten)
  if (socket.writableLength > 0) scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)
}
