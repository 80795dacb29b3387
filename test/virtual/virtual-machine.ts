import type { Machine } from '../../src/app/ports/machine.ts'
import type { MachineSeen } from '../../src/core/telemetry/machine-line.ts'
import type { FakeClock } from '../fakes/clock.ts'
import type { FakeMachineOptions } from '../fakes/machine.ts'
import { busySample, fakeMachine, PLAIN_HOST } from '../fakes/machine.ts'

/** The fake in virtual time: a replay jumps over it, so the samples of every interval are told when the watch ends. */
export function virtualMachine(clock: FakeClock, options: Omit<FakeMachineOptions, 'clock'> = {}): Machine {
  const { sample = busySample } = options
  const { look } = fakeMachine({ clock, ...options })
  return {
    look,
    watch({ gpus, originUs, intervalMs }, onLine) {
      const startUs = clock.nowUs()
      let isOver = false
      return {
        async [Symbol.asyncDispose]() {
          if (isOver) return
          isOver = true
          for (let atUs = startUs; atUs <= clock.nowUs(); atUs += intervalMs * 1000) {
            const see = (seen: MachineSeen) => onLine({ t: 'machine', atUs: atUs - originUs, seen })
            see({ kind: 'host', host: PLAIN_HOST })
            if (gpus.length > 0) see({ kind: 'gpus', gpus: gpus.map((uuid) => sample(uuid)) })
          }
        },
      }
    },
  }
}
