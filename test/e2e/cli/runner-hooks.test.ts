import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtAction } from './built-action.ts'
import { embeddedManifest } from './embedded-manifest.ts'
import { root, scratch, start } from './cli-process.ts'
import { isPortFree } from '../../../src/adapters/system/tcp-ports.ts'

const { dist } = builtAction()

interface Hook {
  code: number | null
  log: string
}

/** Runs a runner's hook on this machine, with what it is told by its environment. */
function hook(name: 'job-started' | 'job-completed', environment: Record<string, string> = {}): Hook {
  const env = {
    PATH: process.env['PATH'],
    CAPACITY_GATE: dirname(dist),
    CAPACITY_GATE_NODE: process.execPath,
    ...environment,
  }
  const ended = spawnSync(join(root, '.github/examples/runner', `${name}.sh`), [], { env, encoding: 'utf8' })
  return { code: ended.status, log: ended.stdout + ended.stderr }
}

/** A program in place of Node: its arguments are the built command line's. */
function program(script: string): string {
  const path = join(scratch(), 'node')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

describe('the hooks of a runner', () => {
  it('remove before and after a job what a killed run left, and say what of the machine is in the way', async () => {
    const folder = scratch()
    const { path, firstPort } = await embeddedManifest(folder)
    const environment = { TMPDIR: join(folder, 'tmp') }
    mkdirSync(environment.TMPDIR)
    for (const name of ['job-completed', 'job-started'] as const) {
      const run = start(
        'cli',
        ['run', path, '--pack', join(folder, name), '--plan', 'sweep', '--cache', 'cold'],
        environment,
      )
      await run.said('in flight')
      run.child.kill('SIGKILL')
      await run.ended
      const ended = hook(name, environment)
      expect([ended.code, await isPortFree(firstPort)]).toEqual([0, true])
      expect(ended.log).toMatch(/removed what run \d+ left of deployment cold-boot-1/)
      expect(ended.log).toMatch(/removed the lock port-\d+: process \d+ of .* has ended/)
      expect(/^this machine$/m.test(ended.log)).toBe(name === 'job-started')
    }
    expect(hook('job-completed', environment).log).toContain('nothing was left')
  })

  it.each([
    ['0', 0],
    ['1', 3],
  ])('fail a job on an unfit machine where CAPACITY_GATE_REQUIRE_IDLE is %s with %i', (strict, code) => {
    const unfit = program('case "$2" in doctor) echo NOT USABLE; exit 3;; esac')
    const ended = hook('job-started', { CAPACITY_GATE_NODE: unfit, CAPACITY_GATE_REQUIRE_IDLE: strict })
    expect(ended.code).toBe(code)
    expect(ended.log).toContain('NOT USABLE')
  })

  it.each(['job-started', 'job-completed'] as const)('%s says that the gate is not where it is looked for', (name) => {
    const nowhere = join(scratch(), 'gate')
    const { code, log } = hook(name, { CAPACITY_GATE: nowhere })
    expect(code).toBe(0)
    expect(log).toMatch(
      /^::warning title=Machine not looked after::there is no .*gate\/dist\/cli\.js: set CAPACITY_GATE/m,
    )
    expect(hook(name, { CAPACITY_GATE_NODE: program('exit 0') }).log).not.toContain('::warning')
  })

  it('fail no job for a clean-up that fails', () => {
    const broken = program('exit 1')
    expect(hook('job-started', { CAPACITY_GATE_NODE: broken })).toMatchObject({ code: 0 })
    const after = hook('job-completed', { CAPACITY_GATE_NODE: broken })
    expect([after.code, after.log]).toEqual([0, expect.stringContaining('warning: the clean-up did not finish')])
  })

  it('let nothing that is printed meanwhile be an order to the runner', () => {
    const loud = program('echo "::set-output name=x::y"')
    const lines = hook('job-completed', { CAPACITY_GATE_NODE: loud }).log.split('\n')
    const token = /^::stop-commands::(\S+)$/.exec(lines[1] ?? '')?.[1]
    expect(lines.slice(2, 4)).toEqual(['::set-output name=x::y', `::${token}::`])
  })

  it('remove unused images where the disk is short, and only there', () => {
    const [bin, called] = [scratch(), join(scratch(), 'called')]
    writeFileSync(join(bin, 'docker'), `#!/bin/sh\necho "$@" >${called}\n`)
    chmodSync(join(bin, 'docker'), 0o755)
    const environment = {
      PATH: `${bin}:${process.env['PATH']}`,
      CAPACITY_GATE_NODE: program('exit 0'),
      CAPACITY_GATE_DOCKER_ROOT: bin,
    }
    expect(hook('job-completed', environment).log).not.toContain('removing')
    expect(hook('job-completed', { ...environment, CAPACITY_GATE_DISK_GIB: '1' }).log).not.toContain('removing')
    const short = hook('job-completed', { ...environment, CAPACITY_GATE_DISK_GIB: '99999999' })
    expect([short.code, short.log]).toEqual([0, expect.stringContaining('removing unused ones')])
  })
})
