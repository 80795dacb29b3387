// A TLS server in a thread of its own: answers a head at once, tells its port, and counts its answers in the memory that it was given.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:tls'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const { answer, answered } = workerData as { answer: string; answered: Int32Array }
const pem = (name: string): Buffer => readFileSync(new URL(`../../../../fixtures/tls/${name}`, import.meta.url))

const server = createServer({ key: pem('server.key'), cert: pem('server.pem') }, (socket) => {
  let last = ''
  socket.on('error', () => {})
  socket.on('data', (bytes: Buffer) => {
    const text = last + bytes.toString('latin1')
    last = text.slice(-3)
    if (!text.includes('\r\n\r\n')) return
    socket.write(answer, () => {
      Atomics.add(answered, 0, 1)
      Atomics.notify(answered, 0)
    })
  })
})
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
