import { beforeAll, describe, expect, it } from 'vitest'
import type { OwnGate, PackFiles } from '../../../fakes/fork-pack.ts'
import { measuredPack, ownGate } from '../../../fakes/fork-pack.ts'
import { WORKFLOW_BOT } from '../../../fakes/github-api.ts'
import { smallSubject } from '../../../virtual/virtual-manifest.ts'
import { wrongIn } from '../../report/markdown-oracle.ts'
import { HOSTILE_ARTIFACTS } from './hostile-artifacts.ts'
import type { HostileArtifact } from './hostile-artifacts.ts'
import { artifactOf, HEAD, publishArtifact } from './hostile-stage.ts'
import type { Published } from './hostile-stage.ts'
import { LURES } from './hostile-text.ts'

const MARKER = '<!-- capacity-gate:embedded: -->'
const OTHER = '<!-- capacity-gate:payments: -->\n## ✅ Capacity held: no action needed\n'

const [REFUSED, TOLD] = [true, false].map((isRefused) =>
  HOSTILE_ARTIFACTS.filter(({ refusedWith }) => (refusedWith !== null) === isRefused),
) as [HostileArtifact[], HostileArtifact[]]

let own: OwnGate
let honest: PackFiles
beforeAll(async () => {
  own = await ownGate()
  honest = await measuredPack(own)
}, 120_000)

/** Whatever came of an artifact: one comment at most, ours by its words and its links; no order to the runner; no other gate touched. */
function expectOwnWords({ comments, summary, log }: Published): void {
  const [other, ...rest] = comments
  expect(other).toBe(OTHER)
  expect(rest.length).toBeLessThanOrEqual(1)
  for (const body of rest) {
    expect(body.split('\n')[0]).toBe(MARKER)
    expect(wrongIn(body)).toEqual([])
    for (const [, url] of body.matchAll(/(?<!\\)\]\(([^)]*)\)/g))
      expect(url).toMatch(/^https:\/\/github\.com\/acme\/engine\//)
  }
  expect(wrongIn(summary.replace(/^_No comment.*$/m, ''))).toEqual([])
  expect(log).not.toMatch(/^\s*::/m)
  for (const order of ['##[', '\u001B', '\u202E']) expect(log).not.toContain(order)
}

describe('an honest artifact', () => {
  it('of a fork is told of on the pull request, with what of it is proven', async () => {
    const shown = await publishArtifact(own, artifactOf(honest))
    expect([shown.code, shown.outputs['verdict']]).toEqual([0, 'held'])
    expect(shown.comments).toHaveLength(1)
    const [body = ''] = shown.comments
    expect(body).toContain('## ✅ Capacity held')
    expect(body).toContain(`[\`${HEAD.slice(0, 10)}\`](https://github.com/acme/engine/commit/${HEAD})`)
    expect(body).toContain('> Measured for a fork, whose author chose what ran.')
    expect(body).not.toContain('ended as')
    expect(shown.log).toContain('Measured for a fork')
  })
})

describe('a hostile artifact', () => {
  const published = async ({ tamper }: HostileArtifact) => {
    const folder = artifactOf(honest)
    await tamper(folder)
    return publishArtifact(own, folder, (github) => void github.seed(OTHER, WORKFLOW_BOT))
  }

  it.each(TOLD)('is told of as what it is: $name', { timeout: 60_000 }, async (artifact) => {
    const shown = await published(artifact)
    expectOwnWords(shown)
    expect([shown.code, shown.outputs['reasons']]).toEqual([0, expect.stringContaining('guard_held')])
    expect([shown.outputs['verdict'], shown.comments.length]).toEqual(['held', 2])
  })

  it.each(REFUSED)('is refused: $name', { timeout: 60_000 }, async (artifact) => {
    const { refusedWith } = artifact
    const shown = await published(artifact)
    expectOwnWords(shown)
    expect([shown.code, shown.outputs['reasons']]).toEqual([4, expect.stringContaining(`"${refusedWith}"`)])
    expect(shown.comments[1]).toContain('## ❌ No verdict on this commit')
    expect(shown.comments[1]).toContain(`\`${refusedWith}\``)
  })

  it('there are twenty and more of them, each with its own name', () => {
    expect(new Set(HOSTILE_ARTIFACTS.map(({ name }) => name)).size).toBe(HOSTILE_ARTIFACTS.length)
    expect(HOSTILE_ARTIFACTS.length).toBeGreaterThanOrEqual(20)
  })

  it('leaves nothing behind on the objects that all others are made of', () => {
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('what the pack concludes', () => {
  it('is not taken: a made-up baseline under which a slower revision holds', async () => {
    const low = (milliRps: number) => Math.round(milliRps / 2)
    const [result] = own.baseline.capacity
    const slow = { ...smallSubject({ seed: 7 }), faults: { prefillFactor: 1.6 } }
    expect(result?.passMilliRps).toBeGreaterThan(0)
    const weaker = await ownGate({ sweep: { rates_rps: [20, 26], refine_step: 0.4, repeats: 1 } }, slow)
    expect(weaker.baseline.capacity[0]?.passMilliRps).toBeLessThan(
      low(own.baseline.capacity[0]?.passMilliRps ?? 0) * 1.2,
    )
    const pack = await measuredPack(own, { subject: slow, baseline: weaker.baseline })
    expect(JSON.parse(Buffer.from(pack.get('verdict.json') ?? []).toString()).outcome).toBe('held')
    const shown = await publishArtifact(own, artifactOf(pack))
    expect(shown.outputs['verdict']).not.toBe('held')
    expect(shown.comments[0]).toContain('The job that measured ended as `held`, against the baseline that it saw.')
    expect(shown.comments[0]).not.toContain('Capacity held')
  })

  it('is told in our own words: arguments and environment of the revision stay texts', async () => {
    const { deploy } = own.manifest.engine
    const argv = [...(deploy && 'argv' in deploy ? deploy.argv : []), ...LURES]
    const change = { engine: { deploy: { ...deploy, argv, env: { NOTE: LURES.slice(0, 8).join(' ') } } } }
    const pack = await measuredPack(own, { change })
    const shown = await publishArtifact(own, artifactOf(pack), (github) => void github.seed(OTHER, WORKFLOW_BOT))
    expectOwnWords(shown)
    expect([shown.code, shown.outputs['reasons']]).toEqual([0, expect.stringContaining('guard_held')])
    expect(shown.comments).toHaveLength(2)
  })
})

describe('an older head’s run that ends last', () => {
  const moved = 'f'.repeat(40)

  it('is a row under the newest head’s verdict', async () => {
    let newest = ''
    const first = await publishArtifact(own, artifactOf(honest), (github) => {
      for (const pull of github.pulls) Object.assign(pull, { sha: HEAD })
    })
    newest = (first.comments[0] ?? '').replaceAll(HEAD, moved)
    const shown = await publishArtifact(own, artifactOf(honest), (github) => {
      github.seed(newest, WORKFLOW_BOT)
      for (const pull of github.pulls) Object.assign(pull, { sha: moved })
    })
    expect(shown.comments).toHaveLength(1)
    const [body = ''] = shown.comments
    expect(body.split('\n').slice(0, 2)).toEqual(newest.split('\n').slice(0, 2))
    expect(body).toContain('<summary>1 earlier head of this pull request</summary>')
    expect(body.slice(body.indexOf('<summary>1 earlier'))).toContain(HEAD.slice(0, 10))
    expect(wrongIn(body)).toEqual([])
  })

  it('does not stand for a newest head that nobody measured', async () => {
    const shown = await publishArtifact(own, artifactOf(honest), (github) => {
      for (const pull of github.pulls) Object.assign(pull, { sha: moved })
    })
    const [body = ''] = shown.comments
    expect(body).toContain('## ⚠️ Capacity not measured at the newest commit')
    expect(body).toContain('<summary>1 earlier head of this pull request</summary>')
    expect(wrongIn(body)).toEqual([])
  })

  it('writes nothing where its pack is refused', async () => {
    const folder = artifactOf(new Map([['run.json', Buffer.from('{}')]]))
    const shown = await publishArtifact(own, folder, (github) => {
      for (const pull of github.pulls) Object.assign(pull, { sha: moved })
    })
    expect([shown.code, shown.comments]).toEqual([4, []])
    expect(shown.summary).toContain('the pull request has moved on to ffffffffff')
  })
})
