import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { platform } from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { quickManifest } from '../run/quick-manifest.ts'
import { root, scratch, shell } from './cli-process.ts'

const folder = join(scratch(), 'my runs')
const bin = join(folder, 'bin')
mkdirSync(bin, { recursive: true })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// What a person has: a program of that name.
const program = join(bin, 'capacity-gate')
writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'src/entry/cli.ts')}' "$@"\n`)
chmodSync(program, 0o755)

/** A line as it stands on the screen, put into a shell. */
const typed = (line: string) =>
  shell('bash', ['-c', `PATH='${bin}':"$PATH" TMPDIR='${folder}'; export TMPDIR\n${line}`])

/** The commands that a last screen asks to be typed. */
const asked = (screen: string) => screen.split('\n').flatMap((line) => /^ +(capacity-gate .+)$/.exec(line)?.[1] ?? [])

/** A command line on a pseudo-terminal of 80 columns, with Ctrl-C pressed once it says so. */
function interruptedOnTerminal(line: string, after: RegExp): Promise<{ code: number | null; raw: string }> {
  const command = `stty cols 80 rows 24; PATH='${bin}':"$PATH" TMPDIR='${folder}' NO_COLOR=1 exec ${line}`
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: root,
    env: { ...process.env, SHELL: '/bin/bash', TERM: 'xterm' },
  })
  let raw = ''
  let isPressed = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    raw += text
    if (isPressed || !after.test(raw)) return
    isPressed = true
    child.stdin.write('\u0003')
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, raw })))
}

describe.skipIf(platform !== 'linux')('the commands at the end of each screen', () => {
  const pack = join(folder, 'the pack')
  const place = `dir:${join(folder, 'accepted ones')}`
  let path = ''
  let slower = ''
  let next = ''

  it('an interruption by Ctrl-C leaves a clean screen, and the command to go on with', async () => {
    const made = await quickManifest(folder)
    path = made.path
    slower = made.subject('a crash', ['--fault', 'crash_after_requests=40'])
    const options = `--plan sweep --cache cold --on-missing-baseline record --baseline '${place}'`
    const { code, raw } = await interruptedOnTerminal(
      `capacity-gate run '${path}' --pack '${pack}' ${options}`,
      /arrivals 0:0[1-9]/,
    )
    expect(code).toBe(130)
    expect(raw).not.toContain('\u001B[?25l')
    const lines = stripVTControlCharacters(raw).split('\r\n')
    expect(lines.slice(-5, -2)).toEqual([expect.stringContaining('stopping: '), '', 'error: interrupted by SIGINT'])
    next = /^hint: go on at the next point: (capacity-gate .* --resume)$/.exec(lines.at(-2) ?? '')?.[1] ?? ''
    expect(next).toContain(`--pack '${pack}'`)
    expect(lines.at(-1)).toBe('')
  })

  it('that one goes on to a record, which the next command accepts', async () => {
    const resumed = await typed(next)
    expect([resumed.code, asked(resumed.stdout)]).toEqual([0, [expect.stringContaining('promote')]])
    const [promote = ''] = asked(resumed.stdout)
    const accepted = await typed(promote)
    expect([accepted.code, accepted.stderr]).toEqual([0, ''])
    expect(accepted.stdout).toContain('accepted as baseline of quick')
  })

  it('a regression asks why it fell, and is told', async () => {
    const lost = await typed(
      `capacity-gate run '${path}' --subject '${slower}' --cache cold --baseline '${place}' --pack '${pack}-lost'`,
    )
    expect([lost.code, asked(lost.stdout)]).toEqual([2, [`capacity-gate explain '${pack}-lost'`]])
    const [explain = ''] = asked(lost.stdout)
    const told = await typed(explain)
    expect([told.code, told.stderr]).toEqual([0, ''])
    expect(told.stdout).toMatch(/^cold: /)
  })
})
