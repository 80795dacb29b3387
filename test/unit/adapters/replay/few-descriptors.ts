// Asks for more connections than a process may have descriptors, of the port in its one argument, and prints how those failed that did.
import { openNetTransport } from '../../../../src/adapters/replay/net-transport.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { PLAIN_CONNECTION } from '../../../../src/adapters/system/engine-connection.ts'

const REQUESTS = 100
const codes = new Set<string>()
const targets = [{ index: 0, url: `http://127.0.0.1:${process.argv[2]}` }]
const limits = { idleConnectionMs: 60_000, connectTimeoutMs: 5000, spareConnections: 0 }
const transport = openNetTransport({ targets, connection: PLAIN_CONNECTION, ...limits, clock: systemClock() })
let settled = 0
const { promise, resolve } = Promise.withResolvers<void>()
const settle = (): void => {
  settled += 1
  if (settled === REQUESTS) resolve()
}
for (let index = 0; index < REQUESTS; index += 1) {
  const request = { path: '/', headers: [], body: Buffer.from('{}') }
  transport.dispatch(0, request, {
    onOpen() {},
    onSent: settle,
    onHead() {},
    onBody() {},
    onEnd() {},
    onFailure(code) {
      codes.add(code)
      settle()
    },
  })
}
await promise
process.stdout.write(JSON.stringify([...codes]))
process.exit()
