import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gate } from '../../../src/core/gate/gate.ts'
import { baseline, heldCandidate, record, sweep } from '../gate/record-fixture.ts'
import { cli, scratch } from './cli-in-process.ts'

const measured = ['--capacity-rps', '24', '--replicas', '4', '--gpus-per-replica', '2']
const asked = ['--peak-rps', '36', '--utilization', '0.75']
const byHand = ['plan', ...measured, ...asked]

/** A folder that holds what a plan reads of a pack. */
function packOf(candidate = heldCandidate(), verdictOf = candidate): string {
  const folder = scratch()
  const verdict = gate({ candidate: verdictOf, baseline: baseline(), anchor: null, onMissingBaseline: 'fail' })
  writeFileSync(join(folder, 'capacity.json'), JSON.stringify(candidate))
  writeFileSync(join(folder, 'verdict.json'), JSON.stringify(verdict))
  return folder
}

async function acceptedIn(candidate = baseline()): Promise<string> {
  const folder = scratch()
  writeFileSync(join(folder, 'sweep.json'), JSON.stringify(candidate))
  const to = `dir:${join(folder, 'accepted')}`
  expect(await cli('promote', '--candidate', join(folder, 'sweep.json'), '--to', to, '--yes')).toMatchObject({
    code: 0,
  })
  return to
}

describe('a plan by hand', () => {
  it('is the worked example, and is called an estimate', async () => {
    const { code, stdout, stderr } = await cli(...byHand, '--price-per-gpu-hour', '2.5')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^ESTIMATE: 8 replicas and 16 GPUs for 36 RPS at 75 % of the capacity\n/)
    expect(stdout).toContain('| – | 24.0 | 6.0 | 8 | 16 | 75 | 85.7 | 40.00 | 29200.00 |')
    expect(stdout).toContain('Today’s 4 replicas carry 18.0 RPS at 75 %: 18.0 short of the peak of 36.0')
    expect(stdout).toContain('| 36.0 | 10 (20) | 9 (18) | 8 (16) | 8 (16) | 7 (14) |')
    expect(stdout).toMatch(/does not prove:\n\n- Linear scaling: measured with 4 replicas, and reckoned for 8 replicas/)
    expect(stdout).toContain('given by hand')
  })

  it('gives the same as one JSON value', async () => {
    expect(JSON.parse((await cli(...byHand, '--json')).stdout)).toMatchObject({
      label: 'estimate',
      perReplicaRps: 6,
      requiredReplicas: 8,
      requiredGpus: 16,
      currentCarryRps: 18,
      source: null,
      states: [{ cache: null, table: { rows: expect.any(Array) } }],
    })
  })

  it('takes the peaks and utilizations of the table, in order and each once', async () => {
    const { stdout } = await cli(...byHand, '--peaks', '40,20,20', '--utilizations', '1,0.5', '--json')
    expect(JSON.parse(stdout).states[0].table).toEqual({
      utilizationMillionths: [500_000, 1_000_000],
      rows: [
        { peakMilliRps: 20_000, replicas: [7, 4] },
        { peakMilliRps: 40_000, replicas: [14, 7] },
      ],
    })
  })

  it.each<[string, string[], RegExp]>([
    ['a percentage', ['--utilization', '75'], /75 % is 0\.75/],
    ['none', ['--utilization', '0'], /is no share above 0/],
    ['more decimals than are counted', ['--utilization', '0.1234567'], /at most six decimals/],
    ['no number', ['--peak-rps', 'NaN'], /is no number above 0/],
    ['a negative rate', ['--peak-rps=-1'], /is no number above 0/],
    ['a rate that is no rate', ['--peak-rps', '1.2345'], /at most three decimals/],
    ['a rate beyond any', ['--peak-rps', '1e300'], /the peak.* cannot be/],
    ['a part of a replica', ['--replicas-now', '1.5'], /is no whole number/],
    ['a price that is none', ['--price-per-gpu-hour', '1e200'], /price of a GPU-hour/],
    ['a hole in a list', ['--peaks', '1,,2'], /is no number above 0/],
    ['a list without end', ['--peaks', '1,'.repeat(20)], /more than 12 entries/],
  ])('refuses %s', async (_, over, what) => {
    const ended = await cli(...byHand, ...over)
    expect(ended).toMatchObject({ code: 64, stdout: '', stderr: expect.stringMatching(what) })
  })

  it('wants all of what was measured', async () => {
    expect(await cli('plan', '--capacity-rps', '24', ...asked)).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/no capacity is given\nhint: .*--from/),
    })
  })
})

describe('a plan from what was measured', () => {
  it('reads a pack, says where its figures are from and plans a cache state each', async () => {
    const { code, stdout, stderr } = await cli('plan', '--from', packOf(), ...asked)
    expect([code, stderr]).toEqual([0, ''])
    // 23.04 RPS of four replicas: 36 / (5.76 × 0.75) = 8.3.
    expect(stdout).toMatch(/^ESTIMATE: 9 replicas and 18 GPUs for 36 RPS at 75 % of the capacity \(cold cache\)\n/)
    expect(stdout).toContain('Measured: dense-70b-8xh100, vllm 0.32.0, 2026-11-20, held\n')
    expect(stdout).toContain('On: 4 replicas of tp 2 × pp 1 (dp 4), 2 GPUs each.')
    expect(stdout).toContain('warning: cold: a confirmation finds no capacity; run a sweep [not_a_sweep]')
    expect(stdout).toMatch(/\n\| cold \| 23\.04 \| .*\n\| warm \| /)
    expect(stdout).not.toContain('given by hand')
  })

  it('reads a capacity.json with the verdict beside it, or says that none is', async () => {
    const pack = packOf()
    expect((await cli('plan', '--from', join(pack, 'capacity.json'), ...asked)).stdout).toContain(', held\n')
    const alone = join(scratch(), 'alone.json')
    writeFileSync(alone, JSON.stringify(baseline()))
    expect((await cli('plan', '--from', alone, ...asked)).stdout).toContain('[no_verdict]')
  })

  it('reads the accepted baseline of a gate, and asks which', async () => {
    const from = await acceptedIn()
    const { code, stdout } = await cli(
      'plan',
      '--from',
      from,
      '--gate',
      'dense-70b-8xh100',
      '--cache',
      'cold',
      ...asked,
    )
    expect([code, stdout.split('\n')[0]]).toEqual([0, expect.stringContaining('ESTIMATE: 8 replicas and 16 GPUs')])
    expect(stdout).toContain('the accepted baseline')
    expect(stdout).not.toContain('warning:')
    expect(await cli('plan', '--from', from, ...asked)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('--gate'),
    })
    expect(await cli('plan', '--from', from, '--gate', 'another', ...asked)).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/holds no accepted baseline of the gate "another"/),
    })
  })

  it('tells a state without a figure', async () => {
    const half = record([sweep('cold', [24_000], [24_960]), sweep('warm', [], [16_000])])
    const { code, stdout } = await cli('plan', '--from', packOf(half), ...asked)
    expect([code, stdout]).toEqual([0, expect.stringContaining('No figure for warm: no rate passed.')])
  })

  it.each<[string, string[], number, RegExp]>([
    ['a place that is not there', ['--from', 'nowhere'], 4, /cannot read the run nowhere: no such file or folder/],
    ['an empty name', ['--from', ''], 64, /--from is empty/],
    [
      'numbers by hand beside it',
      ['--from', 'nowhere', '--replicas', '8'],
      64,
      /brings the capacity with its replicas/,
    ],
    ['a folder that is no pack', ['--from', 'src'], 4, /capacity\.json: no such file/],
    ['a place of an unknown kind', ['--from', 'dir:', '--gate', 'x'], 64, /names no place for baselines/],
  ])('refuses %s', async (_, options, code, what) => {
    const ended = await cli('plan', ...options, ...asked)
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(what) })
  })

  it('refuses another record’s verdict, and a hostile name comes out as one line', async () => {
    expect(await cli('plan', '--from', packOf(heldCandidate(), baseline()), ...asked)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('is of another record'),
    })
    const hostile = packOf({ ...heldCandidate(), gateId: 'a\n\u001B[2J::error::b' })
    const { code, stdout } = await cli('plan', '--from', hostile, ...asked)
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('\u001B')])
    expect(stdout).toMatch(/^Measured: a \[2J::error::b, vllm/m)
  })

  it('says where the file is a folder', async () => {
    const folder = scratch()
    mkdirSync(join(folder, 'capacity.json'))
    expect(await cli('plan', '--from', folder, ...asked)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('it is a folder, not a file'),
    })
  })
})
