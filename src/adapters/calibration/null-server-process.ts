import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { NullServerOrder, NullServerPlan, NullServerReply, Truth } from './null-server.ts'

/** A reply takes milliseconds; a machine too busy for it in so long measures nothing. */
const REPLY_MS = 5000
const LAST_WORDS = 2000

/** The null server in a process of its own, on this machine's loopback interface. */
export interface NullServerProcess extends AsyncDisposable {
  url: string
  /** How many tokens the request of each id gets. */
  order(answers: readonly (readonly [id: string, tokens: number])[]): Promise<void>
  /** Of the requests that ended since it was asked last. */
  log(): Promise<readonly Truth[]>
  /** How it ended, if it has: nobody asked it to. */
  readonly ended: string | null
}

/** Starts the program at `path`. Rejects with an Error that says what went wrong. Nothing of our environment is handed on. */
export async function startNullServer(path: string, plan: NullServerPlan): Promise<NullServerProcess> {
  const child = fork(path, [JSON.stringify(plan)], {
    env: {},
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let words = ''
  let ended: string | null = null
  child.stderr?.on('data', (bytes: Buffer) => (words = (words + bytes.toString()).slice(-LAST_WORDS)))
  child.on('error', (error) => (ended ??= error.message))
  const gone = new Promise<void>((resolve) => {
    child.once('close', (code, signal) => {
      ended ??= `it ended with ${signal ?? `exit code ${code}`}${lastLine(words)}`
      resolve()
    })
  })
  const ask = async (order: NullServerOrder | null): Promise<NullServerReply> => {
    if (ended !== null) throw new Error(ended)
    return nextReply(child, order, () => ended)
  }
  const stop = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    if (child.pid !== undefined) await gone
  }
  try {
    const started = await ask(null)
    return {
      url: `http://127.0.0.1:${'port' in started ? started.port : 0}`,
      order: async (answers) => void (await ask({ answers })),
      async log() {
        const reply = await ask({ ask: 'log' })
        return 'log' in reply ? reply.log : []
      },
      get ended() {
        return ended
      },
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function nextReply(
  child: ChildProcess,
  order: NullServerOrder | null,
  ended: () => string | null,
): Promise<NullServerReply> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void): void => {
      clearTimeout(deadline)
      child.off('message', answer)
      child.off('close', end)
      child.off('error', end)
      done()
    }
    const answer = (reply: unknown): void => settle(() => resolve(reply as NullServerReply))
    const end = (): void => settle(() => reject(new Error(ended() ?? 'it ended')))
    const deadline = setTimeout(() => settle(() => reject(new Error('it did not answer in 5 s'))), REPLY_MS)
    child.on('message', answer)
    child.on('close', end)
    child.on('error', end)
    if (order !== null) child.send(order, (error) => error && end())
  })
}

/** What it said last, of several lines of a stack the one that names the error. */
function lastLine(words: string): string {
  const lines = words.split('\n').map((line) => line.trim())
  const line = lines.find((text) => /^\w*Error\b/.test(text)) ?? lines.findLast((text) => text !== '')
  return line === undefined ? '' : `: ${line.slice(0, 300)}`
}
