import { describe, expect, it } from 'vitest'
import type { Alarm } from '../../../../src/adapters/replay/alarm.ts'
import type { IdleWork } from '../../../../src/adapters/replay/pacer.ts'
import { Pacer } from '../../../../src/adapters/replay/pacer.ts'
import { fakeAlarm } from '../../../fakes/alarm.ts'
import { fakeClock } from '../../../fakes/clock.ts'

const TURN_US = 10
const never = new AbortController().signal
const noWork: IdleWork = { sliceUs: 500, slice: () => false }

/** A pacer on a clock where a loop turn takes 10 µs and the alarm is late by `lateUs`. */
function stage(lateUs = 0) {
  const clock = fakeClock({ mode: 'auto' })
  const late = fakeAlarm(clock, lateUs)
  let turns = 0
  let sleeps = 0
  const turn = (then: () => void) => {
    turns += 1
    void clock.sleep(TURN_US / 1000).then(then)
  }
  const alarm: Alarm = {
    set(atUs, then) {
      sleeps += 1
      late.set(atUs, then)
    },
    clear: () => late.clear(),
  }
  return { clock, pacer: new Pacer(clock, turn, alarm), turns: () => turns, sleeps: () => sleeps }
}

describe('Pacer', () => {
  it('wakes in the loop turn after the due time, if the alarm is late by no more than is polled', async () => {
    for (const lateUs of [0, 100, 240]) {
      const { clock, pacer } = stage(lateUs)
      const dueUs = clock.nowUs() + 50_000
      await pacer.until(dueUs, noWork, never)
      expect(clock.nowUs() - dueUs).toBeGreaterThanOrEqual(0)
      expect(clock.nowUs() - dueUs).toBeLessThanOrEqual(TURN_US)
    }
  })

  it('wakes as soon as an alarm rings that is later than that', async () => {
    const { clock, pacer } = stage(900)
    const dueUs = clock.nowUs() + 50_000
    await pacer.until(dueUs, noWork, never)
    expect(clock.nowUs() - dueUs).toBeGreaterThan(0)
    expect(clock.nowUs() - dueUs).toBeLessThan(900)
  })

  it('sleeps through the most of a wait, and polls the rest', async () => {
    const { clock, pacer, sleeps, turns } = stage()
    await pacer.until(clock.nowUs() + 50_000, noWork, never)
    expect(sleeps()).toBe(1)
    expect(turns()).toBeLessThanOrEqual(250 / TURN_US)
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

  it('asks for idle work again each second of a long wait', async () => {
    const { clock, pacer } = stage()
    const startUs = clock.nowUs()
    const askedUs: number[] = []
    const work: IdleWork = {
      sliceUs: 500,
      slice() {
        askedUs.push(clock.nowUs() - startUs)
        return false
      },
    }
    await pacer.until(startUs + 3_500_000, work, never)
    expect(askedUs).toEqual([0, 1_000_000, 2_000_000, 3_000_000])
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

  it('returns in the loop turn in which it is halted, asleep or polling, and is not called again by its alarm', async () => {
    const { clock, pacer } = stage()
    for (const afterUs of [10_000, 49_900]) {
      const halt = new AbortController()
      const haltUs = clock.nowUs() + afterUs
      void clock.sleep(afterUs / 1000).then(() => halt.abort())
      let asked = 0
      const work: IdleWork = { sliceUs: 0, slice: () => (asked += 1) < 0 }
      await pacer.until(haltUs + 50_000 - afterUs, work, halt.signal)
      expect(clock.nowUs() - haltUs).toBeLessThanOrEqual(TURN_US)
      const askedByThen = asked
      await clock.sleep(100)
      expect(asked).toBe(askedByThen)
    }
  })
})
