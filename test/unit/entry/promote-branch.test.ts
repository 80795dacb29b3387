import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runAction } from '../../../src/entry/action-main.ts'
import { runCli } from '../../../src/entry/program.ts'
import type { GitServer } from '../../fakes/git-server.ts'
import { gitServer } from '../../fakes/git-server.ts'
import { baseline, heldCandidate } from '../gate/record-fixture.ts'
import { pullRequest, recordingDesk } from './action-desk.ts'
import { scratch } from './cli-in-process.ts'

const TOKEN = 'ghs_0123456789abcdef'

let server: GitServer
beforeEach(async () => {
  server = await gitServer({ token: TOKEN })
})
afterEach(() => server[Symbol.asyncDispose]())

function packOf(record: object): string {
  const pack = scratch()
  writeFileSync(join(pack, 'capacity.json'), JSON.stringify(record))
  return pack
}

/** A job on the default branch of the server's repository. */
function onMain() {
  const env = {
    PATH: process.env['PATH'],
    GITHUB_SERVER_URL: new URL(server.url).origin,
    GITHUB_REF: 'refs/heads/main',
  }
  return { env, facts: { ...pullRequest, name: 'push', pullRequest: null, ownDefaultBranch: 'main' } }
}

describe('a baseline on a branch', { timeout: 120_000 }, () => {
  const manifest = 'fixtures/packs/h100-vllm/workload-manifest.yaml'
  const inputs = { manifest, baseline: 'branch:capacity-baselines:gates', 'github-token': TOKEN, comment: 'never' }

  it('that a workflow accepted gates the next run, with the step’s token alone', async () => {
    const missing = recordingDesk({ ...inputs, command: 'gate', pack: packOf(heldCandidate()) }, onMain())
    expect([await runAction(missing.desk), missing.outputs['verdict']]).toEqual([3, 'inconclusive'])
    const accepting = recordingDesk({ ...inputs, command: 'promote', pack: packOf(baseline()) }, onMain())
    expect(await runAction(accepting.desk)).toBe(0)
    expect(accepting.publisher.summaryText).toContain('capacity-baselines:gates/measured/dense-70b-8xh100/records/')
    const held = recordingDesk({ ...inputs, command: 'gate', pack: packOf(heldCandidate()) }, onMain())
    expect([await runAction(held.desk), held.outputs['verdict']]).toEqual([0, 'held'])
    expect(accepting.log() + held.log()).not.toContain(TOKEN)
  })

  it('ends the step with 1 and names the permission where the server refuses', async () => {
    server.fault = () => ({ status: 403 })
    const { desk, outputs } = recordingDesk({ ...inputs, command: 'promote', pack: packOf(baseline()) }, onMain())
    expect(await runAction(desk)).toBe(1)
    expect(outputs['reasons']).toContain('store_forbidden')
  })

  it('is looked for on the branch capacity-baselines where none is named; one that is not there yet is no error', async () => {
    const { baseline: _named, ...given } = inputs
    const first = { ...given, command: 'gate', pack: packOf(baseline()), 'on-missing-baseline': 'record' }
    const recorded = recordingDesk(first, onMain())
    expect([await runAction(recorded.desk), recorded.outputs['verdict']]).toEqual([0, 'recorded'])
    const accepting = recordingDesk({ ...given, command: 'promote', pack: packOf(baseline()) }, onMain())
    expect(await runAction(accepting.desk)).toBe(0)
    expect(server.git('log', '-1', '--format=%s', 'capacity-baselines')).not.toBe('')
    const held = recordingDesk({ ...given, command: 'gate', pack: packOf(heldCandidate()) }, onMain())
    expect([await runAction(held.desk), held.outputs['verdict']]).toEqual([0, 'held'])
  })

  it('is read by a token that may only read, as a fork’s is', async () => {
    const accepting = recordingDesk({ ...inputs, command: 'promote', pack: packOf(baseline()) }, onMain())
    expect(await runAction(accepting.desk)).toBe(0)
    server.fault = ({ url = '' }) => (url.includes('git-receive-pack') ? { status: 403 } : null)
    const held = recordingDesk({ ...inputs, command: 'gate', pack: packOf(heldCandidate()) }, onMain())
    expect([await runAction(held.desk), held.outputs['verdict']]).toEqual([0, 'held'])
  })

  it.each([
    ['git', () => ({ ...onMain(), env: { ...onMain().env, PATH: scratch() } }), 'git_missing'],
    [
      'a server that answers',
      () => ({ ...onMain(), env: { ...onMain().env, GITHUB_SERVER_URL: 'http://127.0.0.1:9' } }),
      'store_unreachable',
    ],
  ])('cannot be read without %s, and the step says so', async (_what, surroundings, code) => {
    const { desk, outputs } = recordingDesk(
      { ...inputs, command: 'gate', pack: packOf(heldCandidate()) },
      surroundings(),
    )
    expect(await runAction(desk)).toBe(1)
    expect(outputs['reasons']).toContain(code)
  })

  it('is that of the clone’s origin at a terminal', async () => {
    const [cwd, lines]: [string, string[]] = [scratch(), []]
    execFileSync('git', ['init', '--quiet', cwd])
    execFileSync('git', ['-C', cwd, 'remote', 'add', 'origin', server.url])
    const env = { PATH: process.env['PATH'], GITHUB_TOKEN: TOKEN, GITHUB_SERVER_URL: new URL(server.url).origin }
    const screen = {
      isTerminal: false,
      hasColor: false,
      columns: () => 100,
      write: (text: string) => void lines.push(text),
    }
    const candidate = join(packOf(baseline()), 'capacity.json')
    const argv = [
      'promote',
      '--candidate',
      candidate,
      '--to',
      'branch:capacity-baselines',
      '--anchor',
      '--reason',
      'why not',
    ]
    expect(await runCli({ argv, env, cwd, screen }, async (text) => void lines.push(text))).toBe(0)
    expect(lines.join('')).toMatch(
      /^accepted as baseline and anchor of dense-70b-8xh100: capacity-baselines:measured\//,
    )
    expect(server.git('log', '-1', '--format=%b', 'capacity-baselines')).toMatch(/^why not\n\nAccepted-by: \S+/)
  })
})
