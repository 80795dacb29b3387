import { readFileSync, truncateSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../src/core/kernel/hash.ts'
import { encodeRequestsCsv } from '../../../src/core/record/csv.ts'
import { parseSchedule } from '../../../src/core/schedule/parse-schedule.ts'
import {
  baseline,
  boots,
  experimentValue,
  GUARD,
  heldCandidate,
  record,
  result,
  sweep,
  withExperiment,
} from '../gate/record-fixture.ts'
import { cli, root, scratch, workedExample } from './cli-in-process.ts'
import { cohortOf } from './small-cohort.ts'

const folder = scratch()
const at = (name: string) => join(folder, name)
const write = (name: string, content: string | Uint8Array) => {
  writeFileSync(at(name), content)
  return at(name)
}
const json = (name: string, value: unknown) => write(name, JSON.stringify(value))
const fixture = (name: string) => gunzipSync(readFileSync(join(root, `fixtures/analyzer/${name}.csv.gz`)))

/** An error leaves standard output empty, and on standard error one line each on what, and on the mend. */
const anError = (what: RegExp, hint = /./) => ({
  stdout: '',
  stderr: expect.stringMatching(
    new RegExp(`^error: [^\\n]*(?:${what.source})[^\\n]*\\nhint: [^\\n]*(?:${hint.source})[^\\n]*\\n$`),
  ),
})

describe('lint', () => {
  it('says what is valid, on standard output alone', async () => {
    expect(await cli('lint', workedExample)).toEqual({
      code: 0,
      stderr: '',
      stdout: `${workedExample}: valid, no findings\n`,
    })
  })

  it('puts findings on standard output with their place and the mend, and ends with 4', async () => {
    const { code, stdout, stderr } = await cli('lint', 'fixtures/packs/broken-benchmark/workload-manifest.yaml')
    expect([code, stderr]).toEqual([4, ''])
    expect(
      stdout.match(/^fixtures\/packs\/broken-benchmark\/workload-manifest\.yaml:\d+:\d+: error: .*\n {4}mend: ./gm),
    ).toHaveLength(6)
  })

  it('prints one JSON value, with findings and with none', async () => {
    const { stdout, code } = await cli('--json', 'lint', workedExample, '--deployable')
    const found = JSON.parse(stdout)
    expect(code).toBe(4)
    expect(found).toMatchObject({
      level: 'deployable',
      experimentSha256: null,
      errors: found.findings.length - found.warnings,
    })
    expect(JSON.parse((await cli('lint', workedExample, '--json')).stdout)).toMatchObject({
      errors: 0,
      findings: [],
      experimentSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  const bad: [string, string, (name: string) => string, RegExp][] = [
    ['absent', 'absent.yaml', at, /absent\.yaml: no such file/],
    ['empty', 'empty.yaml', (name) => write(name, ''), /empty\.yaml is empty/],
    [
      'binary',
      'binary.yaml',
      (name) => write(name, new Uint8Array([0x61, 0, 0x62])),
      /binary\.yaml is no text: byte 2 is zero/,
    ],
    ['not UTF-8', 'latin.yaml', (name) => write(name, new Uint8Array([0x61, 0xe4, 0x62])), /latin\.yaml is no text/],
    [
      'of one gigabyte',
      'huge.yaml',
      (name) => {
        truncateSync(write(name, 'a'), 1024 ** 3)
        return at(name)
      },
      /huge\.yaml is too large: 1,073,741,824 bytes/,
    ],
    ['a folder', 'folder', (name) => (mkdirSync(at(name)), at(name)), /folder: it is a folder/],
  ]
  it.each(bad)('refuses a manifest that is %s', async (_, name, make, what) => {
    expect(await cli('lint', make(name))).toMatchObject({ code: 4, ...anError(what) })
  })

  it.each([
    [
      'an alias bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.replaceAll(/./g, (key, index: number) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]\n`)}`,
    ],
    ['a key twice', 'model: {id: a}\nmodel: {id: b}\n'],
    ['a tab as indentation', 'model:\n\tid: a\n'],
  ])('finds %s, with its line', async (_, text) => {
    const { code, stdout, stderr } = await cli('lint', write('hostile.yaml', text))
    expect([code, stderr]).toEqual([4, ''])
    expect(stdout).toMatch(/hostile\.yaml:\d+:\d+: error: /)
  })
})

describe('schedule', () => {
  it('writes the same frozen bytes plain and compressed, and prints their digest', async () => {
    const [plain, packed] = await Promise.all([
      cli('schedule', workedExample, '--cache', 'cold', '--out', at('cold.jsonl')),
      cli('schedule', workedExample, '--cache', 'cold', '--out', at('cold.jsonl.gz'), '--json'),
    ])
    const bytes = readFileSync(at('cold.jsonl'))
    expect(gunzipSync(readFileSync(at('cold.jsonl.gz'))).equals(bytes)).toBe(true)
    expect(plain).toMatchObject({ code: 0, stderr: '' })
    expect(plain.stdout.startsWith(`sha256:${sha256Hex(bytes)}\n`)).toBe(true)
    expect(JSON.parse(packed.stdout)).toMatchObject({ sha256: sha256Hex(bytes), cache: 'cold', rows: 22_000 })
  })

  it('refuses a state that is not declared, a place that cannot be written, and an invalid manifest', async () => {
    const out = ['--out', at('x.jsonl')]
    expect(await cli('schedule', workedExample, '--cache', 'warm', ...out)).toMatchObject({
      code: 4,
      ...anError(/no cache\.warm/),
    })
    expect(await cli('schedule', workedExample, '--cache', 'cold', '--out', folder)).toMatchObject({
      code: 1,
      ...anError(/is a folder/),
    })
    const broken = join(root, 'fixtures/packs/broken-benchmark/workload-manifest.yaml')
    const own = at('own-manifest.yaml')
    writeFileSync(own, readFileSync(workedExample))
    expect(await cli('schedule', own, '--cache', 'cold', '--out', own)).toMatchObject({
      code: 64,
      ...anError(/--out would replace the manifest/),
    })
    expect(readFileSync(own)).toEqual(readFileSync(workedExample))
    const ended = await cli('schedule', broken, '--cache', 'cold', ...out)
    expect(ended).toMatchObject({
      code: 4,
      ...anError(/workload-manifest\.yaml:1:1: .*and 5 more/, /capacity-gate lint/),
    })
  })
})

describe('analyze', () => {
  const analyze = (csv: string, ...more: string[]) =>
    cli(
      'analyze',
      '--manifest',
      workedExample,
      '--requests',
      csv,
      '--duration-seconds',
      '737.393',
      '--queue-trend',
      'flat',
      ...more,
    )

  it('prints slo-report.json whatever it says, the same with --json', async () => {
    const csv = write('small.csv', fixture('small-10'))
    const stated = JSON.parse(readFileSync(join(root, 'fixtures/analyzer/small-10.json'), 'utf8'))
    const [plain, asJson] = await Promise.all([analyze(csv), analyze(csv, '--json')])
    expect(plain).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(plain.stdout)).toMatchObject({ ...stated.expected, queue_trend: 'flat' })
    expect(JSON.parse(asJson.stdout)).toEqual(JSON.parse(plain.stdout))
  })

  it('refuses data that cannot be judged with row and column, and misuse with 64', async () => {
    const refused = await analyze(write('dup.csv', fixture('refused-duplicate-id')))
    expect(refused).toMatchObject({ code: 4, ...anError(/dup\.csv, row \d+, column request_id/) })
    expect(await analyze(write('none.csv', ''))).toMatchObject({ code: 4, ...anError(/none\.csv is empty/) })
    expect(await analyze(write('bin.csv', fixture('small-10').subarray(0, 40).fill(0, 30)))).toMatchObject({
      code: 4,
      ...anError(/bin\.csv: no text/),
    })
    const csv = at('small.csv')
    const asked = ['analyze', '--manifest', workedExample, '--requests', csv]
    expect(await cli(...asked, '--duration-seconds', '0', '--queue-trend', 'flat')).toMatchObject({
      code: 64,
      ...anError(/duration "0"/),
    })
    expect(await cli(...asked, '--duration-seconds', '9', '--queue-trend', 'falling')).toMatchObject({
      code: 64,
      ...anError(/falling/),
    })
  })

  it('reconciles a cohort with its schedule, and refuses one that is not its', async () => {
    await cli('schedule', workedExample, '--cache', 'cold', '--requests', '60', '--out', at('s.jsonl.gz'))
    const schedule = parseSchedule(gunzipSync(readFileSync(at('s.jsonl.gz'))))
    const records = cohortOf(schedule)
    const whole = await analyze(write('whole.csv', encodeRequestsCsv(records)), '--schedule', at('s.jsonl.gz'))
    expect(whole).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/reconciled with the schedule [0-9a-f]{12}…: 60 requests/),
    })
    const short = write('short.csv', encodeRequestsCsv(records.slice(0, -1)))
    expect(await analyze(short, '--schedule', at('s.jsonl.gz'))).toMatchObject({
      code: 4,
      ...anError(/r-00060 of the schedule is missing/),
    })
  })
})

describe('gate', () => {
  const files = {
    accepted: json('accepted.json', baseline()),
    held: json('held.json', heldCandidate()),
    regressed: json(
      'regressed.json',
      record([
        result('confirm', boots('cold', GUARD.cold, 'fail', 'fail')),
        result('confirm', boots('warm', GUARD.warm, 'pass')),
      ]),
    ),
    unsettled: json('unsettled.json', record([result('confirm', boots('cold', GUARD.cold, 'unknown', 'unknown'))])),
  }
  it.each([
    ['held', 0, /^HELD: /],
    ['regressed', 2, /^REGRESSED: /],
    ['unsettled', 3, /^INCONCLUSIVE: /],
  ] as const)('%s ends with %i, the verdict on standard output', async (name, code, said) => {
    const args = ['gate', '--candidate', files[name], '--baseline', files.accepted]
    const [text, asJson] = await Promise.all([cli(...args), cli(...args, '--json')])
    expect(text).toMatchObject({ code, stderr: '', stdout: expect.stringMatching(said) })
    expect(asJson).toMatchObject({ code, stderr: '' })
    expect(JSON.parse(asJson.stdout)).toMatchObject({ version: 1, outcome: text.stdout.split(':')[0]?.toLowerCase() })
  })

  it('lets an inconclusive verdict pass where that is asked for', async () => {
    const args = ['gate', '--candidate', files.unsettled, '--baseline', files.accepted, '--on-inconclusive', 'warn']
    expect(await cli(...args)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^INCONCLUSIVE/) })
  })

  it.each([
    ['corrupt', '{"schema": 1,', /corrupt\.json is not JSON/],
    ['newer', JSON.stringify({ ...baseline(), schema: 2 }), /newer\.json is of schema 2/],
    ['empty', '', /empty\.json is empty/],
    ['edited', JSON.stringify({ ...baseline(), capacity: 'much' }), /edited\.json: capacity/],
  ])('refuses a baseline that is %s', async (name, text, what) => {
    const ended = await cli('gate', '--candidate', files.held, '--baseline', write(`${name}.json`, text))
    expect(ended).toMatchObject({ code: 4, ...anError(what) })
  })

  it('is inconclusive, with the field, for a baseline of another experiment', async () => {
    const loosened = withExperiment(experimentValue({ class_slo_attainment_min: 0.9 }))
    const other = json('other.json', baseline(loosened))
    const { code, stdout } = await cli('gate', '--candidate', files.held, '--baseline', other)
    expect(code).toBe(3)
    expect(stdout).toMatch(/acceptance\.class_slo_attainment_min/)
  })
})

describe('promote', () => {
  it('accepts the record of a finished sweep into a folder', async () => {
    const ended = await cli(
      'promote',
      '--candidate',
      json('sweep.json', baseline()),
      '--to',
      `dir:${at('accepted')}`,
      '--reason',
      'the first one',
      '--json',
    )
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const { path, warnings } = JSON.parse(ended.stdout)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(baseline())))
    expect(warnings).toMatchObject([{ code: 'spread_not_measured' }, { code: 'spread_not_measured' }])
  })

  it('warns, for people too, where the spread from boot to boot was not measured', async () => {
    const ended = await cli(
      'promote',
      '--candidate',
      json('sweep.json', baseline()),
      '--to',
      `dir:${scratch()}`,
      '--yes',
    )
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(/\nwarning: cold: the spread from boot to boot was not measured: .*repeats: 3/)
  })

  it.each([
    ['a confirmation', heldCandidate(), /confirmation finds no capacity/],
    ['a bracket that is too wide', record([sweep('cold', [16_000], [28_000])]), /more than the tolerance/],
  ])('refuses %s, and writes nothing', async (_, candidate, what) => {
    const to = join(scratch(), 'accepted')
    const ended = await cli('promote', '--candidate', json('no.json', candidate), '--to', `dir:${to}`, '--yes')
    expect(ended).toMatchObject({ code: 4, ...anError(what) })
    expect(() => readFileSync(to)).toThrow(/ENOENT/)
  })

  it('asks whether it is meant, and writes nothing before', async () => {
    const to = join(scratch(), 'accepted')
    const ended = await cli('promote', '--candidate', json('sweep.json', baseline()), '--to', `dir:${to}`)
    expect(ended).toMatchObject({ code: 64, ...anError(/no reason was given/, /--reason TEXT, or --yes/) })
    expect(() => readFileSync(to)).toThrow(/ENOENT/)
  })

  it('refuses a branch that is none', async () => {
    const to = ['--to', 'branch:--upload-pack=x', '--yes']
    const ended = await cli('promote', '--candidate', at('sweep.json'), ...to)
    expect(ended).toMatchObject({ code: 64, ...anError(/no name of a branch/, /branch:capacity-baselines/) })
  })
})

describe('report and verify', () => {
  let pack: string
  beforeAll(() => {
    pack = scratch()
    writeFileSync(join(pack, 'capacity.json'), '{')
  })

  it.each(['report', 'verify'])('%s says where there is no pack', async (command) => {
    expect(await cli(command, at('nowhere'))).toMatchObject({ code: 64, ...anError(/no pack folder at/) })
  })

  it('report refuses a damaged one with the file', async () => {
    expect(await cli('report', pack)).toMatchObject({ code: 4, ...anError(/capacity\.json is not JSON/) })
  })

  it('verify lists what is wrong with it as a result', async () => {
    const { code, stdout, stderr } = await cli('verify', pack, '--json')
    expect([code, stderr]).toEqual([4, ''])
    expect(JSON.parse(stdout).discrepancies.map(({ code: name }: { code: string }) => name)).toContain('checksums')
  })
})

describe('run and replay', () => {
  it('want a deployable manifest, and leave no pack behind', async () => {
    const pack = join(scratch(), 'pack')
    expect(await cli('run', workedExample, '--pack', pack)).toMatchObject({
      code: 4,
      ...anError(/workload-manifest\.yaml:\d+:\d+/, /--deployable/),
    })
    expect(() => readFileSync(pack)).toThrow(/ENOENT/)
  })

  it.each([
    ['neither rate nor concurrency', ['--endpoint', 'http://127.0.0.1:1'], /neither --rate nor --concurrency/],
    ['both', ['--endpoint', 'http://127.0.0.1:1', '--rate', '1', '--concurrency', '1'], /cannot be used with/],
    ['an address that is none', ['--endpoint', 'localhost', '--rate', '1'], /is no endpoint: give http:\/\/HOST/],
  ])('replay refuses %s', async (_, options, what) => {
    const ended = await cli('replay', workedExample, '--cache', 'cold', '--pack', join(scratch(), 'pack'), ...options)
    expect(ended).toMatchObject({ code: 64, ...anError(what) })
  })
})
