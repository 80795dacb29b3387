import type { RepositoryAccess } from '../adapters/store/open-store.ts'
import { commandOutput } from '../adapters/system/command.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { ActionDesk } from './action-desk.ts'
import type { ActionInputs } from './action-inputs.ts'
import type { Inputs } from './inputs.ts'

const GITHUB = 'https://github.com'

/** The workflow's own repository with the step's token; a checkout's stored login is not needed. */
export function workflowRepository(
  { env, facts }: Pick<ActionDesk, 'env' | 'facts'>,
  { token }: Pick<ActionInputs, 'token'>,
): RepositoryAccess {
  const server = (env['GITHUB_SERVER_URL'] ?? GITHUB).replace(/\/+$/, '')
  const url = `${server}/${facts.owner}/${facts.repo}.git`
  return { env, remote: async () => ({ url, token: token === '' ? null : token }) }
}

/**
 * The repository that the current folder was cloned from, with the user's own login; GITHUB_TOKEN or GH_TOKEN is sent to GitHub, and to
 * the server that GITHUB_SERVER_URL names, alone.
 */
export function clonedRepository({ env, cwd }: Pick<Inputs, 'env' | 'cwd'>): RepositoryAccess {
  return {
    env,
    async remote() {
      const url = (await commandOutput('git', ['remote', 'get-url', 'origin'], cwd))?.trim() ?? ''
      if (url === '') throw noOrigin(cwd)
      const token = env['GITHUB_TOKEN'] || env['GH_TOKEN'] || null
      return { url, token: originOf(url) === originOf(env['GITHUB_SERVER_URL'] ?? GITHUB) ? token : null }
    },
  }
}

function originOf(url: string): string | null {
  const isHttp = /^https?:\/\//i.test(url)
  return isHttp && URL.canParse(url) ? new URL(url).origin : null
}

function noOrigin(cwd: string): GateError {
  return new GateError({
    code: 'repository_unknown',
    message: `baselines on a branch need a repository, and ${cwd} is in none that has a remote named origin`,
    hint: 'run it in a clone, or keep the baselines in a folder: dir:PATH',
    exitCode: EXIT.usage,
  })
}
