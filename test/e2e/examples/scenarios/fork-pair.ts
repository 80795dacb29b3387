import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { RanExample, Trigger } from '../run-example.ts'
import { finished, MANIFEST, pullRequest } from '../stage.ts'
import type { Stage } from '../stage.ts'

const MEASURE = '2-fork-measure.yml'
const COMMENT = '2-fork-comment.yml'
const results = ({ jobs }: RanExample) => ['look', 'measure', 'capacity'].map((id) => jobs[id]?.result)

/** A fork's pull request at a commit, with the label that was just added. GitHub is asked by curl, which answers for it here. */
function labelled({ world, manifest }: Stage, label: 'head' | 'other'): { head: string; trigger: Trigger } {
  const base = world.git.git('rev-parse', 'main').trim()
  const proposed = manifest(['--seed', '5'])
  const head = world.commit('fork', { [MANIFEST]: proposed }, 'main')
  const trigger = pullRequest(head, base, 'labeled', 'pull_request_target')
  const pull = trigger.payload['pull_request'] as { head: { repo: { full_name: string } } }
  pull.head.repo.full_name = 'mallory/engine'
  const payload = { ...trigger.payload, label: { name: label === 'head' ? head : 'help wanted' } }
  const file = join(world.folder, `proposed-${head}.yaml`)
  writeFileSync(file, proposed)
  const answer = JSON.stringify({ files: [{ filename: MANIFEST }] })
  const curl = `#!/usr/bin/env bash
case "$*" in
  */compare/*...${head}) echo '${answer}' ;;
  *--output\\ workload-manifest.yaml*contents/workload-manifest.yaml?ref=${head}) cp '${file}' workload-manifest.yaml ;;
  *) echo "not asked for: $*" >&2; exit 22 ;;
esac
`
  const own = { payload, programs: { curl }, ref: 'refs/heads/main', sha: base }
  return { head, trigger: { ...trigger, ...own, absent: ['merge_group'] } }
}

export function forkPair(on: () => Stage): void {
  it('measures what a fork proposes once its commit is a label, and comments from a job of its own', async () => {
    const { head, trigger } = labelled(on(), 'head')
    const { world, run } = on()
    world.github.comments.length = 0
    world.github.pulls.splice(0, Infinity, { number: 7, state: 'open', sha: head, head: 'mallory:bump' })
    const measured = await run(MEASURE, trigger)
    expect([results(measured), measured.of('measure')[2]?.outputs['verdict']]).toEqual([
      ['success', 'success', 'success'],
      'held',
    ])
    expect(world.github.comments).toEqual([])
    const told = await run(COMMENT, finished(measured.runId, head, { owner: 'mallory', branch: 'bump' }, trigger))
    expect(told.jobs['comment']?.result).toBe('success')
    expect(world.github.comments).toHaveLength(1)
    expect(told.of('comment')[2]?.outputs['comment-url']).toMatch(/issuecomment/)
  })

  it('measures nothing for another label', async () => {
    const { trigger } = labelled(on(), 'other')
    expect(results(await on().run(MEASURE, trigger))).toEqual(['skipped', 'skipped', 'success'])
  })
}
