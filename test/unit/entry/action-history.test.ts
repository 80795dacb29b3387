import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { gate } from '../../../src/core/gate/gate.ts'
import { historyLine, readHistory } from '../../../src/core/history/lines.ts'
import { runAction } from '../../../src/entry/action-main.ts'
import { baseline } from '../gate/record-fixture.ts'
import { historyPoints } from '../../../src/core/history/from-record.ts'
import { nights, wavering } from '../history/point-fixture.ts'
import type { EventFacts } from '../../../src/entry/event-facts.ts'
import { pullRequest, recordingDesk } from './action-desk.ts'
import { scratch } from './cli-in-process.ts'

/** The day after the records', whatever day it is. */
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 29, 8) }))
afterAll(() => void vi.useRealTimers())

const NIGHT: EventFacts = { ...pullRequest, name: 'schedule', pullRequest: null, baseSha: null, isPullHead: false }

/** A night's pack: a first sweep, as it was recorded. */
function packAt(folder: string, candidate: CapacityRecord = baseline(), series?: string): string {
  mkdirSync(folder, { recursive: true })
  const verdict = gate({ candidate, baseline: null, anchor: null, onMissingBaseline: 'record' })
  const context = { runUrl: NIGHT.runUrl, toolVersion: '0.1.0', ...(series === undefined ? {} : { series }) }
  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value))
  write('capacity.json', candidate)
  write('verdict.json', verdict)
  write('report-context.json', { onMissingBaseline: 'record', context })
  return folder
}

const on = (day: number, name = 'a') =>
  baseline({ createdAt: `2026-11-${String(day).padStart(2, '0')}T02:00:00.000Z`, commit: name.repeat(40) })

/** A history that the packs' series has had before: steady, then lower, and the night of the pack is lower too. */
function fallenHistory(folder: string): void {
  const [cold] = historyPoints(
    on(27),
    gate({ candidate: on(27), baseline: null, anchor: null, onMissingBaseline: 'record' }),
    { series: null, runUrl: null },
  )
  const rates = [...wavering(20, 26_000), 24_000, 24_010, 23_990, 24_005, 24_000]
  const earlier = nights(rates).map((point) => ({
    ...cold!,
    at: point.at,
    run: point.run,
    capacityMilliRps: point.capacityMilliRps,
    failMilliRps: point.failMilliRps,
  }))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'history.jsonl'), earlier.map(historyLine).join(''))
}

interface Given {
  inputs?: Record<string, string>
  facts?: Partial<EventFacts>
}

function night(pack: string, history: string, { inputs = {}, facts = {} }: Given = {}) {
  const page = join(scratch(), 'trend', 'index.html')
  const given = {
    command: 'history',
    pack,
    history: `dir:${history}`,
    'trend-page': page,
    'history-keep-days': '99999',
  }
  return { ...recordingDesk({ ...given, ...inputs }, { facts: { ...NIGHT, ...facts } }), page }
}

const pointsIn = (history: string) => readHistory(readFileSync(join(history, 'history.jsonl'), 'utf8')).points

describe('command: history', () => {
  it('adds a pack under its own series, and writes the page beside the history and where it is asked for', async () => {
    const history = scratch()
    const { desk, page, outputs, log, publisher } = night(packAt(join(scratch(), 'pack'), on(27), 'vllm-0.32'), history)
    expect(await runAction(desk)).toBe(0)
    expect(pointsIn(history).map(({ series, cache, runUrl }) => [series, cache, runUrl])).toEqual([
      ['vllm-0.32', 'cold', NIGHT.runUrl],
      ['vllm-0.32', 'warm', NIGHT.runUrl],
    ])
    expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>[\s\S]*vllm-0\.32/)
    expect(readFileSync(join(history, 'index.html'), 'utf8')).toBe(readFileSync(page, 'utf8'))
    expect(outputs).toMatchObject({ drift: 'false', drifts: '[]', 'trend-page-path': page, verdict: '' })
    expect(publisher.summaryText).toContain('## ⏳ Capacity history: too few values to see a drift')
    expect(log()).toMatch(/^2 points added to .*\nvllm-0\.32, cold: 1 day with a value/)
  })

  it('adds every pack below a folder, each once, and tells of those that are unfit', async () => {
    const packs = scratch()
    packAt(join(packs, 'capacity-1-1-0', 'pack'), on(27), 'vllm-0.32')
    packAt(join(packs, 'capacity-1-1-1', 'pack'), on(27, 'b'), 'vllm-0.33')
    packAt(join(packs, 'capacity-1-1-1', 'pack-again'), on(28, 'b'), 'vllm-0.33')
    mkdirSync(join(packs, 'capacity-1-1-2', 'pack', 'points'), { recursive: true })
    const history = scratch()
    const { desk, publisher } = night(packs, history)
    expect(await runAction(desk)).toBe(0)
    expect(
      pointsIn(history)
        .filter(({ cache }) => cache === 'cold')
        .map(({ series }) => series),
    ).toEqual(['vllm-0.32', 'vllm-0.33', 'vllm-0.33'])
    expect(publisher.annotations).toEqual([
      {
        level: 'warning',
        title: 'Passed over',
        message: expect.stringMatching(/capacity-1-1-2\/pack: .*capacity\.json/),
      },
    ])
    const again = night(packs, history)
    expect(await runAction(again.desk)).toBe(0)
    expect(again.publisher.summaryText).toContain('0 points added')
    expect(again.publisher.summaryText).toContain('6 points of these runs were there already')
  })

  it('opens an issue for a drift, and is no failure for it unless that is asked for', async () => {
    const pack = packAt(join(scratch(), 'pack'), on(27))
    const history = scratch()
    fallenHistory(history)
    const { desk, outputs, issueTracker, publisher } = night(pack, history)
    expect(await runAction(desk)).toBe(0)
    expect(issueTracker.issues).toMatchObject([
      { isOpen: true, title: expect.stringMatching(/^Capacity drift: dense-70b-8xh100, cold: −/) },
    ])
    expect(outputs['drift']).toBe('true')
    expect(JSON.parse(outputs['drifts'] ?? '')).toMatchObject([
      {
        series: 'dense-70b-8xh100',
        cache: 'cold',
        since: '2026-09-21',
        now_rps: 24,
        issue_url: 'https://github.example/issues/1',
      },
    ])
    expect(publisher.summaryText).toMatch(
      /## 📉 Capacity history: 1 drift, too few values in 1 series\n[\s\S]*\[#1\]\(https:\/\/github\.example\/issues\/1\) opened/,
    )
    expect(publisher.annotations).toEqual([
      {
        level: 'warning',
        title: 'Capacity drift',
        message: expect.stringMatching(/^dense-70b-8xh100, cold: drifting/),
      },
    ])
    expect(await runAction(night(pack, history, { inputs: { 'on-drift': 'fail' } }).desk)).toBe(2)
  })

  it('changes nothing about how it ends where the issue cannot be written, and says why', async () => {
    const history = scratch()
    fallenHistory(history)
    const { desk, outputs, issueTracker, publisher, log } = night(packAt(join(scratch(), 'pack'), on(27)), history)
    issueTracker.refusal = 'the token may not open the issue of a drift'
    expect(await runAction(desk)).toBe(0)
    expect(outputs['drift']).toBe('true')
    expect(JSON.parse(outputs['drifts'] ?? '')).toMatchObject([{ issue_url: null }])
    expect(publisher.summaryText).toContain(
      '_Not every issue could be written: the token may not open the issue of a drift._',
    )
    expect(log()).toContain('not every issue could be written: the token may not')
    expect(publisher.annotations.map(({ title }) => title)).toEqual(['Capacity drift', 'Drift issues'])
  })

  it('asks for no issue where none is wanted', async () => {
    const history = scratch()
    fallenHistory(history)
    const inputs = { 'drift-issues': 'never' }
    const { desk, outputs, issueTracker, publisher } = night(packAt(join(scratch(), 'pack'), on(27)), history, {
      inputs,
    })
    issueTracker.refusal = 'no'
    expect(await runAction(desk)).toBe(0)
    expect(outputs['drift']).toBe('true')
    expect(publisher.summaryText).not.toContain('could be written')
  })

  it('puts old days together in the same step', async () => {
    const history = scratch()
    fallenHistory(history)
    const text = readFileSync(join(history, 'history.jsonl'), 'utf8')
    writeFileSync(join(history, 'history.jsonl'), text + text.replaceAll(/"run":"[0-9a-f]{8}/g, '"run":"00000000'))
    expect(pointsIn(history)).toHaveLength(50)
    const { desk } = night(packAt(join(scratch(), 'pack'), on(27)), history, { inputs: { 'history-keep-days': '0' } })
    expect(await runAction(desk)).toBe(0)
    expect(pointsIn(history)).toHaveLength(27)
  })

  it('tells of lines that nobody can read as it leaves them out', async () => {
    const history = scratch()
    fallenHistory(history)
    const text = readFileSync(join(history, 'history.jsonl'), 'utf8')
    const twice = text.replaceAll(/"run":"[0-9a-f]{8}/g, '"run":"00000000')
    writeFileSync(join(history, 'history.jsonl'), `${text}{"schema":1,"at":"cut\n${twice}`)
    const { desk, publisher, log } = night(packAt(join(scratch(), 'pack'), on(27)), history, {
      inputs: { 'history-keep-days': '0' },
    })
    expect(await runAction(desk)).toBe(0)
    expect(readFileSync(join(history, 'history.jsonl'), 'utf8')).not.toContain('"at":"cut')
    for (const said of [publisher.summaryText, log()]) expect(said).toMatch(/line 26 \(malformed\)/)
  })

  it('passes over a run of a clock that is ahead, and adds the others', async () => {
    const [packs, history] = [scratch(), scratch()]
    packAt(join(packs, 'ahead'), baseline({ createdAt: '2027-11-27T02:00:00.000Z' }))
    packAt(join(packs, 'right'), on(27))
    const { desk, publisher } = night(packs, history)
    expect(await runAction(desk)).toBe(0)
    expect(pointsIn(history).map(({ at }) => at.slice(0, 4))).toEqual(['2026', '2026'])
    expect(publisher.annotations.map(({ message }) => message).join()).toMatch(
      /ahead: the run says that it began at 2027/,
    )
  })

  it.each([
    ['a pull request', { name: 'pull_request', pullRequest: 7 }],
    ['a merge queue', { name: 'merge_group', queuedPullRequest: 7 }],
    ['another job’s pull request', { name: 'workflow_run', isPullHead: true }],
    ['a fork', { name: 'workflow_run', isFork: true }],
  ])('adds nothing for %s', async (_, facts) => {
    const history = join(scratch(), 'none')
    const { desk, outputs, log } = night(packAt(join(scratch(), 'pack')), history, { facts })
    expect(await runAction(desk)).toBe(64)
    expect(log()).toMatch(/proposed change/)
    expect(outputs['drift']).toBe('')
    expect(existsSync(history)).toBe(false)
  })

  it.each([
    ['an unfinished pack alone', (folder: string) => mkdirSync(join(folder, 'points')), 4],
    ['a folder without a pack', (folder: string) => mkdirSync(join(folder, 'else')), 4],
  ])('fails for %s', async (_, make, code) => {
    const [pack, history] = [scratch(), join(scratch(), 'none')]
    make(pack)
    const { desk } = night(pack, history)
    expect(await runAction(desk)).toBe(code)
    expect(existsSync(history)).toBe(false)
  })

  it.each([
    [{ history: 'file:x.json' }, /no place for a history/],
    [{ history: 'capacity-history' }, /use branch:NAME/],
    [{ 'history-keep-days': '-1' }, /whole number of days/],
    [{ 'on-drift': 'no' }, /one of warn, fail/],
  ])('refuses %o', async (inputs, said) => {
    const { desk, log } = night(packAt(join(scratch(), 'pack')), scratch(), {
      inputs: inputs as Record<string, string>,
    })
    expect(await runAction(desk)).toBe(64)
    expect(log()).toMatch(said)
  })
})
