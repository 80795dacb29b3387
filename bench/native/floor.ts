import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Arrival } from '../instrument/requests.ts'
import type { ClientRun } from '../instrument/our-client.ts'
import { nativeProgram } from './compile.ts'

export interface FloorOrder {
  port: number
  arrivals: readonly Arrival[]
  /** Opened ahead. */
  connections: number
  /** Kept in flight, whatever is due. */
  inFlight?: number
}

/** The least that a client can do, on the same arrivals: see floor.c. Null where it cannot be compiled. */
export async function runFloor(order: FloorOrder): Promise<ClientRun | null> {
  const program = await nativeProgram('floor')
  if (program === null) return null
  const folder = mkdtempSync(join(tmpdir(), 'floor-'))
  try {
    const file = join(folder, 'arrivals')
    writeFileSync(file, order.arrivals.map(({ id, dueUs, tokens }) => `${id} ${dueUs} ${tokens}\n`).join(''))
    const options = ['--port', String(order.port), '--arrivals', file, '--connections', String(order.connections)]
    if (order.inFlight !== undefined) options.push('--in-flight', String(order.inFlight))
    const { stdout } = await promisify(execFile)(program, options, { maxBuffer: 1 << 30 })
    return readRun(stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readRun(text: string): ClientRun {
  const lines = text.trimEnd().split('\n')
  const [, cpuUs = 0, wallUs = 0] = numbers(lines.pop())
  let events = 0
  const times = lines.map((line) => {
    const [, dueUs = 0, sentUs = 0, firstUs = 0, lastUs = 0] = numbers(line)
    events += Number(line.slice(line.lastIndexOf(' ')))
    return { id: line.slice(0, line.indexOf(' ')), dueUs, sentUs, firstUs, lastUs }
  })
  return { times: times.filter(({ id }) => !id.startsWith('w-')), events, cpuUs, wallUs, failures: new Map() }
}

/** A line's fields as nanoseconds, in microseconds. */
function numbers(line = ''): number[] {
  return line.split(' ').map((field) => Number(field) / 1000)
}
