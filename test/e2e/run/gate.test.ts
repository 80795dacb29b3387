import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { discrepanciesOf, gateFolder, readRecord } from './gate-run.ts'
import type { GateRun } from './gate-run.ts'
import { quickManifest } from './quick-manifest.ts'
import type { QuickManifest } from './quick-manifest.ts'

const gate = gateFolder()
const { folder } = gate
const accepted = `dir:${join(folder, 'accepted')}`

let manifest: QuickManifest
let first: GateRun
beforeAll(async () => {
  manifest = await quickManifest(folder)
  first = await gate.run('first', manifest.path, '--plan', 'sweep', '--on-missing-baseline', 'record')
})

describe('a first run', () => {
  it('that is to be recorded passes ungated, and says so', async () => {
    expect([first.code, first.verdict().outcome]).toEqual([0, 'recorded'])
    for (const cache of ['cold', 'warm'] as const) {
      expect(first.state(cache)).toMatchObject({ candidateMilliRps: 20_000, candidateFailMilliRps: 28_000 })
    }
    expect(readFileSync(join(first.pack, 'report.md'), 'utf8')).toMatch(/^## .*NOT GATED/)
    expect(readRecord(first.pack)).toMatchObject({ kind: 'simulated', gateId: 'quick' })
  })

  it('can be accepted, under a key of its own for simulated records', async () => {
    const promoted = await gate.command(
      'promote',
      '--candidate',
      join(first.pack, 'capacity.json'),
      '--to',
      accepted,
      '--yes',
    )
    expect([promoted.code, promoted.stderr]).toEqual([0, ''])
    expect(promoted.stdout).toContain('simulated: compared with simulated records only')
  })

  it('that asks for a baseline and has none is inconclusive', async () => {
    const none = `dir:${join(folder, 'nothing-accepted')}`
    const run = await gate.run('no-baseline', manifest.path, '--baseline', none)
    expect([run.code, run.verdict().outcome]).toEqual([3, 'inconclusive'])
    expect(run.state('warm').reasons.map(({ code }) => code)).toContain('baseline_missing')
  })
})

describe('a revision', () => {
  const confirm = (name: string, flags: string[], ...options: string[]) =>
    gate.run(name, manifest.path, '--baseline', accepted, '--subject', manifest.subject(name, flags), ...options)

  it('whose prefix cache stopped hitting is regressed when warm, and held when cold', async () => {
    const run = await confirm('lost-hits', ['--fault', 'cache_off_after_requests=8'])
    expect([run.code, run.verdict().outcome]).toEqual([2, 'regressed'])
    expect(run.state('cold').outcome).toBe('held')
    expect(run.state('warm').outcome).toBe('regressed')
    expect(run.state('warm').reasons.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/cache_hit\.warm: .*although every prefix was sent before/),
    )
  })

  it('that says it is another version is invalid, and no load is sent to it', async () => {
    const run = await confirm('lies', ['--fault', 'version=9.9'], '--cache', 'cold')
    expect([run.code, run.verdict().outcome]).toEqual([4, 'invalid'])
    expect(run.state('cold').reasons.map(({ text }) => text)).toContainEqual(expect.stringContaining('"9.9"'))
    expect(run.points().map(({ slo }) => slo.attempted)).toEqual([0, 0])
  })

  it('that crashes mid-point is regressed: the exit is named, and what was measured is kept', async () => {
    const run = await confirm('crash', ['--fault', 'crash_after_requests=40'], '--cache', 'cold')
    expect([run.code, run.verdict().outcome]).toEqual([2, 'regressed'])
    const points = run.points()
    expect(points.map(({ outcome }) => outcome)).toEqual(['fail', 'fail'])
    for (const { reasons, slo } of points) {
      expect(reasons.map(({ code }) => code)).toContain('exit')
      expect(slo.successful).toBeGreaterThan(10)
    }
  })
})

describe('what cannot be compared', () => {
  it('an experiment that was loosened is inconclusive, and the field is named', async () => {
    const loosened = await quickManifest(folder, { ttftCutoffMs: 900 })
    const run = await gate.run('loosened', loosened.path, '--baseline', accepted)
    expect([run.code, run.verdict().outcome]).toEqual([3, 'inconclusive'])
    expect(
      run
        .verdict()
        .reasons.map(({ text }) => text)
        .join(),
    ).toContain('request_ttft_cutoff_ms')
    expect(run.points()).toEqual([])
  })

  it.each<[name: string, content: (record: string) => string, said: RegExp]>([
    ['corrupt', (record) => record.slice(0, record.length / 2), /accepted-corrupt\.json/],
    ['empty', () => '', /accepted-empty\.json/],
    ['of a newer schema', (record) => record.replace('"schema": 1', '"schema": 99'), /schema 99|newer/],
  ])('a baseline that is %s is refused before anything is deployed', async (name, content, said) => {
    const file = join(folder, `accepted-${name.split(' ').at(-1)}.json`)
    writeFileSync(file, content(readFileSync(join(first.pack, 'capacity.json'), 'utf8')))
    const run = await gate.run(`baseline-${name}`, manifest.path, '--baseline', `file:${file}`)
    expect([run.code, run.stdout]).toEqual([4, ''])
    expect(run.stderr).toMatch(/^error: .+\nhint: .+\n$/)
    expect(run.stderr).toMatch(said)
  })
})

describe('a client that cannot measure what is asked', () => {
  it('is found out before anything is deployed: invalid, never failed', async () => {
    const strict = await quickManifest(folder, { client: { send_lag_p99_max_ms: 0.001 } })
    const run = await gate.run('late', strict.path, '--plan', 'sweep', '--cache', 'cold')
    expect([run.code, run.verdict().outcome]).toEqual([4, 'invalid'])
    expect(run.points()).toEqual([])
    expect(readRecord(run.pack).boots).toEqual([])
    expect(run.verdict().reasons.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('client.calibration.send_lag'),
    )
  })
})

describe('whatever the verdict was', () => {
  it('the pack follows from its own raw files', async () => {
    const packs = gate.packs()
    expect(packs.length).toBeGreaterThan(5)
    const found = await Promise.all(packs.map(async (pack) => [pack, await discrepanciesOf(pack)]))
    expect(found).toEqual(packs.map((pack) => [pack, []]))
  })
})
