import { setTimeout as pause } from 'node:timers/promises'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { githubIssueTracker } from '../../../src/adapters/github/issue-tracker.ts'
import { settleDrifts } from '../../../src/app/settle-drifts.ts'
import { trendsOf } from '../../../src/core/history/trend.ts'
import { fakeGithub } from '../../fakes/github-api.ts'
import { nights, wavering } from '../../unit/history/point-fixture.ts'

export interface DriftRaceEnd {
  /** Issues of the drift that are open at the end. */
  open: number
  made: number
}

/** Two jobs find the same drift at about the same time, through a GitHub whose every answer takes a random while. */
export async function driftRace(seed: number): Promise<DriftRaceEnd> {
  const random = xoroshiro128plus(seed)
  const delay = () => uniformInt(random, 0, 40)
  await using github = await fakeGithub()
  github.before = async () => void (await pause(delay()))
  const trends = trendsOf(nights([...wavering(20), ...wavering(6, 22_000)]))
  const job = async (after: number) => {
    await pause(after)
    const access = { token: 'workflow-token', apiUrl: github.url, toolVersion: '0.0.0', secondMs: 100 }
    await using tracker = githubIssueTracker({ access, place: { owner: 'acme', repo: 'engine' } })
    const { refused } = await settleDrifts(tracker, trends, async () => trends)
    if (refused !== null) throw new Error(refused)
  }
  await Promise.all([job(delay()), job(delay())])
  return { open: github.issues.filter(({ state }) => state === 'open').length, made: github.issues.length }
}

/**
 * A job whose update was refused for a limit, and tried again once another job of a later night was through. Whether the issue is open at the
 * end, and its text's first words.
 */
export async function refusedDrift(): Promise<{ isOpen: boolean; text: string }> {
  await using github = await fakeGithub()
  const fallen = [...wavering(20), ...wavering(6, 22_000)]
  let history = trendsOf(nights(fallen))
  const job = async () => {
    const access = { token: 'workflow-token', apiUrl: github.url, toolVersion: '0.0.0', secondMs: 1 }
    await using tracker = githubIssueTracker({ access, place: { owner: 'acme', repo: 'engine' } })
    await settleDrifts(tracker, history, async () => history)
  }
  await job()
  let isFirst = true
  github.before = async ({ method }) => {
    if (method !== 'PATCH' || !isFirst) return
    isFirst = false
    history = trendsOf(nights([...fallen, ...wavering(8, 20_000), ...wavering(6)]))
    await job()
    const limit = { status: 403, message: 'You have exceeded a secondary rate limit.', headers: { 'retry-after': '1' } }
    github.outages.push({ ...limit, method, times: 1 })
  }
  history = trendsOf(nights([...fallen, ...wavering(8, 20_000)]))
  await job()
  const [issue] = github.issues
  return { isOpen: issue?.state === 'open', text: /\*\*(\w+)/.exec(issue?.body ?? '')?.[1] ?? '' }
}
