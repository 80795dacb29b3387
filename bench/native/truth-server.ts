import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { nativeProgram } from './compile.ts'

export interface TruthPlan {
  /** From the request to its first token. */
  firstUs: number
  /** Between tokens; 0 sends all of them at once. */
  everyUs: number
  /** Nothing is read or written for `stallUs`, from so long after the first request on. */
  stallAfterUs?: number
  stallUs?: number
}

/** Microseconds of the monotonic clock that `process.hrtime` reads. */
export interface Truth {
  receivedUs: number
  firstUs: number
  lastUs: number
  tokens: number
}

export interface TruthLog {
  /** By request id. */
  requests: ReadonlyMap<string, Truth>
  stall: { fromUs: number; toUs: number } | null
}

/** A truth server in a process of its own: see truth-server.c. */
export interface TruthServer extends AsyncDisposable {
  url: string
  port: number
  /** False: no C compiler was found, and the slower one in Node serves. */
  isNative: boolean
  /** What ended since it was asked last. */
  log(): Promise<TruthLog>
}

/** Starts the server in C, or the one in Node where that cannot be compiled. Both take the same options and orders. */
export async function startTruthServer(plan: TruthPlan): Promise<TruthServer> {
  const program = await nativeProgram('truth-server')
  const options = Object.entries(plan).flatMap(([name, value]: [string, number]) => [
    `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    String(value),
  ])
  const child = spawn(
    program ?? process.execPath,
    program === null ? [join(import.meta.dirname, '../truth-server.ts'), ...options] : options,
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const first = await lines.next()
  const port = Number(/^port (\d+)$/.exec(String(first.value))?.[1])
  if (!Number.isInteger(port)) throw new Error('the truth server did not start')
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    isNative: program !== null,
    async log() {
      child.stdin.write('log\n')
      return readLog(lines)
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

async function readLog(lines: AsyncIterator<string>): Promise<TruthLog> {
  const requests = new Map<string, Truth>()
  let stall: TruthLog['stall'] = null
  for (;;) {
    const { value, done } = await lines.next()
    if (done) throw new Error('the truth server left')
    const [kind, ...fields] = String(value).split(' ')
    if (kind === '.') return { requests, stall }
    const us = (index: number) => Number(fields[index]) / 1000
    if (kind === 's') stall = { fromUs: us(0), toUs: us(1) }
    else {
      const truth = { receivedUs: us(1), firstUs: us(2), lastUs: us(3), tokens: Number(fields[4]) }
      requests.set(fields[0] ?? '', truth)
    }
  }
}
