import { githubDescription } from './github-openapi.ts'

/** A workflow run as the fake keeps it. */
export interface FakeRun {
  id: number
  event: string
  branch: string
  sha: string
  /** Where its code is from. */
  head: string
  /** The server's origin, where it is not github.com. */
  server?: string
  /** Environments that were approved in it, and by whom. */
  approved: { environment: string; by: string }[]
}

type Json = Record<string, unknown>

/** GitHub's answers about workflow runs, made of the examples in its own description: a run, or its approvals; null for another path. */
export function runsAnswer(runs: readonly FakeRun[], path: string): Json | Json[] | null {
  const [, id, approvals] = /^\/actions\/runs\/(\d+)(\/approvals)?$/.exec(path) ?? []
  const run = runs.find((one) => String(one.id) === id)
  if (run === undefined) return null
  return approvals === undefined ? shown(run) : run.approved.map(approvalOf)
}

function shown({ id, event, branch, sha, head, server = 'https://github.com' }: FakeRun): Json {
  const example = githubDescription().example('workflow-run') as Json
  const repository = { ...(example['head_repository'] as Json), full_name: head }
  const html_url = `${server}/acme/engine/actions/runs/${id}`
  return { ...example, id, html_url, event, head_branch: branch, head_sha: sha, head_repository: repository }
}

function approvalOf({ environment, by }: FakeRun['approved'][number]): Json {
  const [example] = githubDescription().example('environment-approvals-items') as [Json]
  const [one] = example['environments'] as [Json]
  return {
    ...example,
    environments: [{ ...one, name: environment }],
    user: { ...(example['user'] as Json), login: by },
  }
}
