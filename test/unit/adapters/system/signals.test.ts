import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { catchInterruptions } from '../../../../src/adapters/system/signals.ts'

function setUp(cleanupBudgetMs = 60_000) {
  const source = new EventEmitter()
  const forced: number[] = []
  let nowMs = 0
  const interruption = catchInterruptions({
    source,
    force: (exitCode) => forced.push(exitCode),
    nowMs: () => nowMs,
    cleanupBudgetMs,
  })
  return { source, forced, interruption, later: (ms: number) => (nowMs += ms) }
}

describe('an interruption', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 143],
  ])('by %s aborts with exit code %i', (signal, exitCode) => {
    const { source, interruption, forced } = setUp()
    expect(interruption.signal.aborted).toBe(false)
    source.emit(signal)
    expect(interruption.signal.reason).toMatchObject({ name: 'GateError', code: 'interrupted', exitCode })
    expect(forced).toEqual([])
  })

  it('is forced by a second signal, with the first one’s exit code', () => {
    const { source, forced, later } = setUp()
    source.emit('SIGINT')
    later(7500)
    source.emit('SIGTERM')
    expect(forced).toEqual([130])
  })

  it('takes the same Ctrl-C, delivered twice, for one', () => {
    const { source, forced, later } = setUp()
    source.emit('SIGINT')
    later(5)
    source.emit('SIGINT')
    expect(forced).toEqual([])
  })

  it('is forced when cleaning up takes longer than its budget', async () => {
    const { source, forced } = setUp(1)
    source.emit('SIGTERM')
    await expect.poll(() => forced).toEqual([143])
  })

  it('listens no more once disposed', () => {
    const { source, interruption } = setUp()
    interruption[Symbol.dispose]()
    expect(source.eventNames()).toEqual([])
  })
})
