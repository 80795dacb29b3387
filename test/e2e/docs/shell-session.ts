import { spawn } from 'node:child_process'

export interface ShellEnd {
  code: number
  /** Standard output and standard error, as a terminal shows both. */
  output: string
}

/** One bash for a page: what a command leaves (aliases, variables, the folder, a job in the background) is there for the next. */
export interface ShellSession extends AsyncDisposable {
  run(command: string): Promise<ShellEnd>
}

/** A shell in a folder, with nothing of this process's environment but what is given. Whatever it started ends with it. */
export function shellSession(cwd: string, env: Record<string, string>): ShellSession {
  const child = spawn('bash', ['--noprofile', '--norc', '-s'], { cwd, env, detached: true, stdio: 'pipe' })
  let output = ''
  let settle: (() => void) | null = null
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      settle?.()
    })
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()))
  child.stdin.write('shopt -s expand_aliases\nset -o pipefail\nexec 2>&1\n')
  return {
    async run(command) {
      const mark = `\u0001${Math.random()}\u0001`
      const found = new RegExp(`${mark}(\\d+)\n`)
      output = ''
      child.stdin.write(`${command}\nprintf '${mark}%s\\n' "$?"\n`)
      await Promise.race([
        closed.then(() => {
          throw new Error(`the shell ended in ${command}:\n${output}`)
        }),
        new Promise<void>((resolve) => {
          settle = () => {
            if (found.test(output)) resolve()
          }
        }),
      ])
      settle = null
      return { code: Number(found.exec(output)?.[1]), output: output.replace(found, '') }
    },
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
      await closed
    },
  }
}
