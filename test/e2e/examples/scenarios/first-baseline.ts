import { expect, it } from 'vitest'
import { dispatched, LOSES_HITS, MANIFEST, pushed } from '../stage.ts'
import type { Stage } from '../stage.ts'

const EXAMPLE = '0-first-baseline.yml'

/** What is accepted on the branch, oldest first. */
function promotions({ world }: Stage): string[] {
  const names = world.git.git('ls-tree', '-r', '--name-only', 'capacity-baselines').split('\n')
  return names.filter((name) => name.includes('/promotions/')).toSorted()
}

export function firstBaseline(on: () => Stage): void {
  it('sweeps and accepts what is in production, by hand', async () => {
    const { world, run, manifest } = on()
    const sha = world.commit('main', { [MANIFEST]: manifest() })
    const ran = await run(EXAMPLE, dispatched(sha, { reason: 'in production', 'new-experiment': false }))
    const [, sweep, , promote] = ran.of('baseline')
    expect([sweep?.code, sweep?.outputs['verdict'], promote?.log]).toEqual([
      0,
      'recorded',
      expect.stringMatching(/^accepted/m),
    ])
    expect(ran.jobs['baseline']?.result).toBe('success')
    expect(world.artifacts.names(ran.runId)).toEqual([`capacity-${ran.runId}-1`])
    expect(promotions(on())).toEqual([expect.stringMatching(/^simulated\/quick\/promotions\/000001\.json$/)])
    expect(world.git.git('log', '-1', '--format=%b', 'capacity-baselines')).toContain('in production')
  })

  it('accepts nothing of a merged revision that lost capacity', async () => {
    const { world, run, manifest } = on()
    const before = world.git.git('rev-parse', 'main').trim()
    const sha = world.commit('main', { [MANIFEST]: manifest(LOSES_HITS) })
    const ran = await run(EXAMPLE, pushed(sha, before))
    expect(ran.jobs['baseline']?.result).toBe('failure')
    expect(ran.of('baseline').map(({ index, code }) => [index, code])).toEqual([
      [0, 0],
      [1, 2],
      [2, 0],
    ])
    expect(promotions(on())).toHaveLength(1)
    world.commit('main', { [MANIFEST]: manifest() })
  })
}

/** After the others: from here on, what stands on `main` is of another experiment than the baseline. */
export function newExperiment(on: () => Stage): void {
  it('accepts another experiment only where that is said', async () => {
    const { world, run, manifest } = on()
    const looser = manifest().replace('error_rate_max: 0.01', 'error_rate_max: 0.02')
    const sha = world.commit('experiment', { [MANIFEST]: looser }, 'main')
    const ran = await run(EXAMPLE, dispatched(sha, { reason: 'more errors are accepted', 'new-experiment': true }))
    expect(ran.of('baseline')[1]?.outputs['verdict']).toBe('recorded')
    expect(ran.jobs['baseline']?.result).toBe('success')
    expect(promotions(on())).toHaveLength(2)
  })
}
