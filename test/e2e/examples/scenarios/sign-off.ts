import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dispatched, mergeGroup } from '../stage.ts'
import type { Stage } from '../stage.ts'

const EXAMPLE = '4-release-sign-off.yml'

export function signOff(on: () => Stage): void {
  it('signs off what an earlier run held, with the approval of its environment, and attests it', async () => {
    const { world, run, manifest } = on()
    const policy = { '.capacity-gate/sign-off.yaml': 'requires: [cold, warm]\n', 'workload-manifest.yaml': manifest() }
    const before = world.git.git('rev-parse', 'main').trim()
    const main = world.commit('main', policy)
    const measured = await run('6-merge-queue.yml', mergeGroup(main, before))
    expect(measured.jobs['measure']?.result).toBe('success')
    const pack = join(world.folder, 'artifacts', measured.runId, world.artifacts.names(measured.runId)[0] ?? '')
    const { subject } = JSON.parse(readFileSync(join(pack, 'capacity.json'), 'utf8')) as { subject: { sha256: string } }
    const inputs = { 'run-id': measured.runId, subject: `sha256:${subject.sha256}` }
    const known = (later: number, event: string, by: readonly string[]) => {
      const approved = by.map((login) => ({ environment: 'release', by: login }))
      const of = { branch: 'main', sha: main, head: 'acme/engine', server: new URL(world.git.url).origin }
      world.github.runs.push({ id: Number(measured.runId) + later, event, ...of, approved })
    }
    known(0, 'merge_group', [])
    known(1, 'workflow_dispatch', [])
    known(2, 'workflow_dispatch', ['grace'])
    const refused = await run(EXAMPLE, dispatched(main, inputs))
    expect([refused.jobs['sign-off']?.result, refused.of('sign-off')[2]?.log]).toEqual([
      'failure',
      expect.stringContaining('no reviewer approved the environment release'),
    ])
    const signed = await run(EXAMPLE, dispatched(main, inputs))
    const [, , step, attest] = signed.of('sign-off')
    expect([signed.jobs['sign-off']?.result, step?.outputs['sign-off'], attest?.outcome]).toEqual([
      'success',
      'warned',
      'success',
    ])
    expect(attest?.inputs).toMatchObject({ 'subject-digest': `sha256:${subject.sha256}` })
  })
}
