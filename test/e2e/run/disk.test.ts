import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isPortFree } from '../../../src/adapters/system/tcp-ports.ts'
import { parseJournal } from '../../../src/core/record/journal.ts'
import { root, scratch, shell, start } from '../cli/cli-process.ts'
import { discrepanciesOf, gateFolder } from './gate-run.ts'
import { quickManifest } from './quick-manifest.ts'

const gate = gateFolder()
const { folder } = gate
const IGNORE = 'data:text/javascript,process.on("SIGXFSZ",()=>{})'
const SWEEP = ['--plan', 'sweep', '--cache', 'cold']

describe('a pack that cannot be written', () => {
  it('is an error before anything is deployed: what, where, and how to mend it', async () => {
    const { path } = await quickManifest(folder)
    writeFileSync(join(folder, 'a-file'), '')
    const run = await gate.run('a-file/pack', path, ...SWEEP)
    expect([run.code, run.stdout]).toEqual([1, ''])
    expect(run.stderr).toMatch(
      /^error: cannot make the pack folder .*a-file\/pack: a part of the path is a file.*\nhint: .+\n$/,
    )
  })

  // No file may grow over 20 KiB, and the signal that says so is ignored: to the run it is a disk that fills up in its first point.
  it('any more ends the run: what was measured stays, and no engine does', async () => {
    const { path, port } = await quickManifest(folder)
    const pack = join(folder, 'full')
    const limited = ['-c', 'ulimit -f 20 && exec "$@"', 'bash', 'env', `TMPDIR=${folder}`]
    const cli = [
      process.execPath,
      '--import',
      IGNORE,
      join(root, 'src/entry/cli.ts'),
      'run',
      path,
      '--pack',
      pack,
      ...SWEEP,
    ]
    const ended = await shell('bash', [...limited, ...cli])
    expect([ended.code, ended.stdout]).toEqual([1, ''])
    expect(ended.stderr).toMatch(/\nerror: cannot write .*journal\.jsonl.*\nhint: .+\n$/)
    const at = (file: string) => join(pack, 'points/cold-open-20000-r1', file)
    expect(existsSync(at('requests.csv'))).toBe(false)
    expect(parseJournal(readFileSync(at('journal.jsonl'), 'utf8')).records.length).toBeGreaterThan(10)
    expect(await isPortFree(port)).toBe(true)
  })
})

/** Whether this user may mount a disk of its own, whose size is what a test wants. */
const canMount = mounted(scratch(), 64, () => true) ?? false

/** Does something with a folder that is a disk of so many KiB; null where none can be mounted. */
function mounted<T>(at: string, kib: number, use: () => T): T | null {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', at]).status !== 0) return null
  const unmount = () => void spawnSync('umount', [at])
  const result = use()
  if (result instanceof Promise) return result.finally(unmount) as T
  unmount()
  return result
}

describe.skipIf(!canMount)('a disk that is really full', () => {
  it.each([12, 48, 96])(
    'after %i KiB ends the run, names file and mend, and leaves a pack that verifies as partial',
    async (kib) => {
      const { path, port } = await quickManifest(folder)
      // Else it would be refused before anything is deployed.
      appendFileSync(path, 'machine: { min_free_disk_gib: 0 }\n')
      const at = join(folder, `disk-${kib}`)
      mkdirSync(at)
      await mounted(at, kib, async () => {
        const run = await gate.run(`disk-${kib}/pack`, path, ...SWEEP)
        expect([run.code, run.stdout]).toEqual([1, ''])
        expect(run.stderr).toMatch(
          /\nerror: cannot \w+ .*disk-\d+\/pack.*: the disk is full\nhint: free space there.*\n$/,
        )
        expect(await isPortFree(port)).toBe(true)
        const hasBegun = existsSync(join(run.pack, 'run.json'))
        expect(hasBegun ? await discrepanciesOf(run.pack) : []).toEqual([])
      })
    },
  )

  it('for temporary files refuses the run, and the clean-up still works', async () => {
    const { path, port } = await quickManifest(folder)
    const at = join(folder, 'temporary')
    mkdirSync(at)
    await mounted(at, 16, async () => {
      expect(() => writeFileSync(join(at, 'filler'), Buffer.alloc(1 << 20))).toThrow('ENOSPC')
      const run = await start('cli', ['run', path, '--pack', join(folder, 'none'), ...SWEEP], { TMPDIR: at }).ended
      expect([run.code, run.stdout]).toEqual([1, ''])
      expect(run.stderr).toMatch(
        /\nerror: cannot .* the disk is full\nhint: .+\n$|^error: cannot .* the disk is full\nhint: .+\n$/,
      )
      expect([await isPortFree(port), existsSync(join(folder, 'none/points'))]).toEqual([true, false])
      expect((await start('cli', ['clean'], { TMPDIR: at }).ended).code).toBe(0)
    })
  })
})
