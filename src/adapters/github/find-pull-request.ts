import type { Octokit } from '@octokit/rest'
import { CALLS } from './calls-table.ts'

export interface Repository {
  owner: string
  repo: string
}

/** What an event says of a pull request whose number it does not name. */
export interface PullRequestSearch {
  /** The commit that was measured. */
  sha: string
  /** The branch that it came from, which for a fork is the only way to its pull request. */
  branch: { owner: string; name: string } | null
  /** The number in a merge queue's own branch. */
  queued: number | null
}

interface Pull {
  number: number
  state: string
  head: { sha: string }
  base: { repo: { full_name: string } }
}

/**
 * The one open pull request whose head is the commit, or the queued one; or why there is none. What it was found by comes from the event
 * and from GitHub, never from an artifact. Throws what Octokit throws.
 */
export async function findPullRequest(
  octokit: Octokit,
  place: Repository,
  search: PullRequestSearch,
): Promise<number | { skipped: string }> {
  if (search.queued !== null) return queuedPull(octokit, place, search.queued)
  const found = new Set(fitting(await pullsOfCommit(octokit, place, search.sha), place, search.sha))
  if (found.size === 0 && search.branch !== null) {
    const { owner, name } = search.branch
    const asked = { ...place, state: 'open', head: `${owner}:${name}`, per_page: 100 } as const
    const { data } = await octokit.request(CALLS.pullsOfBranch.route, asked)
    for (const number of fitting(data, place, search.sha)) found.add(number)
  }
  const [number, ...more] = found
  const commit = search.sha.slice(0, 10)
  if (number === undefined) return { skipped: `no open pull request has the commit ${commit} as its head` }
  if (more.length > 0)
    return {
      skipped: `${found.size} open pull requests have the commit ${commit} as their head: name one as pr-number`,
    }
  return number
}

/** Of a commit that GitHub does not know (404 or 422) there is none. */
async function pullsOfCommit(octokit: Octokit, place: Repository, sha: string): Promise<Pull[]> {
  try {
    return await octokit.paginate(CALLS.pullsOfCommit.route, { ...place, commit_sha: sha, per_page: 100 })
  } catch (error) {
    if (error instanceof Error && 'status' in error && (error.status === 404 || error.status === 422)) return []
    throw error
  }
}

/** Not those of other repositories that hold the commit too, nor those that have moved on. */
function fitting(pulls: readonly Pull[], { owner, repo }: Repository, sha: string): number[] {
  const own = `${owner}/${repo}`.toLowerCase()
  return pulls
    .filter((pull) => pull.state === 'open' && pull.head.sha === sha && pull.base.repo.full_name.toLowerCase() === own)
    .map(({ number }) => number)
}

async function queuedPull(octokit: Octokit, place: Repository, number: number): Promise<number | { skipped: string }> {
  const { data } = await octokit.request(CALLS.pull.route, { ...place, pull_number: number })
  return data.state === 'open' ? number : { skipped: `the queued pull request ${number} is not open any more` }
}
