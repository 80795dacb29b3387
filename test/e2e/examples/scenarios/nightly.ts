import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { parse } from 'yaml'
import { MANIFEST, scheduled } from '../stage.ts'
import type { Stage } from '../stage.ts'

const EXAMPLE = '3-nightly.yml'
const revision = (manifest: string) => stringify({ engine: { deploy: { argv: parse(manifest).engine.deploy.argv } } })

export function nightly(on: () => Stage): void {
  it('sweeps each revision, one that is invalid twice, and adds both to the history', async () => {
    const { world, run, manifest } = on()
    const sha = world.commit('main', {
      [MANIFEST]: manifest(),
      '.capacity-gate/nightly/production.yaml': revision(manifest()),
      '.capacity-gate/nightly/candidate.yaml': revision(manifest(['--fault', 'version=9.9'])),
    })
    const ran = await run(EXAMPLE, scheduled(sha))
    const verdicts = ran.steps
      .filter(({ own, job }) => own && job === 'sweep')
      .map(({ matrix, index, outputs }) => [matrix['revision'], index, outputs['verdict']])
    expect(verdicts).toEqual([
      ['production', 2, 'held'],
      ['production', 3, undefined],
      ['candidate', 2, 'invalid'],
      ['candidate', 3, 'invalid'],
    ])
    expect(ran.jobs['sweep']?.result).toBe('failure')
    expect(ran.jobs['history']?.result).toBe('success')
    const kept = world.git.git('ls-tree', '-r', '--name-only', 'capacity-history').split('\n')
    expect(kept).toContainEqual(expect.stringMatching(/index\.html$/))
    expect(world.artifacts.names(ran.runId)).toHaveLength(3)
  })
}
