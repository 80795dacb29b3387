import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runPost } from '../../../src/entry/post-main.ts'
import { readStepState, saveEnd, saveRun } from '../../../src/entry/step-state.ts'
import type { StepRun } from '../../../src/entry/step-state.ts'
import { packJson } from '../../../src/app/point/files.ts'
import { gate } from '../../../src/core/gate/gate.ts'
import { heldCandidate, baseline } from '../gate/record-fixture.ts'
import { HEAD, recordingDesk } from './action-desk.ts'

const scratch = () => mkdtempSync(join(tmpdir(), 'post-'))

interface Staged {
  pack: string
  inputs?: Record<string, string>
  end?: 'ended' | 'interrupted'
  /** False: the step before did not come to measuring. */
  measures?: boolean
  cleanUp?: () => AsyncIterable<string>
}

/** The post step of a step that began a run and ended as said; and what it left to be seen. */
async function afterStep({ pack, inputs = {}, end, measures = true, cleanUp = nothing }: Staged) {
  const recording = recordingDesk({ pack, 'github-token': 'ghs_secret', ...inputs })
  if (measures) await saveRun(recording.desk, 'dense-70b-8xh100')
  if (end) saveEnd(recording.desk, end)
  const state = readStepState((name) => recording.states.get(name) ?? '')
  await runPost({ state, screen: recording.desk.screen, cleanUp, action: () => recording.desk })
  return recording
}

async function* nothing(): AsyncGenerator<string> {}

function session(over: object): string {
  return packJson({
    schema: 1,
    plan: 'confirm',
    caches: ['cold', 'warm'],
    startedAt: '2026-11-30T06:00:00.000Z',
    experimentSha256: 'e',
    subjectSha256: 's',
    schedules: {},
    mustEqual: {},
    recorded: {},
    baselineSha256: null,
    anchorSha256: null,
    states: {},
    plannedPoints: 2,
    points: [],
    ...over,
  })
}

/** A pack that a run left in its second point. */
function secondPoint(): string {
  const pack = scratch()
  for (const name of ['cold-open-23040-r1', 'warm-open-28800-r1'])
    mkdirSync(join(pack, 'points', name), { recursive: true })
  writeFileSync(join(pack, 'points/cold-open-23040-r1/point.json'), '{}')
  writeFileSync(join(pack, 'points/warm-open-28800-r1/journal.jsonl'), '')
  writeFileSync(join(pack, 'run.json'), session({ points: ['cold-open-23040-r1'] }))
  return pack
}

describe('the post step', () => {
  it('of a run that was cancelled says in comment and summary at which point, and that nothing is judged', async () => {
    const { publisher } = await afterStep({ pack: secondPoint(), end: 'interrupted' })
    const [[marker, { body }] = ['', { body: '' }]] = [...publisher.comments]
    expect(marker).toBe('<!-- capacity-gate:dense-70b-8xh100: -->')
    for (const text of [body, publisher.summaryText]) {
      expect(text).toContain('## ⚠️ Capacity not measured: the run was cancelled')
      expect(text).toContain('**Cancelled** at point 2 of 2 (`warm-open-28800-r1`)')
      expect(text).toContain('nothing is judged')
      expect(text).toContain(HEAD.slice(0, 10))
    }
  })

  it('of a step that left no word says so as well', async () => {
    const { publisher } = await afterStep({ pack: secondPoint() })
    expect(publisher.summaryText).toContain('left no word of its own')
    expect(publisher.comments.size).toBe(1)
  })

  it.each([
    ['ended by itself', { end: 'ended' as const }],
    ['measures nothing', { measures: false }],
  ])('of a step that %s says nothing', async (_, over) => {
    const { publisher } = await afterStep({ pack: secondPoint(), ...over })
    expect([publisher.comments.size, publisher.summaryText]).toEqual([0, ''])
  })

  it.each([
    ['is not there', join(scratch(), 'none')],
    ['is empty', scratch()],
    ['holds a run.json of another form', foreign()],
  ])('says so before the first point where the pack %s', async (_, pack) => {
    const { publisher } = await afterStep({ pack, end: 'interrupted' })
    expect(publisher.summaryText).toContain('**Cancelled** before the first point')
  })

  it('shows the verdict that was found and not shown any more', async () => {
    const pack = scratch()
    const verdict = gate({ candidate: heldCandidate(), baseline: baseline(), anchor: null, onMissingBaseline: 'fail' })
    writeFileSync(join(pack, 'run.json'), session({}))
    writeFileSync(join(pack, 'capacity.json'), JSON.stringify(heldCandidate()))
    writeFileSync(join(pack, 'baseline.json'), JSON.stringify(baseline()))
    writeFileSync(join(pack, 'verdict.json'), JSON.stringify(verdict))
    writeFileSync(join(pack, 'SHA256SUMS'), '')
    const { publisher } = await afterStep({ pack })
    expect([...publisher.comments.values()][0]?.body).toContain('Capacity held')
    expect(publisher.summaryText).toContain('Capacity held')
  })

  it('falls to the summary, with one line saying why, where no comment can be written', async () => {
    const recording = recordingDesk({ pack: secondPoint(), 'github-token': 'ghs_secret' })
    recording.publisher.refusal = 'the token may not comment'
    await saveRun(recording.desk, 'g')
    const state = readStepState((name) => recording.states.get(name) ?? '')
    await runPost({ state, screen: recording.desk.screen, cleanUp: nothing, action: () => recording.desk })
    expect(recording.publisher.summaryText).toContain('**Cancelled** at point 2 of 2')
    expect(recording.publisher.summaryText.match(/_No comment was written: .*_/g)).toEqual([
      '_No comment was written: the token may not comment._',
    ])
  })

  it('writes none where none is wanted', async () => {
    const { publisher } = await afterStep({ pack: secondPoint(), inputs: { comment: 'never' } })
    expect([publisher.comments.size, publisher.summaryText.includes('No comment')]).toEqual([0, false])
  })

  it('cleans up where there is no runner to ask', async () => {
    const { desk, log } = recordingDesk({})
    const action = () => {
      throw new Error('no GITHUB_REPOSITORY')
    }
    const run = { gateId: 'g', startedAt: '', pid: 2, started: '1', container: '' }
    const cleanUp = async function* () {
      yield 'removed what run 7 left'
    }
    await runPost({ state: { run, end: null }, screen: desk.screen, cleanUp, action })
    expect(log()).toBe('removed what run 7 left\nthe comment did not finish: no GITHUB_REPOSITORY\n')
  })

  it('masks the token, and keeps none in the state', async () => {
    const { secrets, states } = await afterStep({ pack: secondPoint() })
    expect(secrets).toContain('ghs_secret')
    expect(JSON.stringify([...states])).not.toContain('ghs_secret')
  })

  it('tells what it removed, and comments all the same where the clean-up fails', async () => {
    const { log, publisher } = await afterStep({
      pack: secondPoint(),
      async *cleanUp() {
        yield 'removed what run 7 left'
        throw new Error('the daemon\n::error::hangs')
      },
    })
    expect(log()).toMatch(/^removed what run 7 left\nthe clean-up did not finish: the daemon .*hangs$/m)
    expect(publisher.comments.size).toBe(1)
  })
})

function foreign(): string {
  const pack = scratch()
  writeFileSync(join(pack, 'run.json'), '{"points": "all"}')
  return pack
}

describe('a step’s state', () => {
  const read = (states: Record<string, string>) => readStepState((name) => states[name] ?? '')

  it('is read back as it was kept, and is nothing where it was not kept or is of another form', async () => {
    const { desk, states } = recordingDesk({})
    await saveRun(desk, 'g')
    saveEnd(desk, 'interrupted')
    const kept = read(Object.fromEntries(states))
    expect(kept).toMatchObject({ run: { gateId: 'g', pid: process.pid }, end: 'interrupted' })
    const hostile: Partial<StepRun> = { ...kept.run, pid: 1 }
    for (const run of ['', '{', 'null', JSON.stringify(hostile), JSON.stringify({ ...kept.run, more: 1 })])
      expect(read({ run, end: 'never' })).toEqual({ run: null, end: null })
  })

  it('that cannot be kept fails nothing', async () => {
    const { desk, log } = recordingDesk({})
    desk.saveState = () => {
      throw new Error('missing file at path')
    }
    await saveRun(desk, 'g')
    expect(log()).toContain('the step’s state could not be kept: missing file')
  })
})
