import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

const given = new Set<number>()

async function anyFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The first of `count` free ports in a row, not given before by this process. */
export async function freePorts(count = 1): Promise<number> {
  for (;;) {
    const first = await anyFreePort()
    const ports = Array.from({ length: count }, (_, index) => first + index)
    if (ports.some((port) => port > 60_000 || given.has(port))) continue
    for (const port of ports) given.add(port)
    return first
  }
}
