import { randomInt } from 'node:crypto'
import { isPortFree } from '../../src/adapters/system/tcp-ports.ts'

/** Below the range from which systems take the ports of outgoing connections: no client's socket can come to hold one of these. */
const LOWEST = 20_000
/** Test files run beside each other in as many workers, numbered from 1: each has a range of its own. */
const WORKERS = 4
const RANGE = 12_000 / WORKERS
const lowest = LOWEST + (Number(process.env['VITEST_POOL_ID'] ?? 1) % WORKERS) * RANGE

const given = new Set<number>()

/** The first of `count` free ports in a row, not given before by this process. */
export async function freePorts(count = 1): Promise<number> {
  for (;;) {
    const first = randomInt(lowest, lowest + RANGE - count)
    const ports = Array.from({ length: count }, (_, index) => first + index)
    if (ports.some((port) => given.has(port))) continue
    const free = await Promise.all(ports.map(isPortFree))
    if (!free.every(Boolean)) continue
    for (const port of ports) given.add(port)
    return first
  }
}
