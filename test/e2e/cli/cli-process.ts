import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../..')
export const workedExample = join(root, 'fixtures/packs/worked-example/workload-manifest.yaml')

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Started {
  child: ReturnType<typeof spawn>
  /** Resolves once standard error holds the text; rejects where the program ends without it. */
  said(text: string): Promise<void>
  ended: Promise<Ended>
}

/** A folder of the test's own. */
export function scratch(): string {
  return mkdtempSync(join(tmpdir(), 'cli-'))
}

/** Starts a program of the entry room as a user does: types stripped, in a process of its own. */
export function start(
  entry: 'cli' | 'action' | 'post',
  args: readonly string[],
  env: Record<string, string> = {},
): Started {
  const child = spawn(process.execPath, [join(root, `src/entry/${entry}.ts`), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: tmpdir(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  const waiting: { text: string; resolve: () => void }[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    for (const item of waiting) if (stderr.includes(item.text)) item.resolve()
  })
  return {
    child,
    said: (text) =>
      new Promise((resolve, reject) => {
        if (stderr.includes(text)) resolve()
        else waiting.push({ text, resolve })
        child.on('close', () => reject(new Error(`it ended without saying ${text}:\n${stderr}`)))
      }),
    ended: new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))),
  }
}

export function cli(...args: string[]): Promise<Ended> {
  return start('cli', args).ended
}

/** Any program, run to its end in the project's root. */
export function shell(file: string, args: readonly string[]): Promise<Omit<Ended, 'signal'>> {
  const child = spawn(file, args, { cwd: root })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()))
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}
