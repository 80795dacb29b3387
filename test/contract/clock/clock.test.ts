import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Clock } from '../../../src/app/ports/clock.ts'
import { fakeClock } from '../../fakes/clock.ts'

const clocks: [string, () => Clock][] = [
  ['the system clock', systemClock],
  ['the fake clock', () => fakeClock({ mode: 'auto' })],
]

describe.each(clocks)('%s', (_, make) => {
  it('reads whole microseconds that never go back', () => {
    const clock = make()
    const readings = Array.from({ length: 1000 }, () => clock.nowUs())
    expect(readings.every(Number.isSafeInteger)).toBe(true)
    expect(readings).toEqual(readings.toSorted((a, b) => a - b))
  })

  it('tells the wall time in UTC', () => {
    const told = make().wallTime()
    expect(new Date(told).toISOString()).toBe(told)
  })

  it('sleeps at least as long as asked', async () => {
    const clock = make()
    const before = clock.nowUs()
    await clock.sleep(20)
    // A timer may fire up to a millisecond early on the monotonic clock.
    expect(clock.nowUs() - before).toBeGreaterThanOrEqual(19_000)
  })

  it('rejects a sleep with the reason of the abort', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const sleeping = make().sleep(60_000, controller.signal)
    queueMicrotask(() => controller.abort(reason))
    await expect(sleeping).rejects.toBe(reason)
  })

  it('rejects at once when the signal is already aborted', async () => {
    const reason = new Error('before')
    await expect(make().sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('takes a negative wait for none', async () => {
    const clock = make()
    const before = clock.nowUs()
    await clock.sleep(-5000)
    expect(clock.nowUs()).toBeGreaterThanOrEqual(before)
  })
})

describe('the system clock', () => {
  it('does not take a wait of years for one that is over', async () => {
    const clock = systemClock()
    const controller = new AbortController()
    const woken: string[] = []
    const long = clock.sleep(1e12, controller.signal).then(
      () => woken.push('long'),
      () => woken.push('aborted'),
    )
    await clock.sleep(5).then(() => woken.push('short'))
    controller.abort()
    await long
    expect(woken).toEqual(['short', 'aborted'])
  })
})
