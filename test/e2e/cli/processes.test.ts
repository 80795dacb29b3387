import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { boots, baseline, GUARD, record, result } from '../../unit/gate/record-fixture.ts'
import { cli, root, scratch, shell, workedExample } from './cli-process.ts'

const folder = scratch()
const at = (name: string) => join(folder, name)
const broken = join(root, 'fixtures/packs/broken-benchmark/workload-manifest.yaml')
const csv = 'request_id,class,ttft_ms,tpot_ms,e2e_ms,output_tokens,status\nr-1,interactive,100,10,1370,128,ok\n'
const analyze = ['analyze', '--manifest', workedExample, '--duration-seconds', '1', '--queue-trend', 'flat']
const plan = ['plan', '--capacity-rps', '24', '--replicas', '4', '--gpus-per-replica', '2', '--peak-rps', '36']

beforeAll(() => {
  const dropped = record([result('confirm', boots('cold', GUARD.cold, 'fail', 'fail'))])
  writeFileSync(at('accepted.json'), JSON.stringify(baseline()))
  writeFileSync(at('dropped.json'), JSON.stringify(dropped))
  writeFileSync(at('requests.csv'), csv)
  writeFileSync(at('bad.csv'), csv.replace('ok', 'fine'))
})

describe('a process of its own', () => {
  // A result on standard output alone, or an error on standard error alone.
  it.each<[name: string, code: number, args: () => string[]]>([
    ['lint, valid', 0, () => ['lint', workedExample]],
    ['lint, findings', 4, () => ['lint', broken]],
    ['schedule', 0, () => ['schedule', workedExample, '--cache', 'cold', '--requests', '100', '--out', at('s.jsonl')]],
    ['analyze', 0, () => [...analyze, '--requests', at('requests.csv')]],
    ['gate, regressed', 2, () => ['gate', '--candidate', at('dropped.json'), '--baseline', at('accepted.json')]],
    ['promote', 0, () => ['promote', '--candidate', at('accepted.json'), '--to', `dir:${at('store')}`, '--yes']],
    ['plan', 0, () => [...plan, '--utilization', '0.75']],
    ['verify, not a pack', 4, () => ['verify', folder]],
  ])('%s ends with %i and its result on standard output', async (_, code, args) => {
    const ended = await cli(...args())
    expect([ended.code, ended.stderr]).toEqual([code, ''])
    expect(ended.stdout).toMatch(/\S\n$/)
  })

  it.each<[name: string, code: number, args: () => string[]]>([
    ['analyze, bad data', 4, () => [...analyze, '--requests', at('bad.csv')]],
    ['report, not a pack', 4, () => ['report', folder]],
    ['run, not deployable', 4, () => ['run', workedExample, '--pack', at('pack')]],
    ['replay, misused', 64, () => ['replay', workedExample, '--cache', 'cold', '--pack', at('pack')]],
    ['no such command', 64, () => ['serve']],
    [
      'schedule, no such folder allowed',
      1,
      () => ['schedule', workedExample, '--cache', 'cold', '--out', '/dev/null/x'],
    ],
  ])('%s ends with %i and two lines on standard error', async (_, code, args) => {
    const ended = await cli(...args())
    expect([ended.code, ended.stdout]).toEqual([code, ''])
    expect(ended.stderr).toMatch(/^error: .+\nhint: .+\n$/)
  })
})

describe('standard output', () => {
  const entry = join(root, 'src/entry/cli.ts')
  const inBash = (line: string) => shell('bash', ['-c', line])

  it('holds the JSON value and nothing else, through npm too', async () => {
    const { code, stdout } = await shell('npm', ['run', '--silent', 'gate', '--', 'lint', workedExample, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ errors: 0 })
  })

  it('may be closed early without a word, and without another exit code', async () => {
    const line = `"${process.execPath}" "${entry}" lint "${broken}" --json | true; echo "\${PIPESTATUS[0]}"`
    expect(await inBash(line)).toEqual({ code: 0, stdout: '4\n', stderr: '' })
  })

  it('that cannot be written is an error', async () => {
    const ended = await inBash(`"${process.execPath}" "${entry}" lint "${workedExample}" > /dev/full`)
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(/^error: cannot write standard output: .*\nhint: .*\n$/)
  })

  it('can be a file that reads back', async () => {
    const ended = await inBash(
      `"${process.execPath}" "${entry}" schedule "${workedExample}" --cache cold --out "${at('x.gz')}" --json > "${at('out.json')}"`,
    )
    expect([ended.code, JSON.parse(readFileSync(at('out.json'), 'utf8')).rows]).toEqual([0, 22_000])
  })
})
