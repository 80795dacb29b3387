import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePorts } from '../../fakes/free-port.ts'
import { cli, root, scratch } from './cli-process.ts'
import { embeddedManifest } from './embedded-manifest.ts'

let engine: ReturnType<typeof spawn>
let endpoint: string

beforeAll(async () => {
  const port = await freePorts()
  endpoint = `http://127.0.0.1:${port}`
  engine = spawn(process.execPath, ['fixtures/engine/main.ts', '--port', String(port), '--slots', '8'], { cwd: root })
})
afterAll(() => engine.kill('SIGKILL'))

const codes: Record<string, number> = { pass: 0, fail: 2, undersampled: 3, unknown: 3, invalid: 4 }

it('measures one point of a standing engine, and leaves it standing', async () => {
  const folder = scratch()
  const { path } = await embeddedManifest(folder)
  const pack = join(folder, 'pack')
  const asked = ['replay', path, '--endpoint', endpoint, '--rate', '20', '--cache', 'cold', '--pack', pack, '--json']
  const ended = await cli(...asked)
  const point = JSON.parse(ended.stdout)
  // Which outcome a loaded machine comes to is not this test's business; that the exit code is the outcome's is.
  expect(ended.code).toBe(codes[point.outcome])
  expect(point.key).toEqual({ cache: 'cold', load: { openMilliRps: 20_000 }, repeat: 1 })
  expect(point.slo.attempted).toBeGreaterThanOrEqual(40)
  const judged = join(pack, 'points/cold-open-20000-r1')
  for (const name of ['requests.csv', 'slo-report.json']) {
    expect(readFileSync(join(pack, name), 'utf8')).toBe(readFileSync(join(judged, name), 'utf8'))
  }
  expect(existsSync(join(judged, 'point.json'))).toBe(true)
  expect((await fetch(`${endpoint}/health`)).status).toBe(200)
  expect(await cli('verify', pack)).toMatchObject({ code: 0, stderr: '' })
})

it('fails where nobody answers, naming the address', async () => {
  const folder = scratch()
  const { path } = await embeddedManifest(folder, 0.5)
  const asked = ['replay', path, '--endpoint', 'http://127.0.0.1:9', '--concurrency', '2', '--cache', 'cold']
  const ended = await cli(...asked, '--pack', join(folder, 'pack'))
  expect([ended.code, ended.stdout]).toEqual([1, ''])
  expect(ended.stderr).toMatch(/^error: .*127\.0\.0\.1:9.*\nhint: .+\n$/m)
})
