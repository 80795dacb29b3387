import { setTimeout as pause } from 'node:timers/promises'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { githubPublisher } from '../../../src/adapters/github/publisher.ts'
import type { Publisher } from '../../../src/app/ports/publisher.ts'
import { commentText } from '../../../src/core/report/comment.ts'
import type { CommentText } from '../../../src/core/report/comment.ts'
import { parseHeads } from '../../../src/core/report/heads.ts'
import { fakeGithub, WORKFLOW_BOT } from '../../fakes/github-api.ts'
import type { FakeGithub } from '../../fakes/github-api.ts'
import { recordingToolkit } from '../../fakes/toolkit.ts'
import { heldCandidate } from '../../unit/gate/record-fixture.ts'
import { input } from '../../unit/report/report-fixture.ts'

export interface RaceEnd {
  /** Comments of the gate that stand at the end. */
  comments: number
  /** Heads that were posted and that no comment tells of. */
  lostHeads: number
  /** Posters that were given another address than that of a comment that stands. */
  deadAddresses: number
}

function textOf(index: number): CommentText {
  const createdAt = new Date(Date.UTC(2026, 10, 20, 8, index)).toISOString()
  const made = input(heldCandidate({ createdAt }))
  const context = { ...made.context, headSha: index.toString(16).padStart(40, 'a') }
  return commentText({ ...made, context })
}

function posted(github: FakeGithub, index: number, secondMs = 1000): ReturnType<Publisher['comment']> {
  const access = { token: 'workflow-token', apiUrl: github.url, toolVersion: '0.0.0', secondMs }
  const comment = { access, place: { owner: 'acme', repo: 'engine', number: 7, measured: null } }
  return githubPublisher({ toolkit: recordingToolkit(), comment }).comment(textOf(index))
}

function toldHeads(github: FakeGithub): Set<string> {
  return new Set(parseHeads(github.comments.map(({ body }) => body)).map(({ head }) => head))
}

/** Which heads are told of after a job whose update was refused for a limit, and tried again, once another job was through. */
export async function refusedTrial(): Promise<string[]> {
  await using github = await fakeGithub()
  github.seed(textOf(0).body([]), WORKFLOW_BOT)
  let isFirst = true
  github.before = async ({ method, path }) => {
    if (method !== 'PATCH' || !isFirst) return
    isFirst = false
    await posted(github, 2, 1)
    const limit = { status: 403, message: 'You have exceeded a secondary rate limit.', headers: { 'retry-after': '1' } }
    github.outages.push({ ...limit, method, path: new RegExp(`^${path}$`), times: 1 })
  }
  await posted(github, 1, 1)
  return [...toldHeads(github)].map((head) => head.slice(-1)).toSorted()
}

/**
 * Two jobs post their results of two heads at about the same time, through a GitHub whose every answer takes a random while. In every
 * second trial a comment of an earlier head stands already.
 */
export async function raceTrial(seed: number): Promise<RaceEnd> {
  const random = xoroshiro128plus(seed)
  const delay = () => uniformInt(random, 0, 40)
  await using github = await fakeGithub()
  github.before = async () => void (await pause(delay()))
  const heads = seed % 2 === 0 ? [1, 2] : [0, 1, 2]
  const earlier = textOf(0)
  if (heads.includes(0)) github.seed(earlier.body([]), WORKFLOW_BOT)
  const post = async (index: number, after: number) => {
    await pause(after)
    return posted(github, index)
  }
  const ends = await Promise.all([post(1, delay()), post(2, delay())])
  const told = toldHeads(github)
  const standing = github.comments.map(({ id }) => `https://github.com/acme/engine/pull/7#issuecomment-${id}`)
  return {
    comments: github.comments.length,
    lostHeads: heads.length - told.size,
    deadAddresses: ends.filter((end) => !('url' in end) || !standing.includes(end.url)).length,
  }
}
