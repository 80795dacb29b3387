import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { lint } from '../../../src/app/lint.ts'
import { sha256Hex } from '../../../src/core/kernel/hash.ts'
import { parseSchedule } from '../../../src/core/schedule/parse-schedule.ts'
import { cli, root, scratch } from './cli-in-process.ts'

const SAMPLES = ['mooncake.jsonl', 'azure-2023.csv', 'azure-2024.csv', 'burstgpt-1.csv', 'burstgpt-3.csv', 'own.jsonl']
const sample = (name: string) => `fixtures/traces/${name}`
const folder = scratch()

/** The file's text, to be equal byte for byte; `UPDATE_GOLDEN=1` first writes it anew, for a reviewer to read. */
function golden(name: string, text: string): string {
  const path = join(root, 'test/golden/profile', name)
  if (env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
  }
  return readFileSync(path, 'utf8')
}

/** The two sections of a manifest that the text ends with. */
function fragments(stdout: string): string[] {
  return stdout.slice(stdout.indexOf('# For a manifest')).split(/\n\n/)
}

/** The embedded pack's manifest with the fragment's fields in place of its own, and nothing that is sized for its own load. */
function merged(fragment: string): string {
  const text = readFileSync(join(root, 'fixtures/packs/embedded/workload-manifest.yaml'), 'utf8')
  const manifest = parseDocument(text)
  const { client, workload } = parse(fragment) as { client: Record<string, unknown>; workload: unknown[] }
  for (const [key, value] of Object.entries(client)) manifest.setIn(['client', key], value)
  manifest.set('workload', workload)
  manifest.setIn(['client', 'extension_requests'], 0)
  manifest.delete('sweep')
  manifest.set('cache', { cold: {} })
  manifest.setIn(['acceptance', 'min_successful_samples_per_class'], 10)
  return String(manifest)
}

describe('profile', () => {
  it.each(SAMPLES)('says what %s is like, in 80 columns', async (name) => {
    const { code, stdout, stderr } = await cli('profile', sample(name))
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(golden(`${name}.txt`, stdout))
    const prose = stdout.split('\n').filter((line) => !/sha256/.test(line))
    expect(prose.filter((line) => line.length > 80)).toEqual([])
  })

  it.each(SAMPLES)('suggests sections for %s that lint once they are in a manifest', async (name) => {
    const { stdout } = await cli('profile', sample(name), '--classes', '4')
    const [drawn = '', replayed = ''] = fragments(stdout)
    for (const fragment of [drawn, replayed]) {
      const { findings } = lint(name, merged(fragment), 'valid')
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    }
    expect(parse(replayed)).toMatchObject({ client: { arrival_pattern: 'trace', trace: { file: sample(name) } } })
  })

  it.each(SAMPLES)('suggests sections by which %s itself becomes a schedule', async (name) => {
    writeFileSync(join(folder, name), readFileSync(join(root, sample(name))))
    const { stdout } = await cli('profile', join(folder, name))
    const [, replayed = ''] = fragments(stdout)
    const manifest = join(folder, `${name}.yaml`)
    writeFileSync(manifest, merged(replayed))
    const out = join(folder, `${name}.schedule`)
    const ended = await cli('--json', 'schedule', manifest, '--cache', 'cold', '--out', out)
    expect([ended.code, ended.stderr]).toEqual([0, ''])
    const { client } = parse(replayed) as { client: { initial_scheduled_requests: number } }
    const { rows } = parseSchedule(readFileSync(out))
    expect(rows).toHaveLength(client.initial_scheduled_requests)
    expect(rows.at(-1)?.offsetUs).toBe(rows.length * 1_000_000)
  })

  const mooncake = (timestamp: number, input_length = 9) =>
    `${JSON.stringify({ timestamp, input_length, output_length: 5 })}\n`

  it('suggests no replay of requests that all came at once', async () => {
    const path = join(folder, 'at-once.jsonl')
    writeFileSync(path, mooncake(7).repeat(30))
    const { code, stdout } = await cli('profile', path)
    expect([code, stdout]).toEqual([0, expect.stringContaining('they all came at the same time')])
    expect(stdout).not.toContain('arrival_pattern: trace')
    expect(JSON.parse((await cli('--json', 'profile', path)).stdout).manifests.replayed).toBeNull()
  })

  it('says that a prompt is too short to be told from the others', async () => {
    const path = join(folder, 'short-prompt.jsonl')
    writeFileSync(path, mooncake(1, 4) + mooncake(2))
    expect((await cli('profile', path)).stdout).toContain(
      '# (its shortest prompt has 4 tokens, and none can have fewer',
    )
    writeFileSync(path, mooncake(1, 5) + mooncake(2))
    expect((await cli('profile', path)).stdout).not.toContain('its shortest prompt')
  })

  it('writes any file’s name on one line of the fragment', async () => {
    const name = 'odd\n  x: y #.jsonl'
    writeFileSync(join(folder, name), mooncake(1) + mooncake(2))
    const [, replayed = ''] = fragments((await cli('profile', join(folder, name))).stdout)
    expect(parse(replayed)).toMatchObject({ client: { trace: { file: name } } })
  })

  it('prints one JSON value', async () => {
    const { code, stdout } = await cli('--json', 'profile', sample('mooncake.jsonl'))
    const value = JSON.parse(stdout)
    expect([code, value.version, value.format, value.requests]).toEqual([0, 1, 'mooncake', 200])
    expect(value.sha256).toBe(sha256Hex(readFileSync(join(root, sample('mooncake.jsonl')))))
    expect(value.manifests.replayed.client.trace.sha256).toBe(value.sha256)
    expect(Object.keys(value)).toEqual(
      expect.arrayContaining(['inputTokens', 'arrivals', 'reuse', 'classes', 'manifests']),
    )
    expect(stdout).toBe(golden('mooncake.jsonl.json', stdout))
  })

  it('says the same of a compressed trace, but for its name and digest', async () => {
    const path = join(folder, 'own.jsonl.gz')
    writeFileSync(path, gzipSync(readFileSync(join(root, sample('own.jsonl')))))
    const [plain, packed] = await Promise.all([cli('profile', sample('own.jsonl')), cli('profile', path)])
    const rest = (text: string) => text.split('\n').filter((line) => !/own\.jsonl|sha256/.test(line))
    expect(rest(packed.stdout)).toEqual(rest(plain.stdout))
    expect(packed.stdout).toContain(`sha256:${sha256Hex(readFileSync(path))}`)
  })

  it.each<[string, string | Uint8Array, RegExp, RegExp]>([
    [
      'a bad row',
      'TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03,-1,2\n',
      /row 2, column ContextTokens: "-1"/,
      /digits/,
    ],
    [
      'disorder',
      'Timestamp,Model,Request tokens,Response tokens\n2,G,1,1\n1,G,1,1\n',
      /row 3: its time 1 comes before 2 of row 2/,
      /sort/,
    ],
    ['half of a gzip file', gzipSync('x'.repeat(1000)).subarray(0, 20), /no whole gzip file/, /gunzip/],
    [
      'gzip that zeros follow',
      Buffer.concat([gzipSync('{"timestamp":1,"input_length":5,"output_length":3}\n'), new Uint8Array(300_000)]),
      /goes on where its gzip data end/,
      /gunzip/,
    ],
    ['an empty file', '', /is empty/, /./],
  ])('refuses %s, with nothing on standard output', async (name, content, what, hint) => {
    const path = join(folder, `${name.replaceAll(' ', '-')}.txt`)
    writeFileSync(path, content)
    const { code, stdout, stderr } = await cli('profile', path)
    expect([code, stdout]).toEqual([4, ''])
    const [first, second] = stderr.split('\n')
    expect(first).toMatch(new RegExp(`^error: .*${what.source}`))
    expect(first).toContain(path)
    expect(second).toMatch(new RegExp(`^hint: .*${hint.source}`))
  })

  it('refuses a format that there is not, and a file that is not there', async () => {
    expect((await cli('profile', sample('own.jsonl'), '--format', 'csv')).code).toBe(64)
    expect(await cli('profile', 'nowhere.csv')).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(/no such file/),
    })
  })
})
