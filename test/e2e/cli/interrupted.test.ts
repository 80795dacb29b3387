import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isPortFree } from '../../../src/adapters/system/tcp-ports.ts'
import { scratch, start } from './cli-process.ts'
import type { Started } from './cli-process.ts'
import { embeddedManifest } from './embedded-manifest.ts'

/** A run of the embedded engine, brought to the middle of its first point. */
async function midPoint(): Promise<{ run: Started; pack: string; ports: number[] }> {
  const folder = scratch()
  const { path, firstPort } = await embeddedManifest(folder)
  const pack = join(folder, 'pack')
  const run = start('cli', ['run', path, '--pack', pack, '--plan', 'sweep', '--cache', 'cold'])
  await run.said('in flight')
  return { run, pack, ports: [firstPort, firstPort + 1] }
}

const areFree = async (ports: readonly number[]) => (await Promise.all(ports.map(isPortFree))).every(Boolean)

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends a run with %i: no engine, no port, and no judged file of the unfinished point',
  async (name, code) => {
    const { run, pack, ports } = await midPoint()
    expect(await areFree(ports)).toBe(false)
    run.child.kill(name)
    const ended = await run.ended
    expect([ended.code, ended.stdout]).toEqual([code, ''])
    expect(ended.stderr).toMatch(new RegExp(`\\nerror: interrupted by ${name}\\nhint: .*--resume`))
    expect(await areFree(ports)).toBe(true)
    const [point = ''] = readdirSync(join(pack, 'points'))
    expect(existsSync(join(pack, 'points', point, 'requests.csv'))).toBe(false)
    expect(readFileSync(join(pack, 'run.json'), 'utf8')).toContain('"points": []')
  },
)

it('the action’s post step removes what a killed run left, and fails for nothing', async () => {
  const { run, ports } = await midPoint()
  run.child.kill('SIGKILL')
  await run.ended
  expect(await areFree(ports)).toBe(false)
  const post = await start('post', []).ended
  expect([post.code, post.stdout]).toEqual([0, ''])
  expect(await areFree(ports)).toBe(true)
})
