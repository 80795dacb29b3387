import { describe, expect, it } from 'vitest'
import { findProcess, hasEnded } from '../../../../src/adapters/system/process-table.ts'

describe('a process that is looked for by its number and start', () => {
  const row = { pid: 7, parent: 1, group: 7, session: 7, started: '100' }
  const hidden = () => true
  const gone = () => false

  it('has ended where another has its number, whoever’s that is', () => {
    expect(hasEnded({ pid: 7, started: '99' }, row, hidden)).toBe(true)
    expect(hasEnded({ pid: 7, started: '99' }, row, gone)).toBe(true)
    expect(hasEnded({ pid: 7, started: '100' }, row, gone)).toBe(false)
  })

  it('that is not seen has ended unless it is hidden', () => {
    expect(hasEnded({ pid: 7, started: '100' }, null, gone)).toBe(true)
    expect(hasEnded({ pid: 7, started: '100' }, null, hidden)).toBe(false)
  })

  it('is this one, seen with its start', async () => {
    const seen = await findProcess(process.pid)
    expect(hasEnded({ pid: process.pid, started: seen?.started ?? '' }, seen, gone)).toBe(false)
  })
})
