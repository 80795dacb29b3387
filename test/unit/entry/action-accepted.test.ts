import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPack } from '../../../src/adapters/system/pack.ts'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { runAction } from '../../../src/entry/action-main.ts'
import { daysLater } from '../../../src/core/gate/accepted/rules.ts'
import { fileOf } from '../gate/accepted/accepted-fixture.ts'
import type { Entry } from '../gate/accepted/accepted-fixture.ts'
import {
  baseline,
  boots,
  experimentValue,
  GUARD,
  heldCandidate,
  point,
  record,
  result,
  sweep,
  withExperiment,
} from '../gate/record-fixture.ts'
import { recordingDesk } from './action-desk.ts'
import { cli, root, scratch, workedExample } from './cli-in-process.ts'

const TODAY = new Date().toISOString().slice(0, 10)
const FAR = daysLater(TODAY, 30)

const lost = record([
  result('confirm', [
    ...boots('cold', GUARD.cold, 'fail', 'fail'),
    point({ milliRps: 21_600, deployId: 'cold-boot-3' }),
  ]),
  result('confirm', boots('warm', GUARD.warm, 'pass')),
])

/** A pack with a record, its baseline, and the accepted losses where there are some. */
function staged(candidate: CapacityRecord, text: string | null) {
  const folder = scratch()
  const pack = join(folder, 'pack')
  mkdirSync(pack)
  writeFileSync(join(pack, 'capacity.json'), JSON.stringify(candidate))
  writeFileSync(join(folder, 'accepted.json'), JSON.stringify(baseline()))
  const accepted = join(folder, 'accepted.yaml')
  if (text !== null) writeFileSync(accepted, text)
  const manifest = join(folder, 'workload-manifest.yaml')
  writeFileSync(manifest, `gate: { id: dense-70b-8xh100 }\n${readFileSync(workedExample, 'utf8')}`)
  return { command: 'gate', manifest, pack, baseline: `file:${join(folder, 'accepted.json')}`, accepted }
}

const entry = (change: Partial<Entry> = {}) => fileOf({ expires: FAR, ...change })

describe('gate with accepted losses', () => {
  it('holds the loss that was accepted, keeps the file as it was used, and says so everywhere', async () => {
    const text = `# reviewed\n${entry()}`
    const inputs = staged(lost, text)
    const { desk, outputs, publisher, log } = recordingDesk(inputs)
    expect(await runAction(desk)).toBe(0)
    expect(outputs).toMatchObject({
      verdict: 'held',
      'cold-verdict': 'held',
      'capacity-rps': '21.6',
      'delta-percent': '-10',
    })
    expect(JSON.parse(outputs['reasons'] ?? '')).toMatchObject([{ code: 'loss_accepted' }, { code: 'guard_held' }])
    expect(publisher.annotations[0]).toMatchObject({ level: 'warning', title: 'Capacity held, accepted loss (cold)' })
    const [posted] = [...publisher.comments.values()]
    expect(posted?.body).toContain('> **Accepted loss, cold:**')
    expect(publisher.summaryText).toContain('Capacity held (accepted loss)')
    expect(log()).toMatch(/^HELD \(ACCEPTED LOSS\): /m)
    const pack = await openPack(inputs.pack)
    expect(new TextDecoder().decode((await pack.read('accepted.yaml')) ?? new Uint8Array())).toBe(text)
    expect(readFileSync(join(inputs.pack, 'report-context.json'), 'utf8')).toContain(`"acceptedAsOf": "${TODAY}"`)
  })

  it.each([
    ['no such file', null],
    ['none of this subject', entry({ subject: 'e'.repeat(64) })],
    ['a deeper floor than was measured', entry({ floor_rps: 22 })],
  ])('regresses with %s', async (_, text) => {
    const { desk, outputs } = recordingDesk(staged(lost, text))
    expect([await runAction(desk), outputs['verdict']]).toEqual([2, 'regressed'])
  })

  it('reads no file where its path is empty', async () => {
    const { desk } = recordingDesk({ ...staged(lost, entry()), accepted: ' ' })
    expect(await runAction(desk)).toBe(2)
  })

  it('ignores an expired one loudly: on its line, and in the verdict', async () => {
    const inputs = staged(lost, entry({ expires: '2026-01-31' }))
    const { desk, publisher, log } = recordingDesk(inputs)
    expect(await runAction(desk)).toBe(2)
    expect(publisher.annotations).toContainEqual(
      expect.objectContaining({
        level: 'warning',
        title: 'accepted-expired',
        file: inputs.accepted,
        line: 9,
        message: expect.stringContaining('it expired on 2026-01-31'),
      }),
    )
    expect(log()).toContain('accepted_loss_expired')
  })

  it('is invalid for a file that is not good, with every finding on its line', async () => {
    const inputs = staged(lost, entry({ floor_rps: 30 }).replace('accepted_by', 'acepted_by'))
    const { desk, outputs, publisher, log } = recordingDesk(inputs)
    expect([await runAction(desk), outputs['verdict']]).toEqual([4, 'invalid'])
    expect(publisher.annotations[0]).toMatchObject({
      level: 'error',
      title: 'unknown-field',
      file: inputs.accepted,
      line: 8,
    })
    expect(log()).toContain('did you mean `accepted_by`?')
  })

  it('says of a loss that is not there to remove it', async () => {
    const { desk, publisher } = recordingDesk(staged(heldCandidate(), entry()))
    expect(await runAction(desk)).toBe(0)
    expect(publisher.annotations).toContainEqual(
      expect.objectContaining({ level: 'warning', title: 'Accepted loss not needed (cold)' }),
    )
    expect([...publisher.comments.values()][0]?.body).toContain('**Accepted losses to look at**')
  })
})

describe('the command line', () => {
  const files = (text: string, candidate = lost) => {
    const { pack, baseline: accepted } = staged(candidate, text)
    const records = ['--candidate', join(pack, 'capacity.json'), '--baseline', accepted.slice('file:'.length)]
    return [...records, '--accepted', join(pack, '..', 'accepted.yaml')]
  }

  it('gates offline under accepted losses', async () => {
    const ended = await cli('gate', ...files(entry()))
    expect([ended.code, ended.stderr]).toEqual([0, ''])
    expect(ended.stdout).toMatch(/^HELD \(ACCEPTED LOSS\): .*\n {2}Accepted loss, cold: /)
    expect((await cli('gate', ...files(entry({ floor_rps: 22 })))).code).toBe(2)
  })

  it('refuses a file that is not good, with its place', async () => {
    const ended = await cli('gate', ...files(entry({ expires: '2999-01-01' })))
    expect([ended.code, ended.stdout]).toEqual([4, ''])
    expect(ended.stderr).toMatch(
      /^error: .*accepted\.yaml:9:14: losses\[0\]\.expires: 2999-01-01 is [\d,]+ days ahead\nhint: /,
    )
  })

  it('refuses a floor under the record’s own minimum, and a file that is not there', async () => {
    const minimum = withExperiment(experimentValue({ min_capacity_rps: 21.7 }))
    const under = await cli('gate', ...files(entry(), { ...lost, ...minimum }))
    expect([under.code, under.stderr]).toEqual([
      4,
      expect.stringContaining('below the manifest’s min_capacity_rps, 21.7'),
    ])
    expect((await cli('gate', ...files(entry()).slice(0, 4), '--accepted', '/nowhere.yaml')).code).toBe(4)
  })
})

describe('lint', () => {
  it('tells every finding of the accepted losses too, on its line', async () => {
    const { accepted, manifest } = staged(lost, entry({ floor_rps: 30, accepted_by: 'WHO' }))
    const ended = await cli('lint', manifest, '--accepted', accepted)
    expect([ended.code, ended.stderr]).toEqual([4, ''])
    const lines = ended.stdout.split('\n').filter((line) => line.includes('accepted.yaml'))
    expect(lines).toEqual([
      expect.stringMatching(/accepted\.yaml:6:16: error: losses\[0\]\.floor_rps: .*\[accepted-no-loss\]$/),
      expect.stringMatching(/accepted\.yaml:8:18: error: .*\[accepted-placeholder\]$/),
      expect.stringMatching(/accepted\.yaml: not valid, 2 errors$/),
    ])
    const json = JSON.parse((await cli('--json', 'lint', manifest, '--accepted', accepted)).stdout)
    expect(json).toMatchObject({ errors: 0, accepted: { errors: 2, findings: [{ line: 6 }, { line: 8 }] } })
  })

  it('passes a good one, and warns of an expired one', async () => {
    const { accepted, manifest } = staged(lost, entry({ expires: '2026-01-31' }))
    const ended = await cli('lint', manifest, '--accepted', accepted)
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('accepted.yaml: valid, 1 warning')])
  })
})

describe('a run with accepted losses that are not good', () => {
  const embedded = join(root, 'fixtures/packs/embedded/workload-manifest.yaml')
  const bad = () => {
    const file = join(scratch(), 'accepted.yaml')
    writeFileSync(file, entry({ gate: 'fixture', accepted_by: 'WHO' }))
    return file
  }

  it('is refused before anything is made, in the action and at the command line', async () => {
    const pack = join(scratch(), 'pack')
    const { desk, publisher } = recordingDesk({ manifest: embedded, pack, accepted: bad() })
    expect(await runAction(desk)).toBe(4)
    expect(publisher.annotations).toContainEqual(
      expect.objectContaining({ level: 'error', title: 'accepted-placeholder' }),
    )
    const ended = await cli('run', embedded, '--pack', pack, '--accepted', bad())
    expect([ended.code, ended.stdout]).toEqual([4, ''])
    expect(ended.stderr).toMatch(
      /^error: .*accepted\.yaml:8:18: losses\[0\]\.accepted_by: `accepted_by` is not filled in\n/,
    )
    expect(existsSync(pack)).toBe(false)
  })
})

describe('promote', () => {
  const swept = record([sweep('cold', [20_000, 21_600], [22_000]), sweep('warm', [30_000], [30_600])])
  const confirmedLoss = {
    ...swept,
    capacity: swept.capacity.map((state) =>
      state.cache === 'cold' ? result('sweep', [...state.points, ...boots('cold', GUARD.cold, 'fail', 'fail')]) : state,
    ),
  }

  it('of a capacity that was held under an accepted loss says so, and keeps it', async () => {
    const inputs = staged(confirmedLoss, entry())
    const gated = recordingDesk(inputs)
    expect([await runAction(gated.desk), gated.outputs['verdict']]).toEqual([0, 'held'])
    const store = join(inputs.pack, '..', 'store')
    const first = join(inputs.pack, '..', 'first.json')
    writeFileSync(first, JSON.stringify(baseline()))
    expect((await cli('promote', '--candidate', first, '--to', `dir:${store}`, '--yes')).code).toBe(0)
    const ended = await cli(
      'promote',
      '--candidate',
      join(inputs.pack, 'capacity.json'),
      '--to',
      `dir:${store}`,
      '--yes',
    )
    expect([ended.code, ended.stderr]).toEqual([0, ''])
    expect(ended.stdout).toContain('warning: cold: the baseline falls from 24.0 to 21.6 RPS, by 10.0 %')
    expect(ended.stdout).toContain('warning: cold: its verdict was held under a loss accepted by @ada until')
    const kept = readFileSync(join(store, 'measured/dense-70b-8xh100/promotions/000002.json'), 'utf8')
    expect(JSON.parse(kept)).toMatchObject({
      lowered: [{ cache: 'cold', fromMilliRps: 24_000, toMilliRps: 21_600 }],
      acceptedLosses: [{ cache: 'cold', acceptedBy: '@ada', floorMilliRps: 21_600 }],
    })
    const again = await cli('promote', '--candidate', first, '--to', `dir:${store}`, '--yes')
    expect(again.stdout).not.toContain('falls')
  })
})
