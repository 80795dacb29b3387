import type { Clock } from '../../src/app/ports/clock.ts'

interface Sleeper {
  dueUs: number
  order: number
  wake(): void
}

export interface FakeClock extends Clock {
  /** Moves time on, waking sleepers in the order of their due times and letting what they woke run. */
  advanceMs(ms: number): Promise<void>
  /** Time has passed without anyone waiting for it: what slept until then is woken late. */
  moveToUs(us: number): void
  readonly sleeping: number
}

export interface FakeClockOptions {
  /** `manual`: time stands until `advanceMs`. `auto`: whenever everything waits, time jumps to the next sleeper. */
  mode?: 'manual' | 'auto'
  startUs?: number
  startWall?: string
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A clock that moves only as a test says. */
export function fakeClock(options: FakeClockOptions = {}): FakeClock {
  const startUs = options.startUs ?? 1_000_000
  const startWallMs = Date.parse(options.startWall ?? '2026-01-01T00:00:00.000Z')
  let nowUs = startUs
  let order = 0
  let isJumping = false
  const sleepers = new Set<Sleeper>()

  const next = () => [...sleepers].toSorted((a, b) => a.dueUs - b.dueUs || a.order - b.order)[0]
  const wake = (sleeper: Sleeper) => {
    sleepers.delete(sleeper)
    nowUs = Math.max(nowUs, sleeper.dueUs)
    sleeper.wake()
  }
  const jump = async () => {
    if (isJumping) return
    isJumping = true
    for (;;) {
      await settle()
      const sleeper = next()
      if (!sleeper) break
      wake(sleeper)
    }
    isJumping = false
  }
  return {
    nowUs: () => nowUs,
    wallTime: () => new Date(startWallMs + (nowUs - startUs) / 1000).toISOString(),
    sleep(ms, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason as Error)
      return new Promise<void>((resolve, reject) => {
        order += 1
        const abort = () => {
          sleepers.delete(sleeper)
          reject(signal?.reason as Error)
        }
        const sleeper: Sleeper = {
          dueUs: nowUs + Math.round(Math.max(0, ms) * 1000),
          order,
          wake() {
            signal?.removeEventListener('abort', abort)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', abort, { once: true })
        if (options.mode === 'auto') void jump()
      })
    },
    async advanceMs(ms) {
      const untilUs = nowUs + ms * 1000
      for (;;) {
        await settle()
        const sleeper = next()
        if (!sleeper || sleeper.dueUs > untilUs) break
        wake(sleeper)
      }
      nowUs = untilUs
    },
    moveToUs(us) {
      nowUs = Math.max(nowUs, us)
    },
    get sleeping() {
      return sleepers.size
    },
  }
}
