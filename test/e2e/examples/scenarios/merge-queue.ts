import { expect, it } from 'vitest'
import { LOSES_HITS, MANIFEST, mergeGroup, pullRequest } from '../stage.ts'
import type { Stage } from '../stage.ts'
import type { RanExample } from '../run-example.ts'

const EXAMPLE = '6-merge-queue.yml'

const results = ({ jobs }: RanExample) => ['look', 'measure', 'capacity'].map((id) => jobs[id]?.result)

export function mergeQueue(on: () => Stage): void {
  const bump = (files: (stage: Stage) => Record<string, string>) => {
    const { world } = on()
    const base = world.git.git('rev-parse', 'main').trim()
    const head = world.commit('bump', files(on()), 'main')
    world.github.pulls.splice(0, Infinity, { number: 7, state: 'open', sha: head, head: 'acme:bump' })
    return { head, base }
  }

  it('lints a pull request, and measures nothing for it', async () => {
    const { head, base } = bump(({ manifest }) => ({ [MANIFEST]: manifest(['--seed', '3']) }))
    const ran = await on().run(EXAMPLE, pullRequest(head, base))
    expect(results(ran)).toEqual(['success', 'skipped', 'success'])
    expect(ran.of('look')[2]?.outputs['comment-url']).toMatch(/issuecomment/)
  })

  it('measures the group that is to be merged, and comments on the pull request that the queue names', async () => {
    const { head, base } = bump(({ manifest }) => ({ [MANIFEST]: manifest(['--seed', '3']) }))
    const ran = await on().run(EXAMPLE, mergeGroup(head, base))
    expect(results(ran)).toEqual(['success', 'success', 'success'])
    expect(ran.of('measure')[1]?.outputs['verdict']).toBe('held')
    expect(on().world.github.comments.map(({ body }) => body.split('\n')[1])).toContainEqual(
      expect.stringContaining('Capacity held'),
    )
  })

  it('ends the check of a group that lost capacity', async () => {
    const { head, base } = bump(({ manifest }) => ({ [MANIFEST]: manifest(LOSES_HITS) }))
    const ran = await on().run(EXAMPLE, mergeGroup(head, base))
    expect(results(ran)).toEqual(['success', 'failure', 'failure'])
    expect(ran.of('measure')[1]?.outputs['verdict']).toBe('regressed')
  })

  it('lets pass what does not touch the manifest, unmeasured', async () => {
    const { head, base } = bump(() => ({ 'README.md': 'other words\n' }))
    const ran = await on().run(EXAMPLE, mergeGroup(head, base))
    expect(results(ran)).toEqual(['success', 'skipped', 'success'])
    expect(ran.of('look')).toHaveLength(2)
  })

  it('does not pass where the measurement was skipped because the look before it failed', async () => {
    const { head, base } = bump(({ manifest }) => ({
      [MANIFEST]: manifest().replace('streaming: true', 'streaming: maybe'),
    }))
    for (const trigger of [pullRequest(head, base), mergeGroup(head, base), mergeGroup(head, 'f'.repeat(40))])
      expect(results(await on().run(EXAMPLE, trigger))).toEqual(['failure', 'skipped', 'failure'])
  })
}
