import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { gate } from '../../../src/core/gate/gate.ts'
import { historyLine, readHistory } from '../../../src/core/history/lines.ts'
import type { HistoryPoint } from '../../../src/core/history/point.ts'
import { sha256Hex } from '../../../src/core/kernel/hash.ts'
import { baseline, heldCandidate } from '../gate/record-fixture.ts'
import { nights, wavering } from '../history/point-fixture.ts'
import { cli, scratch } from './cli-in-process.ts'

/** The day after the records', whatever day it is. */
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 29, 8) }))
afterAll(() => void vi.useRealTimers())

const folder = scratch()
const at = (...names: string[]) => join(folder, ...names)
/** As a user names a history in a folder. */
const dir = (folder: string) => `dir:${folder}`
const json = (path: string, value: unknown) => writeFileSync(path, JSON.stringify(value))

function historyOf(name: string, points: readonly HistoryPoint[], rest = ''): string {
  mkdirSync(at(name), { recursive: true })
  writeFileSync(at(name, 'history.jsonl'), `${points.map(historyLine).join('')}${rest}`)
  return at(name)
}

/** A finished run's pack, as far as a history reads it. */
function pack(name: string): string {
  mkdirSync(at(name))
  const [candidate, base] = [heldCandidate(), baseline()]
  const context = { runUrl: 'https://github.com/acme/serving/actions/runs/7', toolVersion: '0.1.0' }
  json(at(name, 'capacity.json'), candidate)
  json(at(name, 'baseline.json'), base)
  json(at(name, 'verdict.json'), gate({ candidate, baseline: base, anchor: null, onMissingBaseline: 'fail' }))
  json(at(name, 'report-context.json'), { onMissingBaseline: 'fail', context })
  return at(name)
}

const fallen = nights([...wavering(20), ...wavering(6, 22_000)])

describe('history add', () => {
  it('adds a pack once, with its verdict and its run’s page', async () => {
    const run = pack('pack')
    const first = await cli('history', 'add', run, '--to', dir(at('added')))
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(first.stdout).toMatch(
      /^added to .*history\.jsonl: dense-70b-8xh100, cold: ≥ 23\.04 \(not counted\) RPS, held$/m,
    )
    const again = await cli('history', 'add', run, '--to', dir(at('added')))
    expect([again.code, again.stdout]).toEqual([0, `2 points of this run in ${at('added', 'history.jsonl')} already\n`])
    const { points } = readHistory(readFileSync(at('added', 'history.jsonl'), 'utf8'))
    expect(points.map(({ cache, outcome, runUrl }) => [cache, outcome, runUrl])).toEqual([
      ['cold', 'held', 'https://github.com/acme/serving/actions/runs/7'],
      ['warm', 'held', 'https://github.com/acme/serving/actions/runs/7'],
    ])
  })

  it('adds a record alone, under a name, as it stands without a baseline', async () => {
    json(at('capacity.json'), baseline())
    const args = ['history', 'add', at('capacity.json'), '--to', dir(at('alone')), '--series', 'pinned 0.32', '--json']
    const { stdout, code } = await cli(...args, '--run-url', 'https://github.com/a/b/actions/runs/9')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      known: 0,
      added: [
        { series: 'pinned 0.32', cache: 'cold', outcome: 'recorded', capacityMilliRps: 24_000 },
        { cache: 'warm', runUrl: 'https://github.com/a/b/actions/runs/9' },
      ],
    })
  })

  it('refuses a pack whose verdict is on another record, and what is no record, and writes nothing', async () => {
    const run = pack('edited')
    json(join(run, 'capacity.json'), heldCandidate({ createdAt: '2026-11-21T08:00:00.000Z' }))
    const edited = await cli('history', 'add', run, '--to', dir(at('refused')))
    expect([edited.code, edited.stdout]).toEqual([4, ''])
    expect(edited.stderr).toMatch(/^error: verdict\.json is on another record.*\nhint: /)
    writeFileSync(at('none.json'), '{}')
    expect((await cli('history', 'add', at('none.json'), '--to', dir(at('refused')))).code).toBe(4)
    expect((await cli('history', 'add', at('absent'), '--to', dir(at('refused')))).code).toBe(4)
    expect((await cli('history', 'add', at('none.json'))).code).toBe(64)
    expect(existsSync(at('refused'))).toBe(false)
  })
})

describe('history compact', () => {
  it('says what it did, and changes nothing that drift says', async () => {
    const longAgo = fallen.map((point) => ({ ...point, at: point.at.replace(/^\d+/, '2020') }))
    const several = longAgo.flatMap((point) => [
      point,
      { ...point, run: sha256Hex(point.run), at: point.at.replace('T02', 'T03') },
    ])
    const history = historyOf('compact', several, '{"torn')
    const before = await cli('history', 'drift', dir(history), '--json')
    const { stdout, code } = await cli('history', 'compact', dir(history), '--older-than', '0')
    expect(code).toBe(0)
    expect(stdout).toMatch(/: 52 points → 26, every run kept from \d{4}-\d\d-\d\d on; line 53 \(torn\) dropped\n$/)
    const after = await cli('history', 'drift', dir(history), '--json')
    const drifts = (text: string) =>
      JSON.parse(text).issues.map(({ drift, facts }: { drift: object; facts: string }) => [drift, facts])
    expect(drifts(after.stdout)).toEqual(drifts(before.stdout))
    expect(after.stderr).toBe('')
  })
})

describe('history page', () => {
  it('writes one file, and tells of the lines that it passed over', async () => {
    const { code, stdout, stderr } = await cli(
      'history',
      'page',
      dir(historyOf('page', fallen, '{"torn')),
      '--out',
      at('trend.html'),
    )
    expect([code, stdout]).toEqual([0, `${at('trend.html')}: 26 points in 1 series\n`])
    expect(stderr).toBe('note: line 27 (torn) passed over\n')
    expect(readFileSync(at('trend.html'), 'utf8')).toMatch(/^<!doctype html>[\s\S]*▼ Drifting[\s\S]*<\/html>\n$/)
  })

  it('does not replace the history itself', async () => {
    const history = historyOf('itself', fallen)
    const { code, stderr } = await cli('history', 'page', dir(history), '--out', join(history, 'history.jsonl'))
    expect([code, stderr]).toEqual([64, expect.stringMatching(/--out would replace the history/)])
  })
})

describe('history drift', () => {
  it('ends with 2 while a fall stands, or with 0 where that only warns', async () => {
    const history = historyOf('drift', fallen)
    const { code, stdout } = await cli('history', 'drift', dir(history))
    expect([code, stdout]).toEqual([
      2,
      expect.stringMatching(/^dense-70b, cold \([0-9a-f]{16}\): drifting, .* → open an issue\n$/),
    ])
    expect((await cli('history', 'drift', dir(history), '--on-drift', 'warn')).code).toBe(0)
    expect((await cli('history', 'drift', dir(historyOf('steady', nights(wavering(20)))))).code).toBe(0)
  })

  it('prints the plan as JSON, by either option, and keeps what is open', async () => {
    const history = historyOf('drift', fallen)
    const plan = JSON.parse((await cli('history', 'drift', dir(history), '--format', 'json')).stdout)
    expect(plan).toEqual(JSON.parse((await cli('--json', 'history', 'drift', dir(history))).stdout))
    const [{ key, facts, body }] = plan.issues
    expect(plan.issues).toMatchObject([{ action: 'open', title: expect.stringContaining('dense-70b, cold') }])
    expect(body.split('\n')[0]).toBe(`<!-- capacity-gate-drift:${key}:${facts} -->`)
    json(at('open.json'), [{ key, facts }])
    const again = JSON.parse((await cli('history', 'drift', dir(history), '--open', at('open.json'), '--json')).stdout)
    expect(again.issues).toMatchObject([{ action: 'keep', body: null }])
  })

  it('refuses a place where no history is, and a list that is none', async () => {
    for (const part of [['drift'], ['compact', '--older-than', '9'], ['page', '--out', at('none.html')]]) {
      const [name = '', ...rest] = part
      expect(await cli('history', name, dir(at('nowhere')), ...rest)).toEqual({
        code: 64,
        stdout: '',
        stderr: `error: there is no history at ${at('nowhere')}/history.jsonl\nhint: check the place; \`history add\` begins one\n`,
      })
    }
    expect(existsSync(at('nowhere'))).toBe(false)
    json(at('bad.json'), { key: 1 })
    const steady = dir(historyOf('begun', nights(wavering(20))))
    expect((await cli('history', 'drift', steady, '--open', at('bad.json'))).code).toBe(4)
  })
})

describe('history', () => {
  it('shows an example of each part, and asks for one', async () => {
    for (const part of ['add', 'compact', 'page', 'drift'])
      expect((await cli('history', part, '--help')).stdout).toContain(`Example:\n  capacity-gate history ${part} `)
    expect(await cli('history')).toMatchObject({ code: 64, stdout: '' })
    expect(await cli('history', 'forget')).toMatchObject({ code: 64, stdout: '' })
  })
})
