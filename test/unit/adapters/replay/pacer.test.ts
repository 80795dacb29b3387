import { describe, expect, it } from 'vitest'
import type { IdleWork } from '../../../../src/adapters/replay/pacer.ts'
import { Pacer } from '../../../../src/adapters/replay/pacer.ts'
import { fakeClock } from '../../../fakes/clock.ts'

const never = new AbortController().signal
const noWork: IdleWork = { sliceUs: 500, slice: () => false }

/** A pacer on a clock where a loop turn takes `turnUs`, a nap 70 µs more than was asked for, and timers are late by `lateMs`. */
function stage(lateMs = 0, turnUs = 100) {
  const clock = fakeClock({ mode: 'auto' })
  const sleeps: number[] = []
  const late = {
    ...clock,
    nowUs: () => clock.nowUs(),
    sleep(ms: number, signal?: AbortSignal) {
      sleeps.push(ms)
      return clock.sleep(ms + lateMs, signal)
    },
  }
  let turns = 0
  const naps: number[] = []
  const turn = (then: () => void) => {
    turns += 1
    void clock.sleep(turnUs / 1000).then(then)
  }
  const nap = (us: number) => {
    naps.push(us)
    clock.moveToUs(clock.nowUs() + us + 70)
  }
  const pacer = new Pacer(late, turn, nap)
  return { clock, pacer, sleeps, naps, turns: () => turns }
}

describe('Pacer', () => {
  it('wakes in the loop turn after the due time, however late timers are', async () => {
    for (const [lateMs, turnUs] of [
      [0, 100],
      [1, 100],
      [0, 10],
      [1, 10],
    ] as const) {
      const { clock, pacer } = stage(lateMs, turnUs)
      const dueUs = clock.nowUs() + 50_000
      await pacer.until(dueUs, noWork, never)
      expect(clock.nowUs() - dueUs).toBeGreaterThanOrEqual(0)
      expect(clock.nowUs() - dueUs).toBeLessThanOrEqual(turnUs)
    }
  })

  it('sleeps through the most of a wait and polls the rest', async () => {
    const { clock, pacer, sleeps, turns } = stage()
    await pacer.until(clock.nowUs() + 50_000, noWork, never)
    expect(sleeps).toEqual([48])
    expect(turns()).toBeLessThan(25)
  })

  it('naps while there is nothing to read, and not right before the due time', async () => {
    const quiet = stage(0, 10)
    const dueUs = quiet.clock.nowUs() + 50_000
    await quiet.pacer.until(dueUs, noWork, never)
    expect(quiet.naps.length).toBeGreaterThan(5)
    expect(Math.max(...quiet.naps)).toBeLessThanOrEqual(50)
    expect(quiet.turns()).toBeGreaterThan(quiet.naps.length)
    const busy = stage(0, 100)
    await busy.pacer.until(busy.clock.nowUs() + 50_000, noWork, never)
    expect(busy.naps).toEqual([])
  })

  it('does not wait for what is due', async () => {
    const { clock, pacer, turns } = stage()
    await pacer.until(clock.nowUs(), { sliceUs: 0, slice: () => true }, never)
    expect(turns()).toBe(0)
  })

  it('does idle work in slices, a loop turn after each, and never so that it could delay a due time', async () => {
    const { clock, pacer } = stage()
    const dueUs = clock.nowUs() + 5000
    const leftUs: number[] = []
    const work: IdleWork = {
      sliceUs: 800,
      slice() {
        leftUs.push(dueUs - clock.nowUs())
        return true
      },
    }
    await pacer.until(dueUs, work, never)
    expect(leftUs.length).toBeGreaterThan(30)
    expect(Math.min(...leftUs)).toBeGreaterThan(800)
    expect(new Set(leftUs).size).toBe(leftUs.length)
  })

  it('asks for idle work again after each sleep', async () => {
    const { clock, pacer } = stage()
    let asked = 0
    const work: IdleWork = {
      sliceUs: 500,
      slice() {
        asked += 1
        return false
      },
    }
    await pacer.until(clock.nowUs() + 20_000, work, never)
    expect(asked).toBe(2)
  })

  it('rejects with what idle work throws', async () => {
    const { clock, pacer } = stage()
    const work: IdleWork = {
      sliceUs: 500,
      slice() {
        throw new Error('no body')
      },
    }
    await expect(pacer.until(clock.nowUs() + 20_000, work, never)).rejects.toThrow('no body')
  })

  it('returns when it is halted, asleep or polling', async () => {
    const { clock, pacer } = stage()
    for (const afterMs of [10, 49]) {
      const halt = new AbortController()
      const dueUs = clock.nowUs() + 50_000
      void clock.sleep(afterMs).then(() => halt.abort())
      await pacer.until(dueUs, noWork, halt.signal)
      expect(clock.nowUs()).toBeLessThan(dueUs)
    }
  })
})
