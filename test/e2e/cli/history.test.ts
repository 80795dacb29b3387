import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gate } from '../../../src/core/gate/gate.ts'
import { readHistory } from '../../../src/core/history/lines.ts'
import type { FakeGithub } from '../../fakes/github-api.ts'
import { fakeGithub } from '../../fakes/github-api.ts'
import type { GitServer } from '../../fakes/git-server.ts'
import { gitServer } from '../../fakes/git-server.ts'
import { record, sweep } from '../../unit/gate/record-fixture.ts'
import { builtAction } from './built-action.ts'
import { scratch } from './cli-process.ts'

const action = builtAction()
const TOKEN = 'workflow-token'
let github: FakeGithub
let git: GitServer
beforeEach(async () => {
  ;[github, git] = await Promise.all([fakeGithub(), gitServer({ token: TOKEN })])
})
afterEach(async () => {
  await git[Symbol.asyncDispose]()
  await github[Symbol.asyncDispose]()
})

/** A night's packs of a revision: its cold sweep passes one rate and fails the next. */
function nights(rates: readonly number[]): string {
  const folder = scratch()
  for (const [index, milliRps] of rates.entries()) {
    const pack = join(folder, `capacity-${index}`, 'pack')
    mkdirSync(pack, { recursive: true })
    const createdAt = new Date(Date.UTC(2025, 8, 1 + index, 2)).toISOString()
    const candidate = record([sweep('cold', [milliRps], [milliRps + 500])], { createdAt })
    const verdict = gate({ candidate, baseline: null, anchor: null, onMissingBaseline: 'record' })
    const context = { onMissingBaseline: 'record', context: { toolVersion: '0.1.0', series: 'production' } }
    for (const [name, value] of Object.entries({ capacity: candidate, verdict, 'report-context': context }))
      writeFileSync(join(pack, `${name}.json`), JSON.stringify(value))
  }
  return folder
}

const steady = Array.from({ length: 20 }, (_, index) => 24_000 + 10 * (index % 5))
const fallen = [...steady, 22_000, 22_010, 22_000, 22_010, 22_000]

function night(pack: string) {
  const inputs = { command: 'history', pack, 'github-token': TOKEN, 'trend-page': join(scratch(), 'index.html') }
  const server = new URL(git.url).origin
  return action.step(inputs, {
    name: 'schedule',
    payload: { schedule: '17 1 * * *' },
    repository: 'acme/engine',
    apiUrl: github.url,
    env: { GITHUB_SERVER_URL: server },
  })
}

describe('the built action, every night', { timeout: 240_000 }, () => {
  it('keeps the history on the branch and the drift as one issue, by the token alone', async () => {
    const first = await night(nights(fallen))
    expect([first.code, first.outputs['drift']]).toEqual([0, 'true'])
    expect(readHistory(git.git('show', 'capacity-history:history.jsonl')).points).toHaveLength(25)
    expect(git.git('show', 'capacity-history:index.html')).toMatch(/▼ Drifting/)
    expect(github.issues).toMatchObject([
      { state: 'open', title: expect.stringMatching(/^Capacity drift: production, cold: −8\.\d % since 2025-09-21$/) },
    ])
    expect(first.summary).toMatch(/\[#1\]\(https:\/\/github\.com\/acme\/engine\/issues\/1\) opened/)
    const back = await night(nights([...fallen, ...steady.slice(0, 6)]))
    expect([back.code, back.outputs['drift']]).toEqual([0, 'false'])
    expect(github.issues).toMatchObject([{ state: 'closed', stateReason: 'completed' }])
    expect(back.summary).toContain('25 points of these runs were there already')
  })

  it('ends as it would have where the token may write no issues', async () => {
    github.outages.push({ path: /issues/, status: 403, message: 'Resource not accessible by integration' })
    const { code, outputs, summary, log } = await night(nights(fallen))
    expect([code, outputs['drift']]).toEqual([0, 'true'])
    expect(summary).toMatch(/Not every issue could be written: .*issues: read/)
    expect(log).not.toContain('error:')
    expect(readHistory(git.git('show', 'capacity-history:history.jsonl')).points).toHaveLength(25)
  })
})
