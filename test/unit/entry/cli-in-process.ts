import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCli } from '../../../src/entry/program.ts'

export const root = join(import.meta.dirname, '../../..')
export const workedExample = join(root, 'fixtures/packs/worked-example/workload-manifest.yaml')

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** A folder of the test's own. */
export function scratch(): string {
  return mkdtempSync(join(tmpdir(), 'cli-'))
}

/** The command line without a process around it: the end-to-end tests have a few of each kind with one. */
export async function cli(...argv: string[]): Promise<Ended> {
  const [stdout, stderr]: [string[], string[]] = [[], []]
  const screen = {
    isTerminal: false,
    hasColor: false,
    columns: () => 100,
    write: (text: string) => void stderr.push(text),
  }
  const code = await runCli({ argv, env: {}, cwd: root, screen }, async (text) => void stdout.push(text))
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}
