import { expect, it } from 'vitest'
import type { RanExample } from '../run-example.ts'
import { LOSES_HITS, MANIFEST, pullRequest } from '../stage.ts'
import type { Stage } from '../stage.ts'

const EXAMPLE = '1-upgrade-pull-request.yml'
const results = ({ jobs }: RanExample) => ['look', 'measure', 'capacity'].map((id) => jobs[id]?.result)

export function upgradePullRequest(on: () => Stage): void {
  it.each([
    ['passes for an upgrade that carries what the baseline carries', ['--seed', '4'], 'held', 'success'],
    ['fails for one that loses capacity', LOSES_HITS, 'regressed', 'failure'],
  ])('%s', async (_, flags, verdict, result) => {
    const { world, run, manifest } = on()
    const base = world.git.git('rev-parse', 'main').trim()
    const head = world.commit('bump', { [MANIFEST]: manifest(flags) }, 'main')
    world.github.pulls.splice(0, Infinity, { number: 7, state: 'open', sha: head, head: 'acme:bump' })
    const ran = await run(EXAMPLE, pullRequest(head, base))
    expect(results(ran)).toEqual(['success', result, result])
    expect(ran.of('measure')[1]?.outputs).toMatchObject({
      verdict,
      'comment-url': expect.stringMatching(/issuecomment/),
    })
    expect(world.artifacts.names(ran.runId)).toEqual([`capacity-${ran.runId}-1`])
  })

  it('neither measures nor passes where the manifest cannot be run', async () => {
    const { world, run, manifest } = on()
    const base = world.git.git('rev-parse', 'main').trim()
    const head = world.commit('bump', { [MANIFEST]: manifest().replace('streaming: true', 'streaming: maybe') }, 'main')
    expect(results(await run(EXAMPLE, pullRequest(head, base)))).toEqual(['failure', 'skipped', 'failure'])
  })

  it('passes unmeasured what does not touch the manifest', async () => {
    const { world, run } = on()
    const base = world.git.git('rev-parse', 'main').trim()
    const head = world.commit('words', { 'README.md': 'more words\n' }, 'main')
    expect(results(await run(EXAMPLE, pullRequest(head, base)))).toEqual(['success', 'skipped', 'success'])
  })
}
