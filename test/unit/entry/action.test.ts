import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { canonicalSha256 } from '../../../src/core/kernel/canonical.ts'
import { runAction } from '../../../src/entry/action-main.ts'
import { OUTPUT_NAMES } from '../../../src/entry/action-outputs.ts'
import { baseline, boots, GUARD, heldCandidate, point, record, result } from '../gate/record-fixture.ts'
import { actionFile, HEAD, pullRequest, recordingDesk } from './action-desk.ts'
import { scratch } from './cli-in-process.ts'

const regressed = record([
  result('confirm', [
    ...boots('cold', GUARD.cold, 'fail', 'fail'),
    point({ milliRps: 21_600, deployId: 'cold-boot-3' }),
  ]),
  result('confirm', boots('warm', GUARD.warm, 'pass')),
])

/** The same with more errors allowed. */
function loosened(from: CapacityRecord): CapacityRecord {
  const value = structuredClone(from.experiment.value) as { acceptance: Record<string, number> }
  value.acceptance['error_rate_max'] = 0.05
  return { ...from, experiment: { sha256: canonicalSha256(value), value } }
}

/** Of the gate whose records these are. */
const OWN_MANIFEST = 'fixtures/packs/h100-vllm/workload-manifest.yaml'

/** A pack with a record, and a file that holds the accepted one. */
function stage(candidate: CapacityRecord, accepted: CapacityRecord | null = baseline()) {
  const folder = scratch()
  const pack = folder
  writeFileSync(join(pack, 'capacity.json'), JSON.stringify(candidate))
  const file = join(scratch(), 'accepted.json')
  if (accepted) writeFileSync(file, JSON.stringify(accepted))
  return { manifest: OWN_MANIFEST, pack, baseline: `file:${file}`, 'github-token': 'ghs_secret' }
}

describe('action.yml', () => {
  it('lists every output that the step sets, and no other', () => {
    expect(Object.keys(actionFile.outputs)).toEqual(OUTPUT_NAMES)
  })

  it('lists every input that the step reads, and no other', async () => {
    const read = new Set<string>()
    const { desk } = recordingDesk({ command: 'comment', pack: '/nowhere' })
    await runAction({ ...desk, input: (name) => (read.add(name), desk.input(name)) })
    expect([...read].toSorted()).toEqual(Object.keys(actionFile.inputs).toSorted())
  })

  it('runs the bundles, and cleans up always', () => {
    expect(actionFile.runs).toEqual({
      using: 'node24',
      main: 'dist/action.js',
      post: 'dist/post.js',
      'post-if': 'always()',
    })
  })
})

describe('gate', () => {
  it('fails for a regression after every output is set, and shows it in all places', async () => {
    const inputs = stage(regressed)
    const { desk, outputs, publisher, log } = recordingDesk({ ...inputs, command: 'gate' })
    expect(await runAction(desk)).toBe(2)
    expect(Object.keys(outputs)).toEqual(OUTPUT_NAMES)
    expect(outputs).toMatchObject({
      verdict: 'regressed',
      'cold-verdict': 'regressed',
      'warm-verdict': 'held',
      'capacity-rps': '21.6',
      'baseline-rps': '24',
      'delta-percent': '-10',
      'limiting-class': 'long_context',
      'pack-path': inputs.pack,
      'report-path': join(inputs.pack, 'report.md'),
      'comment-url': 'https://github.example/comment-1',
    })
    expect(JSON.parse(outputs['reasons'] ?? '')[0]).toMatchObject({ cache: 'cold', code: 'below_baseline' })
    const [marker, posted] = [...publisher.comments][0] ?? []
    expect(marker).toBe('<!-- capacity-gate:dense-70b-8xh100: -->')
    expect(posted?.body.split('\n').slice(0, 2)).toEqual([marker, '## ❌ Capacity regressed: action needed'])
    expect(posted?.body).toContain(pullRequest.runUrl)
    expect(posted?.body).toContain(HEAD.slice(0, 10))
    expect(publisher.summaryText).toContain('Capacity regressed')
    expect(publisher.annotations[0]).toMatchObject({ level: 'error', title: 'Capacity regressed (cold)' })
    expect(log()).toMatch(/^REGRESSED: /)
    expect(readFileSync(join(inputs.pack, 'report.md'), 'utf8')).toContain('Capacity regressed')
  })

  it('passes for a capacity that is held', async () => {
    const { desk, outputs } = recordingDesk({ ...stage(heldCandidate()), command: 'gate' })
    expect(await runAction(desk)).toBe(0)
    expect(outputs['verdict']).toBe('held')
  })

  it('changes nothing about the verdict where the comment cannot be written, and says why in the summary', async () => {
    const { desk, publisher, outputs, log } = recordingDesk({ ...stage(heldCandidate()), command: 'gate' })
    publisher.refusal = 'the token may not comment'
    expect(await runAction(desk)).toBe(0)
    expect(outputs).toMatchObject({ verdict: 'held', 'comment-url': '' })
    expect(publisher.summaryText).toContain('_No comment was written: the token may not comment._')
    expect(log()).toContain('no comment was written: the token may not comment')
  })

  it.each([
    [regressed, 2],
    [null, 4],
  ])('ends as it would have where the outputs cannot be set', async (candidate, code) => {
    const inputs = candidate ? stage(candidate) : { pack: scratch() }
    const { desk, publisher, log } = recordingDesk({ ...inputs, command: 'gate' })
    desk.setOutputs = () => {
      throw new Error('missing file at path /runner/outputs')
    }
    expect(await runAction(desk)).toBe(code)
    expect(log()).toContain('the outputs could not be set: missing file')
    expect(publisher.summaryText).toMatch(/Capacity regressed|no verdict/)
  })

  it('changes nothing about the verdict where the summary cannot be written', async () => {
    const { desk, publisher, log } = recordingDesk({ ...stage(regressed), command: 'gate' })
    publisher.summary = () => Promise.reject(new Error('no space left'))
    expect(await runAction(desk)).toBe(2)
    expect(log()).toContain('the summary could not be written: no space left')
  })

  it.each([
    ['fail', 3],
    ['warn', 0],
  ])('ends an inconclusive verdict as on-inconclusive: %s says', async (onInconclusive, code) => {
    const unsettled = record([result('confirm', boots('cold', GUARD.cold, 'unknown', 'unknown'))])
    const { desk } = recordingDesk({ ...stage(unsettled), command: 'gate', 'on-inconclusive': onInconclusive })
    expect(await runAction(desk)).toBe(code)
  })

  it.each([
    ['fail', 3, 'inconclusive', 'Capacity not decided'],
    ['record', 0, 'recorded', 'NOT GATED'],
  ])('ends a first run as on-missing-baseline: %s says', async (onMissingBaseline, code, verdict, heading) => {
    const inputs = { ...stage(baseline(), null), baseline: `dir:${scratch()}`, command: 'gate' }
    const { desk, outputs, publisher } = recordingDesk({ ...inputs, 'on-missing-baseline': onMissingBaseline })
    expect([await runAction(desk), outputs['verdict']]).toEqual([code, verdict])
    expect(publisher.summaryText).toContain(heading)
  })

  it('refuses the pack of another gate than the checked-out manifest’s: it would write that one’s comment', async () => {
    const inputs = stage({ ...heldCandidate(), gateId: 'payments' })
    const { desk, outputs, publisher } = recordingDesk({ ...inputs, command: 'gate' })
    expect(await runAction(desk)).toBe(4)
    expect(outputs['reasons']).toContain('gate_differs')
    expect(publisher.comments.size).toBe(0)
  })

  it('writes no comment where none is wanted, and keeps two gates apart by their key', async () => {
    const quiet = recordingDesk({ ...stage(heldCandidate()), command: 'gate', comment: 'never' })
    await runAction(quiet.desk)
    expect([quiet.publisher.comments.size, quiet.publisher.summaryText.includes('No comment')]).toEqual([0, false])
    const keyed = recordingDesk({ ...stage(heldCandidate()), command: 'gate', 'comment-key': 'h200' })
    await runAction(keyed.desk)
    expect([...keyed.publisher.comments.keys()]).toEqual(['<!-- capacity-gate:dense-70b-8xh100:h200 -->'])
  })
})

describe('comment', () => {
  it('refuses an unfinished pack with its outputs set, and says so where an earlier verdict would stand', async () => {
    const { desk, outputs, publisher } = recordingDesk({
      manifest: OWN_MANIFEST,
      pack: scratch(),
      command: 'comment',
    })
    expect(await runAction(desk)).toBe(4)
    expect(Object.keys(outputs)).toEqual(OUTPUT_NAMES)
    expect(outputs['verdict']).toBe('invalid')
    expect(JSON.parse(outputs['reasons'] ?? '')).toEqual([expect.objectContaining({ code: 'pack_incomplete' })])
    expect(publisher.annotations).toEqual([expect.objectContaining({ level: 'error' })])
    expect(publisher.summaryText).toMatch(/no verdict/)
    const comment = publisher.comments.get('<!-- capacity-gate:dense-70b-8xh100: -->')?.body
    expect(comment).toContain('## ❌ No verdict on this commit')
    expect(comment).toContain('the pack has no capacity.json (`pack_incomplete`).')
  })

  it('writes no comment where its own manifest does not say which gate it is of', async () => {
    const { desk, outputs, publisher } = recordingDesk({
      manifest: '/nowhere.yaml',
      pack: scratch(),
      command: 'comment',
    })
    expect(await runAction(desk)).toBe(4)
    expect(outputs['reasons']).toContain('file_not_found')
    expect(publisher.comments.size).toBe(0)
  })
})

describe('promote', () => {
  const onMain = {
    facts: { ...pullRequest, name: 'push', pullRequest: null, baseSha: null, ownDefaultBranch: 'main' },
    env: { GITHUB_REF: 'refs/heads/main', GITHUB_ACTOR: 'ada' },
  }

  it('accepts the pack’s record, and says where', async () => {
    const store = scratch()
    const inputs = { ...stage(baseline()), command: 'promote', baseline: `dir:${store}` }
    const { desk, publisher } = recordingDesk(inputs, onMain)
    expect(await runAction(desk)).toBe(0)
    const kept = join(store, 'measured/dense-70b-8xh100/promotions/000001.json')
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject({
      acceptedBy: 'ada',
      authority: 'default_branch',
      place: 'main',
      run: 'https://github.com/acme/engine/actions/runs/17',
      reason: `push in main at ${HEAD}`,
      anchor: false,
    })
    expect(publisher.summaryText).toContain('Accepted as the baseline')
    const message = expect.stringContaining('spread from boot to boot was not measured') as string
    expect(publisher.annotations).toContainEqual({ level: 'warning', title: 'Baseline', message })
  })

  it('refuses what cannot be one', async () => {
    const inputs = { ...stage(heldCandidate()), command: 'promote', baseline: `dir:${scratch()}` }
    const { desk, outputs } = recordingDesk(inputs, onMain)
    expect(await runAction(desk)).toBe(4)
    expect(outputs['reasons']).toContain('not_promotable')
  })

  it('accepts nothing for a pull request', async () => {
    const store = scratch()
    const { desk, outputs } = recordingDesk({ ...stage(baseline()), command: 'promote', baseline: `dir:${store}` })
    expect(await runAction(desk)).toBe(4)
    expect(outputs['reasons']).toContain('promotion_not_allowed')
    expect(existsSync(join(store, 'measured'))).toBe(false)
  })

  it('takes another experiment only where it is meant, and shows what is looser', async () => {
    const store = scratch()
    const promoteWith = async (given: Record<string, string>, candidate: CapacityRecord) => {
      const inputs = { ...stage(candidate), command: 'promote', baseline: `dir:${store}`, ...given }
      const { desk, outputs, publisher } = recordingDesk(inputs, onMain)
      return { code: await runAction(desk), outputs, summary: publisher.summaryText }
    }
    await promoteWith({}, baseline())
    const looser = loosened(baseline())
    const refused = await promoteWith({}, looser)
    expect([refused.code, refused.outputs['reasons']]).toEqual([4, expect.stringContaining('experiment_changed')])
    expect(refused.outputs['reasons']).toMatch(/error_rate_max: 0\.01 → 0\.05 \(loosens\)/)
    const taken = await promoteWith({ 'new-experiment': 'true', 'promote-anchor': 'true' }, looser)
    expect([taken.code, taken.summary]).toEqual([0, expect.stringContaining('A new experiment')])
  })
})

describe('an anchor', () => {
  const onMain = { facts: { ...pullRequest, name: 'push', pullRequest: null, ownDefaultBranch: 'main' } }
  const sweepOf = (pass: number, fail: number, createdAt: string) =>
    record([result('sweep', [point({ milliRps: pass }), point({ milliRps: fail, outcome: 'fail' })])], { createdAt })
  const release = sweepOf(26_000, 26_500, '2026-10-01T08:00:00.000Z')
  const since = sweepOf(25_000, 25_500, '2026-11-01T08:00:00.000Z')

  /** What a record at 24.0 RPS, within the tolerance of the baseline at 25.0 but not of the release's 26.0, comes to. */
  async function gatedAfter(anchored: 'true' | 'false') {
    const baselineRef = `dir:${scratch()}`
    for (const [accepted, promoteAnchor] of [
      [release, anchored],
      [since, 'false'],
    ] as const) {
      const inputs = { ...stage(accepted), command: 'promote', baseline: baselineRef, 'promote-anchor': promoteAnchor }
      expect(await runAction(recordingDesk(inputs, onMain).desk)).toBe(0)
    }
    const points = [...boots('cold', 24_960, 'fail', 'fail'), point({ milliRps: 24_000, deployId: 'cold-boot-3' })]
    const inputs = { ...stage(record([result('confirm', points)])), command: 'gate', baseline: baselineRef }
    const { desk, outputs, publisher } = recordingDesk(inputs)
    return { code: await runAction(desk), outputs, shown: [...publisher.comments.values()][0]?.body ?? '', inputs }
  }

  it('that was promoted catches the small losses that add up, and is shown', async () => {
    const { code, outputs, shown, inputs } = await gatedAfter('true')
    expect([code, outputs['verdict']]).toEqual([2, 'regressed'])
    const codes = (JSON.parse(outputs['reasons'] ?? '') as { code: string }[]).map((one) => one.code)
    expect(codes).toContain('below_anchor')
    expect(shown).toContain('Anchor 26.0 RPS · guard rate set by the anchor')
    const kept = JSON.parse(readFileSync(join(inputs.pack, 'anchor.json'), 'utf8')) as CapacityRecord
    expect(kept.createdAt).toBe(release.createdAt)
  })

  it('that was not has no part in it', async () => {
    const { outputs, inputs } = await gatedAfter('false')
    expect(outputs['verdict']).toBe('held')
    expect(existsSync(join(inputs.pack, 'anchor.json'))).toBe(false)
  })
})

describe('run', () => {
  const manifest = 'fixtures/packs/broken-benchmark/workload-manifest.yaml'

  it('sets the pack of an earlier attempt aside, whatever comes of this one, and keeps the last', async () => {
    const pack = join(scratch(), 'pack')
    for (const attempt of [1, 2, 3]) {
      mkdirSync(join(pack, 'points'), { recursive: true })
      writeFileSync(join(pack, 'run.json'), `attempt ${attempt}`)
      const { desk, publisher, outputs } = recordingDesk({ manifest, pack })
      await runAction(desk)
      expect([existsSync(pack), outputs['pack-path']]).toEqual([false, pack])
      expect(publisher.annotations[0]).toMatchObject({ level: 'warning', message: expect.stringContaining(pack) })
      expect(readFileSync(join(`${pack}.earlier`, 'run.json'), 'utf8')).toBe(`attempt ${attempt}`)
    }
  })

  it('touches no folder that is no pack, and never moves the current folder', async () => {
    const pack = scratch()
    writeFileSync(join(pack, 'notes.txt'), 'mine')
    const { desk, publisher } = recordingDesk({ manifest, pack })
    await runAction(desk)
    expect(readFileSync(join(pack, 'notes.txt'), 'utf8')).toBe('mine')
    expect(publisher.annotations[0]?.title).not.toContain('Earlier')
    mkdirSync(`${pack}.earlier`)
    writeFileSync(join(`${pack}.earlier`, 'notes.txt'), 'mine too')
    writeFileSync(join(pack, 'capacity.json'), '{}')
    await runAction(recordingDesk({ manifest, pack }).desk)
    expect(existsSync(join(`${pack}.earlier`, 'notes.txt'))).toBe(true)
    expect(existsSync(join(`${pack}.earlier-2`, 'capacity.json'))).toBe(true)
  })

  it('places the manifest’s findings on its lines and deploys nothing', async () => {
    const pack = join(scratch(), 'pack')
    const { desk, publisher, outputs } = recordingDesk({ manifest, pack })
    expect(await runAction(desk)).toBe(4)
    expect(publisher.annotations[0]).toMatchObject({
      file: manifest,
      line: 1,
      column: 1,
      level: 'error',
      title: 'benchmark-concurrency-only',
    })
    expect(publisher.annotations).toHaveLength(7)
    expect(outputs).toMatchObject({ verdict: 'invalid', 'pack-path': pack })
    expect(existsSync(pack)).toBe(false)
  })

  it.each([
    ['no commit', ''],
    ['an older commit', 'c'.repeat(40)],
  ])('deploys nothing for a fork where %s was approved', async (_, approved) => {
    const pack = join(scratch(), 'pack')
    const { desk, outputs } = recordingDesk(
      { manifest, pack, 'approved-sha': approved },
      { facts: { ...pullRequest, isFork: true } },
    )
    expect(await runAction(desk)).toBe(4)
    expect(outputs['reasons']).toContain('fork_not_approved')
    expect(existsSync(pack)).toBe(false)
  })

  it('goes on for a fork whose very head was approved', async () => {
    const { desk, outputs } = recordingDesk(
      { manifest, 'approved-sha': HEAD },
      { facts: { ...pullRequest, isFork: true } },
    )
    await runAction(desk)
    expect(outputs['reasons']).toContain('manifest_invalid')
  })

  it('masks the token and the values of the manifest’s secrets', async () => {
    const h100 = 'fixtures/packs/h100-vllm/workload-manifest.yaml'
    const { desk, secrets } = recordingDesk(
      { manifest: h100, pack: join(scratch(), 'pack'), 'github-token': 'ghs_1' },
      { env: { HF_TOKEN: 'hf_2' } },
    )
    await runAction(desk)
    expect(secrets).toEqual(['ghs_1', 'hf_2'])
  })
})

describe('inputs', () => {
  it.each([
    [{ command: 'gtae' }, /the input command cannot be "gtae"/, /did you mean gate\?/],
    [{ plan: 'swep' }, /input plan/, /did you mean sweep\?/],
    [{ cache: 'hot' }, /input cache/, /cold,warm/],
    [{ 'budget-minutes': '-1' }, /input budget-minutes/, /above 0/],
    [{ 'pr-number': '7; rm' }, /input pr-number/, /number of a pull request/],
    [{ 'approved-sha': 'main' }, /input approved-sha/, /40 hex digits/],
    [{ pack: ' ' }, /input pack/, /not be empty/],
    [{ 'on-inconclusive': 'ignore' }, /input on-inconclusive/, /fail, warn/],
    [{ comment: 'always' }, /input comment/, /auto, never/],
  ])('%j is refused with the input’s name and what it may be', async (inputs, what, hint) => {
    const { desk, outputs, log } = recordingDesk(inputs as Record<string, string>)
    expect(await runAction(desk)).toBe(64)
    expect(log()).toMatch(new RegExp(`^error: .*${what.source}.*\\nhint: .*${hint.source}`))
    expect(log()).not.toContain('    at ')
    expect(outputs).toMatchObject({ verdict: '', reasons: expect.stringContaining('input_invalid') })
  })

  it('shows a stack where the runner logs for debugging', async () => {
    const { desk, log } = recordingDesk({ command: 'x' }, { isDebug: true })
    await runAction(desk)
    expect(log()).toContain('    at ')
  })
})
