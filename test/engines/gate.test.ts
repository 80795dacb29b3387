import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { discrepanciesOf, gateFolder, readRecord } from '../e2e/run/gate-run.ts'
import { PREFIX_TOKENS, vllmManifest } from './vllm-manifest.ts'
import { coreOf, evidenceOf, inEachPoint, lastPoint, left, printed } from './vllm-run.ts'

const gate = gateFolder()
const { folder } = gate
const FIRST = ['--plan', 'sweep', '--on-missing-baseline', 'record']
const COLD = ['--cache', 'cold']

describe('vLLM', () => {
  it('is measured cold and warm: its identity, exact lengths and cache state are proven by what it says itself', async () => {
    const { path, port } = await vllmManifest(folder, { sweep: { rates_rps: [3] } })
    const run = await gate.run('states', path, ...FIRST)
    printed('cold and warm', path, run)
    expect([run.code, run.verdict().outcome]).toEqual([0, 'recorded'])
    const points = run.points().filter(({ outcome }) => outcome !== 'invalid')
    expect(points.map(({ outcome }) => outcome)).toEqual(['pass', 'pass'])
    const probes = ['identity.version', 'identity.model', 'identity.argv', 'identity.weights', 'tokens.input']
    for (const probe of [...probes, 'tokens.output', 'cache_hit.reset', 'stability.restarts', 'stability.quiesce']) {
      expect([probe, ...points.map((point) => evidenceOf(point, probe)?.state)]).toEqual([probe, 'pass', 'pass'])
    }
    const [cold, warm] = ['cold', 'warm'].map((cache) => points.find(({ key }) => key.cache === cache))
    expect(evidenceOf(cold, 'cache_hit.cold')).toMatchObject({ state: 'pass', value: 0 })
    expect(evidenceOf(cold, 'cache_hit.counters')).toMatchObject({ value: 0 })
    // Two whole blocks of 128 tokens of prompts with 272 and 320.
    const share = PREFIX_TOKENS / ((272 + 320) / 2)
    expect(evidenceOf(warm, 'cache_hit.prewarm')?.state).toBe('pass')
    expect(evidenceOf(warm, 'cache_hit.warm')).toMatchObject({ state: 'pass', value: share })
    expect(evidenceOf(warm, 'cache_hit.blocks')).toMatchObject({ state: 'pass', limit: share })
    expect(evidenceOf(warm, 'cache_hit.blocks')?.text).toContain('whole blocks of 128 tokens')
    expect(evidenceOf(warm, 'cache_hit.counters')?.value).toBeCloseTo(share, 1)
    const { boots, kind } = readRecord(run.pack)
    expect([kind, boots.every(({ kvTokens }) => (kvTokens ?? 0) > 10_000)]).toEqual(['measured', true])
    expect(await discrepanciesOf(run.pack)).toEqual([])
    expect(await left(port, [])).toEqual([])
  })

  it('is regressed where it runs one sequence at a time instead of sixteen', async () => {
    const manifest = await vllmManifest(folder, { load: 'answers' })
    const accepted = `dir:${join(folder, 'accepted')}`
    const first = await gate.run('sixteen', manifest.path, ...FIRST, ...COLD)
    printed('sixteen sequences', manifest.path, first)
    expect([first.code, first.verdict().outcome]).toEqual([0, 'recorded'])
    const promoted = await gate.command(
      'promote',
      '--candidate',
      join(first.pack, 'capacity.json'),
      '--to',
      accepted,
      '--yes',
    )
    expect(promoted.stderr).toBe('')
    const one = manifest.subject('one', ['--max-num-seqs', '1'])
    const run = await gate.run('one', manifest.path, ...COLD, '--baseline', accepted, '--subject', one)
    printed('one sequence', manifest.path, run)
    expect([run.code, run.verdict().outcome]).toEqual([2, 'regressed'])
    expect(await discrepanciesOf(run.pack)).toEqual([])
    expect(await left(manifest.port, [])).toEqual([])
  })

  it('fails its point where its core is killed in the middle of it, and leaves nothing', async () => {
    const { path, port } = await vllmManifest(folder, { load: 'answers', sweep: { rates_rps: [5] } })
    const running = gate.run('core-killed', path, ...FIRST, ...COLD)
    const pids = await inEachPoint(running, join(folder, 'core-killed'), port, () =>
      process.kill(coreOf(port), 'SIGKILL'),
    )
    const run = await running
    printed('core killed', path, run)
    const point = lastPoint(run)
    expect(point.outcome).toBe('fail')
    expect(point.reasons.map(({ code }) => code)).toContain('exit')
    expect(await left(port, pids)).toEqual([])
  })
})
