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

export interface FoundPull {
  number: number
  /** Its newest commit, where that is not the one that was measured any more. */
  movedTo: string | null
}

/**
 * The one open pull request whose head is the commit, or was: by then its branch tells; or the queued one; or why there is none. What it
 * was found by comes from the event and from GitHub, never from an artifact. Throws what Octokit throws.
 */
export async function findPullRequest(
  octokit: Octokit,
  place: Repository,
  search: PullRequestSearch,
): Promise<FoundPull | { skipped: string }> {
  if (search.queued !== null) return queuedPull(octokit, place, search.queued)
  const own = openHere(await pullsOfCommit(octokit, place, search.sha), place)
  const atCommit = own.filter((pull) => pull.head.sha === search.sha)
  if (atCommit.length > 0 || search.branch === null) return theOne(atCommit, search.sha)
  const ofBranch = openHere(await pullsOfBranch(octokit, place, search.branch), place)
  const there = ofBranch.filter((pull) => pull.head.sha === search.sha)
  return theOne(there.length === 0 && ofBranch.length === 1 ? ofBranch : there, search.sha)
}

/**
 * The newest commit of a pull request that is known by its number, where it is not the measured one; null where it is, or where there is
 * no such pull request. Throws what Octokit throws.
 */
export async function movedTo(
  octokit: Octokit,
  place: Repository,
  number: number,
  measured: string,
): Promise<string | null> {
  try {
    const { data } = await octokit.request(CALLS.pull.route, { ...place, pull_number: number })
    return data.head.sha === measured ? null : data.head.sha
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 404) return null
    throw error
  }
}

function theOne(found: readonly Pull[], sha: string): FoundPull | { skipped: string } {
  const [pull] = found
  const commit = sha.slice(0, 10)
  if (pull === undefined) return { skipped: `no open pull request has the commit ${commit} as its head` }
  if (found.length > 1)
    return {
      skipped: `${found.length} open pull requests have the commit ${commit} as their head: name one as pr-number`,
    }
  return { number: pull.number, movedTo: pull.head.sha === sha ? null : pull.head.sha }
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

async function pullsOfBranch(
  octokit: Octokit,
  place: Repository,
  { owner, name }: { owner: string; name: string },
): Promise<Pull[]> {
  const asked = { ...place, state: 'open', head: `${owner}:${name}`, per_page: 100 } as const
  return (await octokit.request(CALLS.pullsOfBranch.route, asked)).data
}

/** Not those of other repositories that hold the commit too. */
function openHere(pulls: readonly Pull[], { owner, repo }: Repository): Pull[] {
  const own = `${owner}/${repo}`.toLowerCase()
  return pulls.filter(({ state, base }) => state === 'open' && base.repo.full_name.toLowerCase() === own)
}

async function queuedPull(
  octokit: Octokit,
  place: Repository,
  number: number,
): Promise<FoundPull | { skipped: string }> {
  const { data } = await octokit.request(CALLS.pull.route, { ...place, pull_number: number })
  const gone = { skipped: `the queued pull request ${number} is not open any more` }
  return data.state === 'open' ? { number, movedTo: null } : gone
}
