import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localCalibrator } from '../../../src/adapters/calibration/calibrator.ts'
import { createReplay } from '../../../src/adapters/replay/replay.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Calibrator } from '../../../src/app/ports/calibrator.ts'
import type { Clock } from '../../../src/app/ports/clock.ts'
import type { Calibration } from '../../../src/core/telemetry/calibration.ts'
import { covers } from '../../../src/core/telemetry/calibration-evidence.ts'
import { parseCalibration } from '../../../src/core/telemetry/calibration-file.ts'
import type { CalibrationNeed } from '../../../src/core/telemetry/calibration-need.ts'
import { neededEventsPerSecond, PLAIN_NEED } from '../../../src/core/telemetry/calibration-need.ts'
import { fakeCalibrator } from '../../fakes/calibrator.ts'

const root = join(import.meta.dirname, '../../..')
const never = new AbortController().signal
const HOUR_MS = 3_600_000
const NEED: CalibrationNeed = {
  ...PLAIN_NEED,
  milliRps: 40_000,
  classes: [
    { name: 'short', weight: 3, inputTokens: 64, outputTokens: 8 },
    { name: 'long', weight: 1, inputTokens: 200, outputTokens: 16 },
  ],
}

let folder: string
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'calibrator-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Stage {
  calibrator: Calibrator
  /** One whose measurement cannot be made. */
  broken: Calibrator
  later(ms: number): void
}

function localStage(): Stage {
  const clock = systemClock()
  let aheadMs = 0
  const moved: Clock = { ...clock, wallTime: () => new Date(Date.parse(clock.wallTime()) + aheadMs).toISOString() }
  const broken = join(folder, 'broken.mjs')
  writeFileSync(broken, 'throw new Error("no port may be opened")')
  const shared = { clock: moved, replay: createReplay(clock), stateParent: folder }
  return {
    calibrator: localCalibrator({ ...shared, serverPath: join(root, 'src/entry/null-server.ts') }),
    broken: localCalibrator({ ...shared, serverPath: broken }),
    later: (ms) => void (aheadMs += ms),
  }
}

function fakeStage(): Stage {
  let atMs = 0
  const clock: Clock = {
    nowUs: () => atMs * 1000,
    wallTime: () => new Date(atMs).toISOString(),
    sleep: async (_, signal) => signal?.throwIfAborted(),
  }
  return {
    calibrator: fakeCalibrator({ clock }),
    broken: fakeCalibrator({ clock, find: () => 'no port may be opened' }),
    later: (ms) => void (atMs += ms),
  }
}

describe.each<[string, () => Stage]>([
  ['the calibrator of this machine', localStage],
  ['the fake calibrator', fakeStage],
])('%s', (_, makeStage) => {
  let stage: Stage
  let made: Calibration
  beforeAll(async () => {
    stage = makeStage()
    made = await stage.calibrator.measure(NEED, never)
  })

  it('measures the load that is needed, and leaves plain values', () => {
    expect(covers(made.need, NEED)).toBe(true)
    expect(made.paced.eventsPerSecond).toBeGreaterThan(neededEventsPerSecond(NEED) * 0.5)
    for (const spread of Object.values(made.errors)) {
      expect(spread.n).toBeGreaterThan(100)
      expect(spread.p99Us).toBeGreaterThanOrEqual(spread.p50Us)
    }
    expect(made.seconds).toBeLessThan(60)
    expect(parseCalibration(JSON.stringify(made))).toEqual(made)
  })

  it('is one and the same client each time that it is asked', async () => {
    expect(await stage.calibrator.identity()).toEqual(made.client)
    expect(made.client.clientSha256).toMatch(/^[0-9a-f]{64}$/)
  })

  it('keeps nothing by itself; what is kept serves the same load at lower rates too, for a day', async () => {
    const { calibrator, later } = stage
    expect(await calibrator.kept(NEED)).toBeNull()
    await calibrator.keep(made)
    expect(await calibrator.kept(NEED)).toEqual(made)
    expect(await calibrator.kept({ ...NEED, milliRps: NEED.milliRps + 1 })).toEqual(made)
    expect(await calibrator.kept({ ...NEED, milliRps: 2 * NEED.milliRps })).toBeNull()
    expect(await calibrator.kept({ ...NEED, endpoint: 'chat' })).toBeNull()
    later(23 * HOUR_MS)
    expect(await calibrator.kept(NEED)).toEqual(made)
    later(2 * HOUR_MS)
    expect(await calibrator.kept(NEED)).toBeNull()
  })

  it('keeps one only for the client that was measured', async () => {
    const { calibrator } = stage
    const load = { ...NEED, milliRps: 7000 }
    const need = { ...made.need, milliRps: 7000 }
    await calibrator.keep({ ...made, need, client: { ...made.client, node: '26.0.0' } })
    expect(await calibrator.kept(load)).toBeNull()
  })

  it('rejects with the signal’s reason when it is aborted', async () => {
    const reason = new Error('enough')
    await expect(stage.calibrator.measure(NEED, AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('says why it could not be made', async () => {
    const failure = {
      code: 'calibration_failed',
      exitCode: 4,
      message: expect.stringContaining('no port may be opened'),
    }
    await expect(stage.broken.measure(NEED, never)).rejects.toMatchObject(failure)
  })
})
