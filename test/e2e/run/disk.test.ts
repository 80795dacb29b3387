import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isPortFree } from '../../../src/adapters/system/tcp-ports.ts'
import { parseJournal } from '../../../src/core/record/journal.ts'
import { root, shell } from '../cli/cli-process.ts'
import { gateFolder } from './gate-run.ts'
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
    const at = (file: string) => join(pack, 'points/cold-open-30000-r1', file)
    expect(existsSync(at('requests.csv'))).toBe(false)
    expect(parseJournal(readFileSync(at('journal.jsonl'), 'utf8')).records.length).toBeGreaterThan(10)
    expect(await isPortFree(port)).toBe(true)
  })
})
