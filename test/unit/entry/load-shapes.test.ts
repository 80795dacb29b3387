import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseSchedule } from '../../../src/core/schedule/parse-schedule.ts'
import { cli, root, scratch } from './cli-in-process.ts'

const embedded = readFileSync(join(root, 'fixtures/packs/embedded/workload-manifest.yaml'), 'utf8')
const classes = Array.from({ length: 10 }, (_, index) => (index === 7 || index === 8 ? 512 : index === 9 ? 96 : 128))
const trace = Array.from({ length: 700 }, (_, index) => {
  const output_length = index % 10 === 9 ? 64 : 16
  return `${JSON.stringify({ timestamp: index * 40, input_length: classes[index % 10], output_length })}\n`
}).join('')

function manifestBeside(files: Record<string, string>, arrivals: string): { manifest: string; out: string } {
  const folder = scratch()
  mkdirSync(join(folder, 'gates'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const manifest = join(folder, 'gates/manifest.yaml')
  writeFileSync(manifest, embedded.replace('arrival_pattern: poisson', arrivals))
  return { manifest, out: join(folder, 'out.jsonl') }
}

const traced = (file: string, content = trace) =>
  `arrival_pattern: trace\n  trace: {file: ${file}, sha256: ${createHash('sha256').update(content).digest('hex')}, format: mooncake}`

describe('schedule', () => {
  it('takes a trace from beside the manifest', async () => {
    const { manifest, out } = manifestBeside({ 'gates/a.jsonl': trace }, traced('a.jsonl'))
    const ended = await cli('schedule', manifest, '--cache', 'cold', '--out', out, '--json')
    expect([ended.code, ended.stderr]).toEqual([0, ''])
    const { sha256, pattern, rows } = JSON.parse(ended.stdout)
    expect(parseSchedule(readFileSync(out)).sha256).toBe(sha256)
    expect([pattern.format, rows]).toEqual(['mooncake', 700])
  })

  it.each([
    ['a file that is not there', 'b.jsonl', /cannot read the trace b\.jsonl: no such file/],
    ['a file outside', '../../../etc/hostname', /the trace .*etc\/hostname" is refused: it leads out/],
    ['an absolute path', '/etc/hostname', /refused: it is absolute/],
  ])('refuses %s', async (_, file, message) => {
    const { manifest, out } = manifestBeside({ 'gates/a.jsonl': trace }, traced(file))
    const ended = await cli('schedule', manifest, '--cache', 'cold', '--out', out)
    expect(ended).toMatchObject({ code: 4, stdout: '', stderr: expect.stringMatching(message) })
    expect(ended.stderr.split('\n')).toHaveLength(3)
  })

  it('tells what a drawn pattern takes', async () => {
    const { manifest, out } = manifestBeside({}, 'arrival_pattern: gamma\n  gamma: {shape: 0.5}')
    const { stdout } = await cli('schedule', manifest, '--cache', 'warm', '--out', out, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ generator: 'gamma-1', pattern: { shape: 0.5 } })
  })
})

it.each(['20.0005', '0.0004', '1e-9'])('replay takes no rate of %s: nothing is rounded', async (rate) => {
  const options = ['--endpoint', 'http://127.0.0.1:1', '--cache', 'cold', '--pack', join(scratch(), 'pack')]
  const ended = await cli('replay', 'fixtures/packs/embedded/workload-manifest.yaml', ...options, '--rate', rate)
  expect(ended).toMatchObject({ code: 64, stderr: expect.stringMatching(/no rate|no number/) })
})

it('replay says that a think time does nothing to a rate', async () => {
  const { manifest } = manifestBeside({}, 'arrival_pattern: poisson\n  closed_loop_think_seconds: 2')
  // No pack can be made below a file: the command ends before it has asked the endpoint anything.
  const options = ['--endpoint', 'http://127.0.0.1:1', '--cache', 'cold', '--pack', join(manifest, 'pack')]
  expect((await cli('replay', manifest, ...options, '--rate', '20')).stderr).toMatch(/does nothing to a rate/)
  expect((await cli('replay', manifest, ...options, '--concurrency', '2')).stderr).not.toMatch(/does nothing/)
})
