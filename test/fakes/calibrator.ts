import type { Calibrator } from '../../src/app/ports/calibrator.ts'
import type { Clock } from '../../src/app/ports/clock.ts'
import { GateError } from '../../src/core/kernel/errors.ts'
import type { Calibration, ClientIdentity } from '../../src/core/telemetry/calibration.ts'
import { isFresh, isSameClient } from '../../src/core/telemetry/calibration.ts'
import { covers } from '../../src/core/telemetry/calibration-evidence.ts'
import type { CalibrationNeed } from '../../src/core/telemetry/calibration-need.ts'
import { neededEventsPerSecond, roundedNeed } from '../../src/core/telemetry/calibration-need.ts'

export const FAKE_CLIENT: ClientIdentity = {
  machine: 'm'.repeat(16),
  cpuModel: 'virtual',
  cores: 2,
  kernel: '1.0',
  node: '24.0.0',
  clientSha256: 'c'.repeat(64),
}

/** What a client is found to be. Left out: one that is better than any manifest asks. */
export interface FakeClient {
  client?: ClientIdentity
  ttftP99Us?: number
  decodeP99Us?: number
  sendLagP99Us?: number
  cpuUsPerEvent?: number
}

export interface FakeCalibratorOptions {
  clock: Clock
  /** Asked at each measurement, counted from 1. A text is why it cannot be made. */
  find?: (measurement: number) => FakeClient | string
}

export interface FakeCalibrator extends Calibrator {
  readonly measurements: number
}

/** A calibration without a server: what it finds is said by a function. */
export function fakeCalibrator({ clock, find = () => ({}) }: FakeCalibratorOptions): FakeCalibrator {
  const kept: Calibration[] = []
  let measurements = 0
  const clientOf = (found: FakeClient | string): ClientIdentity =>
    typeof found === 'string' ? FAKE_CLIENT : (found.client ?? FAKE_CLIENT)
  return {
    get measurements() {
      return measurements
    },
    identity: async () => clientOf(find(measurements + 1)),
    kept: async (need) => {
      const fresh = (made: Calibration): boolean =>
        isFresh(made, clock.wallTime()) && isSameClient(made.client, clientOf(find(measurements + 1)))
      return kept.findLast((made) => covers(made.need, need) && fresh(made)) ?? null
    },
    keep: async (calibration) => void kept.push(calibration),
    async measure(need, signal) {
      signal.throwIfAborted()
      measurements += 1
      const found = find(measurements)
      const measuredAt = clock.wallTime()
      // No time passes: a run in virtual time is then the same with it as without.
      await clock.sleep(0, signal)
      if (typeof found === 'string') {
        throw new GateError({ code: 'calibration_failed', message: found, hint: 'find another way', exitCode: 4 })
      }
      return calibrationOf(need, found, measuredAt)
    },
  }
}

/** A calibration as it would be of such a client. */
export function calibrationOf(asked: CalibrationNeed, found: FakeClient = {}, measuredAt = MIDNIGHT): Calibration {
  const need = roundedNeed(asked)
  const spread = (p99Us: number) => ({ p50Us: Math.round(p99Us / 10), p99Us, n: 400 })
  return {
    schema: 1,
    made: true,
    client: found.client ?? FAKE_CLIENT,
    need,
    measuredAt,
    seconds: 10,
    attempt: 1,
    paced: {
      requestsPerSecond: need.milliRps / 1000,
      eventsPerSecond: neededEventsPerSecond(need),
      cpuUsPerEvent: 30,
    },
    errors: {
      ttft: spread(found.ttftP99Us ?? 100),
      e2e: spread(found.ttftP99Us ?? 100),
      decode: spread(found.decodeP99Us ?? 100),
      sendLag: spread(found.sendLagP99Us ?? 50),
    },
    heavy: { eventsPerSecond: 20_000, cpuUsPerEvent: found.cpuUsPerEvent ?? 10, readDelayP50Us: 300 },
  }
}

const MIDNIGHT = '2026-01-01T00:00:00.000Z'
