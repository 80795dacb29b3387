import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { clonedRepository, workflowRepository } from '../../../src/entry/repository-access.ts'
import { pullRequest } from './action-desk.ts'
import { scratch } from './cli-in-process.ts'

function clone(origin: string | null): string {
  const folder = scratch()
  execFileSync('git', ['init', '--quiet', folder])
  if (origin !== null) execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', origin])
  return folder
}

describe('the repository of baselines', () => {
  it.each([
    [{}, 'https://github.com/acme/engine.git'],
    [{ GITHUB_SERVER_URL: 'https://ghe.example/' }, 'https://ghe.example/acme/engine.git'],
  ])('is the workflow’s own, on its server: %j', async (env, url) => {
    const remote = (token: string) => workflowRepository({ env, facts: pullRequest }, { token }).remote()
    expect(await remote('ghs_1')).toEqual({ url, token: 'ghs_1' })
    expect(await remote('')).toEqual({ url, token: null })
  })

  it.each([
    ['https://github.com/acme/engine.git', {}, 't'],
    ['https://github.com.evil.example/acme/engine.git', {}, null],
    ['https://git.example/acme/engine.git', {}, null],
    ['http://github.com/acme/engine.git', {}, null],
    ['git@github.com:acme/engine.git', {}, null],
    ['https://ghe.example/a/b', { GITHUB_SERVER_URL: 'https://ghe.example' }, 't'],
    ['https://github.com/acme/engine.git', { GITHUB_SERVER_URL: 'https://ghe.example' }, null],
  ])('is the clone’s origin %s, which gets the token only where it is GitHub’s: %j', async (url, env, token) => {
    const access = clonedRepository({ env: { ...env, GITHUB_TOKEN: 't' }, cwd: clone(url) })
    expect(await access.remote()).toEqual({ url, token })
  })

  it.each([[() => clone(null)], [scratch]])('is nowhere without an origin', async (folder) => {
    await expect(clonedRepository({ env: {}, cwd: folder() }).remote()).rejects.toMatchObject({
      code: 'repository_unknown',
      exitCode: 64,
    })
  })
})
