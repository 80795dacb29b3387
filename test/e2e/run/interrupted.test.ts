import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { commandLineOf, listProcesses } from '../../../src/adapters/system/process-table.ts'
import { isPortFree } from '../../../src/adapters/system/tcp-ports.ts'
import { parseJournal } from '../../../src/core/record/journal.ts'
import { discrepanciesOf, gateFolder, readRecord } from './gate-run.ts'
import { FAR, quickManifest } from './quick-manifest.ts'

const gate = gateFolder()
const { folder } = gate
const SWEEP = ['--plan', 'sweep', '--cache', 'cold']

/** The processes that an engine of this port is made of. */
async function enginesAt(port: number): Promise<number[]> {
  const rows = await listProcesses()
  return rows.map(({ pid }) => pid).filter((pid) => commandLineOf(pid)?.join(' ').includes(`main.ts --port ${port} `))
}

async function expectNothingStands(port: number): Promise<void> {
  expect(await enginesAt(port)).toEqual([])
  expect(await isPortFree(port)).toBe(true)
}

/** What of a pack is not as a run leaves it that ended at any moment; empty where all is. */
function unsound(pack: string): string[] {
  // Nothing was begun.
  if (!existsSync(join(pack, 'run.json'))) return []
  const judged: string[] = JSON.parse(readFileSync(join(pack, 'run.json'), 'utf8')).points
  const points = existsSync(join(pack, 'points')) ? readdirSync(join(pack, 'points')) : []
  return points.flatMap((name) => {
    const file = (path: string) => join(pack, 'points', name, path)
    const found: string[] = []
    const isJudged = judged.includes(name)
    if (existsSync(file('requests.csv')) !== isJudged) found.push(`${name}: requests.csv, judged or not`)
    if (isJudged || !existsSync(file('journal.jsonl'))) return found
    const { torn } = parseJournal(readFileSync(file('journal.jsonl'), 'utf8'))
    return torn ? [...found, `${name}: a torn journal`] : found
  })
}

describe.concurrent('a run that is interrupted', () => {
  // Spread over boot, warm-up, cohort, the next point and the end; early ones may come before a handler stands.
  const moments = Array.from({ length: 10 }, (_, index) => {
    const signal = index % 2 === 0 ? ('SIGINT' as const) : ('SIGTERM' as const)
    return { signal, moment: index + 1, ms: Math.round(300 + index * 600 + Math.random() * 600) }
  })

  it.each(moments)(
    'by $signal, moment $moment of 10, leaves no engine, no port, and a journal that reads back',
    async ({ signal, ms }) => {
      const { path, port } = await quickManifest(folder)
      const name = `interrupted-${port}`
      const run = gate.begin(name, path, ...SWEEP)
      await delay(ms)
      run.child.kill(signal)
      const ended = await run.ended
      const code = signal === 'SIGINT' ? 130 : 143
      // Before its handlers stood, the signal itself ended it.
      const expected = ended.signal === null ? [ms, code, null, ''] : [ms, null, signal, '']
      expect([ms, ended.code, ended.signal, ended.stdout]).toEqual(expected)
      await expectNothingStands(port)
      expect(unsound(join(folder, name))).toEqual([])
    },
  )
})

describe('a run that was killed', () => {
  it('is taken up by no other run; the next start cleans up after it, and goes on at the next point', async () => {
    const { path, port, subject } = await quickManifest(folder, {
      ...FAR,
      sweep: { ...FAR.sweep, rates_rps: [12, 14, 60] },
    })
    const killed = gate.begin('killed', path, ...SWEEP)
    await killed.said('cold-open-14000-r1 · ')
    killed.child.kill('SIGKILL')
    await killed.ended
    expect((await enginesAt(port)).length).toBe(1)

    const other = await gate.run('killed', path, ...SWEEP, '--resume', '--subject', subject('other', ['--seed', '2']))
    expect([other.code, other.stdout]).toEqual([4, ''])
    expect(other.stderr).toMatch(/error: .*subject.*\nhint: .+\n$/)
    const anew = await gate.run('killed', path, ...SWEEP)
    expect([anew.code, anew.stdout]).toEqual([64, ''])
    expect(anew.stderr).toMatch(/--resume/)

    const resumed = await gate.run('killed', path, ...SWEEP, '--resume')
    expect(resumed.code).toBe(3)
    expect(resumed.stderr).toMatch(/removed what run \d+ left of deployment cold-boot-1/)
    expect(resumed.stderr).not.toContain('cold-open-12000-r1')
    const [cold] = readRecord(resumed.pack).capacity
    expect(cold).toMatchObject({ passMilliRps: 14_000, failMilliRps: 60_000 })
    await expectNothingStands(port)
    expect(await discrepanciesOf(resumed.pack)).toEqual([])
  })
})
