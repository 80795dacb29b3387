import { spawn } from 'node:child_process'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
const CLI = 'src/entry/cli.ts'

export interface CommandEnd {
  exitCode: number
  standardOutput: string
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs one command of the command line in the checkout, as a user would: its progress goes to our standard error, its result is kept.
 * A signal is passed on, and ends this process as it ended the command, once that has removed what it started.
 */
export async function runCommand(args: readonly string[]): Promise<CommandEnd> {
  console.log(`\n$ npm run gate -- ${args.join(' ')}`)
  const child = spawn(process.execPath, [CLI, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  let interruptedBy: NodeJS.Signals | null = null
  const forward = (signal: NodeJS.Signals) => {
    interruptedBy = signal
    // A terminal's Ctrl-C reaches the whole foreground group by itself: sent on, it would count as a second one.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, forward)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => void chunks.push(chunk))
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
  for (const signal of SIGNALS) process.off(signal, forward)
  if (interruptedBy !== null) process.kill(process.pid, interruptedBy)
  return { exitCode, standardOutput: Buffer.concat(chunks).toString('utf8') }
}
