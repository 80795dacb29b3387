import type { Socket } from 'node:net'

const SCRATCH_BYTES = 64 * 1024

/** Where head and body are put together. A write that the socket does not take at once keeps it, and the next one gets another. */
let scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)

/** Hands a request to a socket in one write. `onWritten` is called once the socket has taken the last byte, or failed. */
export function writeRequest(
  socket: Socket,
  head: string,
  body: Buffer,
  onWritten: (error?: Error | null) => void,
): void {
  const length = head.length + body.length
  if (length > SCRATCH_BYTES) {
    socket.cork()
    socket.write(head, 'latin1')
    socket.write(body, onWritten)
    socket.uncork()
    return
  }
  scratch.write(head, 0, 'latin1')
  body.copy(scratch, head.length)
  socket.write(scratch.subarray(0, length), onWritten)
  if (socket.writableLength > 0) scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)
}
