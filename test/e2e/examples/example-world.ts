import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fakeGithub } from '../../fakes/github-api.ts'
import type { FakeGithub } from '../../fakes/github-api.ts'
import { gitServer } from '../../fakes/git-server.ts'
import type { GitServer } from '../../fakes/git-server.ts'
import { scratch } from '../cli/cli-process.ts'
import { Artifacts } from './stand-ins.ts'

export const REPOSITORY = 'acme/engine'
export const TOKEN = 'workflow-token'

/** What all runs of workflows in one repository share. */
export interface ExampleWorld extends AsyncDisposable {
  folder: string
  github: FakeGithub
  git: GitServer
  artifacts: Artifacts
  /** Commits files onto a branch, which begins where `from` says or goes on; the commit. */
  commit(branch: string, files: Readonly<Record<string, string>>, from?: string): string
  nextRunId(): string
}

/** A repository with a fake GitHub around it: its git over HTTP, its pull requests and comments, its artifacts. */
export async function exampleWorld(): Promise<ExampleWorld> {
  const folder = scratch()
  const clone = join(folder, 'clone')
  const [github, git] = [await fakeGithub({ repository: REPOSITORY, number: 7 }), await gitServer({ token: TOKEN })]
  const inClone = (...args: string[]) =>
    execFileSync('git', ['-C', clone, '-c', 'user.name=Ada', '-c', 'user.email=ada@acme.example', ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
  execFileSync('git', ['clone', '--quiet', git.repository, clone], { stdio: 'pipe' })
  let runs = 1000
  return {
    folder,
    github,
    git,
    artifacts: new Artifacts(join(folder, 'artifacts')),
    commit(branch, files, from) {
      const isThere = from === undefined && inClone('branch', '--list', branch) !== ''
      inClone('checkout', '--quiet', ...(isThere ? [branch] : ['-B', branch, ...(from === undefined ? [] : [from])]))
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(clone, path)), { recursive: true })
        writeFileSync(join(clone, path), text)
      }
      inClone('add', '--all')
      inClone('commit', '--quiet', '--allow-empty', '-m', `Change ${Object.keys(files).join(', ')}`)
      inClone('push', '--quiet', '--force', 'origin', branch)
      return inClone('rev-parse', 'HEAD')
    },
    nextRunId: () => String((runs += 1)),
    async [Symbol.asyncDispose]() {
      await git[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
      await github[Symbol.asyncDispose]()
    },
  }
}
