import { execa } from 'execa'

/**
 * Standard output of a short command, or null where it is missing, fails or takes over ten seconds: such a probe is unknown, never an
 * error. An argument array; no shell.
 */
export async function commandOutput(file: string, args: readonly string[], cwd?: string): Promise<string | null> {
  const result = await execa(file, [...args], {
    timeout: 10_000,
    reject: false,
    stdin: 'ignore',
    maxBuffer: 4 * 1024 * 1024,
    env: { LC_ALL: 'C' },
    ...(cwd === undefined ? {} : { cwd }),
  })
  return result.failed ? null : result.stdout
}
