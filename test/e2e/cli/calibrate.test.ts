import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scratch, start } from './cli-process.ts'
import { embeddedManifest } from './embedded-manifest.ts'

const codes = { true: 0, false: 4 }

it('tells what the client is at the rate that a manifest needs, and keeps it for the runs of a day', async () => {
  const folder = scratch()
  const state = join(folder, 'state')
  mkdirSync(state)
  const { path } = await embeddedManifest(folder)
  const ended = await start('cli', ['calibrate', path, '--json'], { TMPDIR: state }).ended
  const said = JSON.parse(ended.stdout)
  // How good a loaded machine's client is, is not this test's business; that the exit code says so is.
  expect(ended.code).toBe(codes[`${said.fit as boolean}`])
  expect(said.calibration).toMatchObject({ made: true, need: { dialect: 'fixture', classes: { length: 3 } } })
  expect(said.calibration.errors.ttft.n).toBeGreaterThan(100)
  expect(said.ceiling.eventsPerSecond).toBeGreaterThan(0)
  expect(said.evidence.map(({ probe }: { probe: string }) => probe)).toContain('client.calibration.ttft')
  const kept = readdirSync(state, { recursive: true }).filter((name) => String(name).includes('calibration-'))
  expect(kept).toHaveLength(said.fit ? 1 : 0)
})

it('needs no manifest, and reads like a sentence', async () => {
  const ended = await start('cli', ['calibrate', '--rate', '20']).ended
  expect(ended.stdout).toMatch(
    /^(NOT )?FIT: the client on this machine can(not)? measure 20 requests\/s, 1280 events\/s\n/,
  )
  expect(ended.stdout).toMatch(/ceiling \d+ events\/s: /)
})

it('leaves no server behind when it is interrupted', async () => {
  const run = start('cli', ['calibrate'])
  await run.said('calibrating')
  const { pid = 0 } = run.child
  await expect.poll(() => childrenOf(pid).length).toBe(1)
  const [server = 0] = childrenOf(pid)
  run.child.kill('SIGINT')
  const ended = await run.ended
  expect([ended.code, ended.stdout]).toEqual([130, ''])
  expect(isThere(server)).toBe(false)
})

/** By /proc: the tests' machines have one. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent)
}

function parentOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
  } catch {
    return null
  }
}

function isThere(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) !== ''
  } catch {
    return false
  }
}
