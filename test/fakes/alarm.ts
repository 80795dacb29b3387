import type { Alarm } from '../../src/adapters/replay/alarm.ts'
import type { Clock } from '../../src/app/ports/clock.ts'

/** An alarm on a clock of the test's own, late by `lateUs`. */
export function fakeAlarm(clock: Clock, lateUs = 0): Alarm {
  let current = 0
  return {
    set(atUs, then) {
      const order = (current += 1)
      const leftMs = Math.max(0, atUs + lateUs - clock.nowUs()) / 1000
      void clock.sleep(leftMs).then(() => {
        if (order !== current) return
        current += 1
        then()
      })
    },
    clear() {
      current += 1
    },
  }
}
