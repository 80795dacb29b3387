// Gives up a thousand requests while their connections are being opened, on a small stack, of the port in its one argument; then prints
// how the next request ends.
import { openNetTransport } from '../../../../src/adapters/replay/net-transport.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { PLAIN_CONNECTION } from '../../../../src/adapters/system/engine-connection.ts'

const targets = [{ index: 0, url: `http://127.0.0.1:${process.argv[2]}` }]
const limits = { idleConnectionMs: 60_000, connectTimeoutMs: 5000, spareConnections: 0 }
const transport = openNetTransport({ targets, connection: PLAIN_CONNECTION, ...limits, clock: systemClock() })
const nothing = { onOpen() {}, onSent() {}, onHead() {}, onBody() {}, onEnd() {}, onFailure() {} }
const request = { path: '/', headers: [], body: Buffer.from('{}') }
for (let index = 0; index < 1000; index += 1) {
  transport.dispatch(0, request, { ...nothing, onOpen: (control) => control.cut() })
}
const end = (how: string): void => {
  process.stdout.write(how)
  process.exit()
}
transport.dispatch(0, request, { ...nothing, onEnd: () => end('end'), onFailure: end })
