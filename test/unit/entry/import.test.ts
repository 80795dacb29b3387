import { existsSync, linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli, root, scratch } from './cli-in-process.ts'

const folder = scratch()
const at = (name: string) => join(folder, name)
const fixture = (name: string) => join(root, 'fixtures/imports', name)
const manifest = fixture('workload-manifest.yaml')
const read = (path: string) => readFileSync(path, 'utf8')

const take = (tool: string, file: string, out: string, ...options: string[]) =>
  cli('import', '--from', tool, file, '--manifest', manifest, '--out', at(out), ...options)

describe('import', () => {
  it('writes requests.csv, and says what was left out and what cannot be proven', async () => {
    const { code, stdout, stderr } = await take('aiperf', fixture('aiperf.jsonl'), 'aiperf.csv')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      `${at('aiperf.csv')}: 6 requests of aiperf, 2 ok and 4 not, over 30.8 s`,
      '  warm-up records left out: 1',
      '  successes to the tool that count as errors here: wrong_length 1',
    ])
    expect(stdout).toContain('  imported_cohort: aiperf sent these requests')
    expect(read(at('aiperf.csv'))).toBe(read(join(root, 'test/golden/imports/aiperf.jsonl.csv')))
  })

  it('prints one JSON value', async () => {
    const { code, stdout } = await take('sglang', fixture('sglang.jsonl'), 'sglang.csv', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      file: at('sglang.csv'),
      capacity: null,
      origin: 'sglang-bench',
      requests: 5,
      ok: 2,
      failed: 3,
      durationSeconds: 1.5,
      arrivalSeconds: null,
      notes: [],
      reasons: [expect.objectContaining({ code: 'imported_cohort' })],
    })
  })

  it('is analysed: exit 0, the origin and the reason in the report', async () => {
    await take('vllm', fixture('vllm.json'), 'vllm.csv')
    const judge = ['analyze', '--manifest', manifest, '--requests', at('vllm.csv'), '--duration-seconds', '2.75']
    const { code, stdout } = await cli(...judge, '--queue-trend', 'flat')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ origin: 'vllm-bench', reasons: [{ code: 'imported_cohort' }] })
  })

  it('leaves a record that gate shows and promote refuses', async () => {
    const point = ['--cache', 'cold', '--rate', '4', '--capacity']
    const first = await take('vllm', fixture('vllm.json'), 'a.csv', ...point, at('a.json'))
    expect(first.stdout).toContain(`${at('a.json')}: its point; a verdict on it is inconclusive at best`)
    await take('guidellm', fixture('guidellm.json'), 'b.csv', '--run', '1', ...point, at('b.json'))
    const judged = await cli('gate', '--candidate', at('b.json'), '--baseline', at('a.json'))
    expect(judged.code).toBe(3)
    expect(judged.stdout).toContain('imported_cohort: candidate: guidellm/0.8.1 sent')
    expect(judged.stdout).toContain('chat, P95 TTFT ms: 60.0 → 60.0 (0.0 %)')
    expect(
      (await cli('gate', '--candidate', at('b.json'), '--baseline', at('a.json'), '--on-inconclusive', 'warn')).code,
    ).toBe(3)
    const promoted = await cli('promote', '--candidate', at('a.json'), '--to', `dir:${at('baselines')}`, '--yes')
    expect([promoted.code, promoted.stderr]).toEqual([4, expect.stringContaining('another tool sent its requests')])
  })

  it('a closed loop is compared by its concurrency', async () => {
    const point = ['--cache', 'warm', '--concurrency', '8', '--capacity', at('c.json')]
    await take('sglang', fixture('sglang.jsonl'), 'c.csv', ...point)
    const { stdout } = await cli('gate', '--candidate', at('c.json'), '--baseline', at('c.json'))
    expect(stdout).toContain('summary, P95 TTFT ms: 250 → 250 (0.0 %)')
  })

  it('takes the duration from the caller where the file does not tell it', async () => {
    const run = JSON.parse(read(fixture('vllm.json')))
    delete run.duration
    writeFileSync(at('short.json'), JSON.stringify(run))
    const options = ['--cache', 'cold', '--rate', '4', '--capacity', at('d.json')]
    // Without `duration` the file is still recognised by what the importer reads of it.
    const missing = await take('vllm', at('short.json'), 'd.csv', ...options)
    expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining('--duration-seconds S')])
    expect([existsSync(at('d.json')), existsSync(at('d.csv'))]).toEqual([false, false])
    expect((await take('vllm', at('short.json'), 'd.csv', ...options, '--duration-seconds', '3')).code).toBe(0)
    expect(JSON.parse(read(at('d.json'))).capacity[0].points[0].cohortSeconds).toBe(3)
  })
})

describe('an output in another file’s place', () => {
  const given = read(fixture('vllm.json'))
  const point = ['--cache', 'cold', '--rate', '4', '--capacity']

  it('is refused, and what was measured is kept', async () => {
    writeFileSync(at('kept.json'), given)
    writeFileSync(at('kept.yaml'), read(manifest))
    symlinkSync(at('kept.json'), at('link.csv'))
    linkSync(at('kept.json'), at('hard.csv'))
    for (const [out, ...options] of [
      ['kept.json'],
      ['link.csv'],
      ['hard.csv'],
      ['kept.yaml'],
      ['fine.csv', ...point, at('kept.json')],
      ['fine.csv', ...point, at('./x/../fine.csv')],
    ] as const) {
      const argv = ['import', '--from', 'vllm', at('kept.json'), '--manifest', at('kept.yaml'), '--out', at(out)]
      const { code, stderr } = await cli(...argv, ...options)
      expect([code, stderr]).toEqual([64, expect.stringMatching(/^error: --\w+ would replace .*\nhint: name another/)])
    }
    expect([read(at('kept.json')), read(at('kept.yaml'))]).toEqual([given, read(manifest)])
    expect(existsSync(at('fine.csv'))).toBe(false)
  })

  it('that is a folder leaves no record without its rows', async () => {
    const { code, stderr } = await take('vllm', fixture('vllm.json'), '.', ...point, at('alone.json'))
    expect([code, stderr]).toEqual([1, expect.stringContaining('it is a folder')])
    expect(existsSync(at('alone.json'))).toBe(false)
  })

  it('may be written anew', async () => {
    writeFileSync(at('old.csv'), 'old')
    expect((await take('vllm', fixture('vllm.json'), 'old.csv')).code).toBe(0)
    expect(read(at('old.csv'))).toMatch(/^request_id,/)
  })
})

it('a duration shorter than the moments of the file is refused', async () => {
  const options = ['--cache', 'cold', '--rate', '4', '--capacity', at('s.json'), '--duration-seconds', '2.7']
  const { code, stderr } = await take('vllm', fixture('vllm.json'), 's.csv', ...options)
  expect([code, stderr]).toEqual([4, expect.stringContaining('took 2.75 s by its file, and 2.7 s were given')])
  expect([existsSync(at('s.json')), existsSync(at('s.csv'))]).toEqual([false, false])
})

describe('import is refused, and writes nothing', () => {
  it.each([
    ['another tool', ['--from', 'k6'], 64, /Allowed choices are aiperf, vllm/],
    ['no such file', ['--from', 'vllm', 'nowhere.json'], 4, /nowhere\.json/],
    ['another tool’s file', ['--from', 'aiperf', fixture('vllm.json')], 4, /looks like vLLM/],
    ['several runs', ['--from', 'vllm', fixture('vllm-appended.jsonl')], 4, /holds 2 runs/],
    [
      'a class twice',
      ['--from', 'vllm', fixture('vllm.json'), '--class', 'chat', '--class-by', 'lengths'],
      64,
      /two answers/,
    ],
    ['a tolerance that is none', ['--from', 'vllm', fixture('vllm.json'), '--length-tolerance', '2'], 64, /no share/],
    ['a rate without a record', ['--from', 'vllm', fixture('vllm.json'), '--rate', '4'], 64, /no --capacity/],
    ['no cache state', ['--from', 'vllm', fixture('vllm.json'), '--capacity', 'x', '--rate', '4'], 64, /needs --cache/],
    [
      'no load',
      ['--from', 'vllm', fixture('vllm.json'), '--capacity', 'x', '--cache', 'cold'],
      64,
      /--rate and --concurrency/,
    ],
    [
      'two loads',
      [
        '--from',
        'vllm',
        fixture('vllm.json'),
        '--capacity',
        'x',
        '--cache',
        'cold',
        '--rate',
        '1',
        '--concurrency',
        '1',
      ],
      64,
      /--rate and --concurrency/,
    ],
  ] as const)('%s', async (_, argv, exitCode, what) => {
    const { code, stdout, stderr } = await cli('import', ...argv, '--manifest', manifest, '--out', at('refused.csv'))
    expect([code, stdout]).toEqual([exitCode, ''])
    expect(stderr).toMatch(what)
    expect(stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/)
    expect(existsSync(at('refused.csv'))).toBe(false)
  })
})
