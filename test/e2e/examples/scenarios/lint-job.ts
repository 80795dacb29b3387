import { expect, it } from 'vitest'
import { MANIFEST, pullRequest } from '../stage.ts'
import type { Stage } from '../stage.ts'

const EXAMPLE = '0-lint.yml'

export function lintJob(on: () => Stage): void {
  it('comments what a run would take, led by what is accepted', async () => {
    const { world, run, manifest } = on()
    const base = world.git.git('rev-parse', 'main').trim()
    const sha = world.commit('bump', { [MANIFEST]: manifest(['--seed', '2']) }, 'main')
    const ran = await run(EXAMPLE, pullRequest(sha, base))
    const [, lint] = ran.of('lint')
    expect([lint?.code, lint?.log]).toEqual([0, expect.stringContaining('ESTIMATE without GPUs')])
    expect(world.github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('Estimate of `quick`')])
    expect(world.github.comments[0]?.body).toContain('Led by what is accepted: cold 20.0 RPS, warm 20.0 RPS.')
    expect(lint?.outputs['comment-url']).toMatch(/issuecomment/)
  })

  it('points to the line that is wrong, and ends the job', async () => {
    const { world, run, manifest } = on()
    const base = world.git.git('rev-parse', 'main').trim()
    const broken = manifest().replace('streaming: true', 'streaming: maybe')
    const line = broken.split('\n').findIndex((text) => text.includes('maybe')) + 1
    const sha = world.commit('broken', { [MANIFEST]: broken }, 'main')
    const ran = await run(EXAMPLE, pullRequest(sha, base))
    const [, lint] = ran.of('lint')
    expect([ran.jobs['lint']?.result, lint?.code, lint?.outputs['verdict']]).toEqual(['failure', 4, 'invalid'])
    expect(lint?.log).toMatch(new RegExp(`^::error title=[\\w-]+,file=${MANIFEST},line=${line},col=\\d+::`, 'm'))
    expect(world.github.comments.map(({ body }) => body)).toEqual([
      expect.stringContaining('The manifest cannot be run'),
    ])
  })
}
