import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root, shell } from '../cli/cli-process.ts'
import { gateFolder, readRecord } from './gate-run.ts'
import { quickManifest } from './quick-manifest.ts'

const { folder } = gateFolder()

it('what is built measures the built engine, with nothing installed beside it', async () => {
  const dist = join(folder, 'dist')
  cpSync(join(root, 'dist'), dist, { recursive: true })
  const { path } = await quickManifest(folder, {
    program: '{fixture_engine}',
    client: { minimum_duration_seconds: 1 },
    sweep: { rates_rps: [90] },
  })
  const pack = join(folder, 'pack')
  const built = (...args: string[]) =>
    shell('env', [`TMPDIR=${folder}`, process.execPath, join(dist, 'cli.js'), ...args])
  const args = ['run', path, '--pack', pack, '--plan', 'sweep', '--cache', 'cold', '--json']
  const ended = await built(...args)
  expect([ended.code, JSON.parse(ended.stdout).outcome]).toEqual([3, 'inconclusive'])
  expect(readRecord(pack).capacity[0]).toMatchObject({ passMilliRps: null, failMilliRps: 90_000 })
  expect(await built('verify', pack)).toMatchObject({ code: 0, stderr: '' })
})
