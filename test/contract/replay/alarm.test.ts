import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { ThreadAlarm } from '../../../src/adapters/replay/alarm.ts'
import type { Alarm } from '../../../src/adapters/replay/alarm.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Clock } from '../../../src/app/ports/clock.ts'
import { fakeAlarm } from '../../fakes/alarm.ts'
import { fakeClock } from '../../fakes/clock.ts'

interface Stage extends AsyncDisposable {
  clock: Clock
  alarm: Alarm
}

const stages: Record<string, () => Stage> = {
  'the fake': () => {
    const clock = fakeClock({ mode: 'auto' })
    return { clock, alarm: fakeAlarm(clock), [Symbol.asyncDispose]: async () => undefined }
  },
  'a thread': () => realStage(new ThreadAlarm()),
  'a thread that cannot be started': () => {
    const start = () => {
      throw new Error('ERR_WORKER_INIT_FAILED')
    }
    return realStage(new ThreadAlarm(start))
  },
  'a thread that ends': () => realStage(new ThreadAlarm(() => new Worker('', { eval: true }))),
  'a thread that fails': () => realStage(new ThreadAlarm(() => new Worker('throw new Error()', { eval: true }))),
}

function realStage(alarm: ThreadAlarm): Stage {
  return { clock: systemClock(), alarm, [Symbol.asyncDispose]: () => alarm[Symbol.asyncDispose]() }
}

describe.each(Object.entries(stages))('Alarm: %s', (_, stage) => {
  const ring = (alarm: Alarm, atUs: number) => new Promise<void>((resolve) => alarm.set(atUs, resolve))

  it('calls back once, and not before its time', async () => {
    await using staged = stage()
    const { clock, alarm } = staged
    for (const us of [0, 1, 300, 2500, 40_000]) {
      const atUs = clock.nowUs() + us
      await ring(alarm, atUs)
      expect(clock.nowUs()).toBeGreaterThanOrEqual(atUs)
    }
  })

  it('rings at once for a time that has passed', async () => {
    await using staged = stage()
    await expect(ring(staged.alarm, staged.clock.nowUs() - 1_000_000)).resolves.toBeUndefined()
  })

  it('forgets what was set before, be the new time earlier or later', async () => {
    await using staged = stage()
    const { clock, alarm } = staged
    const rung: string[] = []
    alarm.set(clock.nowUs() + 20_000, () => rung.push('first'))
    await ring(alarm, clock.nowUs() + 1000)
    alarm.set(clock.nowUs() + 1000, () => rung.push('third'))
    await ring(alarm, clock.nowUs() + 30_000)
    expect(rung).toEqual([])
  })

  it('calls nothing back once it is cleared, and rings again when it is set anew', async () => {
    await using staged = stage()
    const { clock, alarm } = staged
    const rung: string[] = []
    alarm.set(clock.nowUs() + 1000, () => rung.push('cleared'))
    alarm.clear()
    await clock.sleep(20)
    await ring(alarm, clock.nowUs() + 1000)
    expect(rung).toEqual([])
  })

  it('loses none of many that are set from within one another, replaced or not', async () => {
    await using staged = stage()
    const { clock, alarm } = staged
    let rung = 0
    for (let each = 0; each < 1500; each += 1) {
      if (each % 3 === 0) alarm.set(clock.nowUs() + 200, () => undefined)
      await ring(alarm, clock.nowUs() + (each % 5) * 30)
      rung += 1
    }
    expect(rung).toBe(1500)
  })
})

describe('a thread that ends while it is waited for', () => {
  const DEAF = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'

  it('leaves its order to a timer', async () => {
    const thread = new Worker(DEAF, { eval: true })
    await using alarm = new ThreadAlarm(() => thread)
    await once(thread, 'online')
    const clock = systemClock()
    const atUs = clock.nowUs() + 5000
    const rung = new Promise<void>((resolve) => alarm.set(atUs, resolve))
    await thread.terminate()
    await rung
    expect(clock.nowUs()).toBeGreaterThanOrEqual(atUs)
  })

  it('rings for nothing that was cleared before', async () => {
    const thread = new Worker(DEAF, { eval: true })
    await using alarm = new ThreadAlarm(() => thread)
    const rung: string[] = []
    alarm.set(0, () => rung.push('cleared'))
    alarm.clear()
    await thread.terminate()
    await new Promise<void>((resolve) => alarm.set(systemClock().nowUs() + 3000, resolve))
    expect(rung).toEqual([])
  })
})
