import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hostFacts } from '../../../../src/adapters/machine/host-facts.ts'

let proc: string
beforeEach(() => (proc = mkdtempSync(join(tmpdir(), 'proc-'))))
afterEach(() => rmSync(proc, { recursive: true }))

/** A process as the kernel shows it, that has used so many hundredths of a second, half of them in the kernel. */
function processIn(pid: number, name: string, ticks: number, started = 7): void {
  mkdirSync(join(proc, String(pid)), { recursive: true })
  const fields = ['R', ...Array.from({ length: 10 }, () => 0), ticks / 2, ticks / 2, 0, 0, 20, 0, 1, 0, started]
  writeFileSync(join(proc, String(pid), 'stat'), `${pid} (${name}) ${fields.join(' ')}\n`)
}

/** Far more than passes between two looks of a test. */
const HOURS = 1_000_000

it('names the processes that used much processor time since the look before, the busiest first', async () => {
  const facts = hostFacts(proc, async () => new Map(), proc)
  processIn(11, 'idle', 3 * HOURS)
  processIn(12, 'train (x) 2', 4)
  processIn(13, 'engine', 4)
  processIn(14, 'make', 4)
  processIn(15, 'gone', 4)
  expect((await facts.state(new Set([13]))).busy).toBeNull()
  processIn(12, 'train (x) 2', 2 * HOURS)
  processIn(13, 'engine', 2 * HOURS)
  processIn(14, 'make', HOURS)
  rmSync(join(proc, '15'), { recursive: true })
  // The number was given to another, which has used less since it began than the one before.
  processIn(11, 'new', 2 * HOURS, 8)
  const { busy } = await facts.state(new Set([13]))
  expect(busy?.map(({ pid, name }) => [pid, name])).toEqual([
    [12, 'train (x) 2'],
    [14, 'make'],
  ])
})
