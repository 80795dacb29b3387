import { githubDescription } from './github-openapi.ts'

/** A pull request as the fake keeps it. */
export interface FakePull {
  number: number
  state: 'open' | 'closed'
  sha: string
  /** `owner:branch` */
  head: string
  /** Where it is opened; the fake's own repository by default. */
  base?: string
}

type Json = Record<string, unknown>

/** GitHub's answers about pull requests, made of the examples in its own description: a list, or one; null for another path. */
export function pullsAnswer(
  pulls: readonly FakePull[],
  repository: string,
  path: string,
  query: URLSearchParams,
): Json | Json[] | null {
  const shown = (pull: FakePull, example: Json) => pullOf(pull, repository, example)
  const [simple] = githubDescription().example('pull-request-simple-items') as [Json]
  const commit = /^\/commits\/([0-9a-f]+)\/pulls$/.exec(path)?.[1]
  if (commit !== undefined) {
    const ofCommit = pulls.filter(({ sha, head }) => sha === commit && head.split(':')[0] === repository.split('/')[0])
    return ofCommit.map((pull) => shown(pull, simple))
  }
  if (path === '/pulls') {
    const [state, head] = [query.get('state') ?? 'open', query.get('head')]
    const asked = pulls.filter((pull) => (head === null || pull.head === head) && pull.state === state)
    return asked.map((pull) => shown(pull, simple))
  }
  const pull = pulls.find(({ number }) => path === `/pulls/${number}`)
  return pull ? shown(pull, githubDescription().example('pull-request') as Json) : null
}

function pullOf({ number, state, sha, head, base }: FakePull, repository: string, example: Json): Json {
  const [headSide, baseSide] = [example['head'] as Json, example['base'] as Json]
  return {
    ...example,
    // The example's own teams are not what the description asks of one.
    requested_teams: [],
    number,
    state,
    head: { ...headSide, sha, label: head },
    base: { ...baseSide, repo: { ...(baseSide['repo'] as Json), full_name: base ?? repository } },
  }
}
