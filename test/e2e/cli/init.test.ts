import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { COMMIT, DIGEST } from '../../unit/init/given-answers.ts'
import type { Ended } from './cli-process.ts'
import { root, scratch } from './cli-process.ts'

const entry = join(root, 'src/entry/cli.ts')
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function project(): string {
  const folder = scratch()
  folders.push(folder)
  return folder
}

/** A program run to its end in a folder, with what is typed. */
function run(cwd: string, file: string, args: readonly string[], typed = ''): Promise<Omit<Ended, 'signal'>> {
  const child = spawn(file, args, { cwd })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()))
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
  child.stdin.end(typed)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}

const init = (cwd: string, ...args: string[]) => run(cwd, process.execPath, [entry, 'init', ...args])
const lint = (cwd: string) => run(cwd, process.execPath, [entry, 'lint', 'workload-manifest.yaml', '--deployable'])

it('asks nothing where nobody can answer, and names what is missing', async () => {
  const folder = project()
  const ended = await init(folder)
  expect([ended.code, ended.stdout]).toEqual([64, ''])
  expect(ended.stderr).toMatch(/^error: not answered: --engine, .*\nhint: .*\n$/)
})

it('writes the embedded engine’s files into the folder where it is run', async () => {
  const folder = project()
  const ended = await init(folder, '--engine', 'fixture')
  expect([ended.code, ended.stderr]).toEqual([0, ''])
  expect(ended.stdout).toMatch(/^written: workload-manifest\.yaml\nwritten: candidate\.yaml\nnext:\n/)
  expect((await lint(folder)).code).toBe(0)
})

it('asks at a real terminal, and takes answers that are typed ahead', async () => {
  const folder = project()
  const answers = [
    'vllm',
    `vllm/vllm-openai@sha256:${DIGEST}`,
    'latest',
    '0.32.0',
    'acme/dense-8b',
    COMMIT,
    '',
    '',
    '',
    '',
    '',
    '',
  ]
  const command = `'${process.execPath}' '${entry}' init`
  const typed = `${answers.join('\n')}\n`
  const ended = await run(folder, 'script', ['--quiet', '--return', '--command', command, '/dev/null'], typed)
  expect(ended.stdout).toContain('Its exact version, as it tells it itself: ')
  expect(ended.stdout).toContain('"latest", which is no single version')
  expect(ended.code).toBe(0)
  expect(readFileSync(join(folder, 'workload-manifest.yaml'), 'utf8')).toContain('id: acme/dense-8b')
  expect(existsSync(join(folder, '.github/CODEOWNERS'))).toBe(false)
  expect(await lint(folder)).toMatchObject({ code: 0, stdout: expect.stringContaining('deployable, no findings') })
})
