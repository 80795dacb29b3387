import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { localCalibrator } from '../../../../src/adapters/calibration/calibrator.ts'
import { clientIdentity } from '../../../../src/adapters/calibration/client-identity.ts'
import { keepCalibration, keptCalibration } from '../../../../src/adapters/calibration/kept-calibrations.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import type { Replay } from '../../../../src/app/ports/replay.ts'
import { calibrationNeed } from '../../../../src/core/telemetry/calibration-need.ts'
import { calibrationOf, FAKE_CLIENT } from '../../../fakes/calibrator.ts'
import { fakeReplay } from '../../../fakes/replay.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { workedExample } from '../../../virtual/virtual-manifest.ts'

const NOW = '2026-01-02T00:00:00.000Z'
const need = calibrationNeed(workedExample(), 28_000)
const never = new AbortController().signal
const serverPath = join(import.meta.dirname, '../../../../src/entry/null-server.ts')

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'kept-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const kept = () => keptCalibration(FAKE_CLIENT, need, NOW, folder)
const filesOf = (parent: string) => {
  const [state = ''] = readdirSync(parent)
  return readdirSync(join(parent, state)).map((name) => join(parent, state, name))
}

describe('calibrations that are kept', () => {
  test('count as none where the file is cut, foreign or from the future', async () => {
    const made = calibrationOf(need, {}, '2026-01-01T12:00:00.000Z')
    await keepCalibration(made, folder)
    expect(await kept()).toEqual(made)
    const [file = ''] = filesOf(folder)
    for (const text of ['', '{', 'x'.repeat(5_000_000), JSON.stringify({ ...made, need: { ...need, milliRps: 1 } })]) {
      writeFileSync(file, text)
      expect(await kept()).toBeNull()
    }
    await keepCalibration({ ...made, measuredAt: '2026-01-02T00:00:01.000Z' }, folder)
    expect(await kept()).toBeNull()
  })

  test('are removed after a day, and nothing else is', async () => {
    await keepCalibration(calibrationOf(need, {}, NOW), folder)
    const [file = ''] = filesOf(folder)
    const lock = join(file, '..', 'port-1.lock')
    writeFileSync(lock, '')
    const old = new Date('2025-12-31T00:00:00.000Z')
    for (const path of [file, lock]) utimesSync(path, old, old)
    const other = { ...need, milliRps: 1000 }
    await keepCalibration(calibrationOf(other, {}, NOW), folder)
    expect(filesOf(folder)).toHaveLength(2)
    expect(filesOf(folder)).toContain(lock)
    expect(filesOf(folder)).not.toContain(file)
  })

  test('are no failure where nothing can be written', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    await keepCalibration(calibrationOf(need), file)
    expect(await keptCalibration(FAKE_CLIENT, need, NOW, file)).toBeNull()
  })
})

describe('the client’s identity', () => {
  test('changes with any program of a bundle, and with nothing else beside them', async () => {
    const server = join(folder, 'null-server.js')
    for (const name of ['null-server.js', 'cli.js', 'licenses.txt']) writeFileSync(join(folder, name), name)
    const first = await clientIdentity(server)
    writeFileSync(join(folder, 'licenses.txt'), 'other')
    expect(await clientIdentity(server)).toEqual(first)
    writeFileSync(join(folder, 'cli.js'), 'other')
    expect((await clientIdentity(server)).clientSha256).not.toBe(first.clientSha256)
  })

  test('of a clone is that of what sends, reads and measures', async () => {
    const adapters = ['adapters/replay', 'adapters/calibration', 'adapters/system']
    const core = ['core/dialect', 'core/schedule', 'core/stream', 'core/telemetry']
    const sources = [...adapters, ...core, 'entry', 'core/gate']
    for (const name of sources) {
      mkdirSync(join(folder, 'src', name), { recursive: true })
      writeFileSync(join(folder, 'src', name, 'one.ts'), name)
    }
    const server = join(folder, 'src/entry/null-server.ts')
    const first = await clientIdentity(server)
    writeFileSync(join(folder, 'src/core/gate/one.ts'), 'other')
    expect(await clientIdentity(server)).toEqual(first)
    writeFileSync(join(folder, 'src/core/stream/one.ts'), 'other')
    expect((await clientIdentity(server)).clientSha256).not.toBe(first.clientSha256)
    expect(first.machine).toMatch(/^[0-9a-f]{16}$/)
  })
})

describe('a calibration', () => {
  test('fails where its requests do, and says with what', async () => {
    const replay = fakeReplay({
      clock: fakeClock({ mode: 'auto' }),
      answer: () => ({ status: 'error', errorCode: 'client_resource' }),
    })
    const calibrator = localCalibrator({ clock: systemClock(), replay, serverPath, stateParent: folder })
    await expect(calibrator.measure(need, never)).rejects.toMatchObject({
      code: 'calibration_failed',
      message: expect.stringMatching(/\d+ of \d+ requests to the null server failed \(client_resource\)/),
    })
  })

  test('fails where the load generator does, and passes an interruption on', async () => {
    const breaking = (error: () => Error): Replay => ({
      send: () => Promise.reject(error()),
      run: () => Promise.reject(error()),
    })
    const measure = (replay: Replay, signal = never) =>
      localCalibrator({ clock: systemClock(), replay, serverPath, stateParent: folder }).measure(need, signal)
    await expect(measure(breaking(() => new Error('no sockets')))).rejects.toMatchObject({
      code: 'calibration_failed',
      message: expect.stringContaining('no sockets'),
    })
    const controller = new AbortController()
    const interrupted = breaking(() => {
      controller.abort(new Error('interrupted'))
      return new Error('gone')
    })
    await expect(measure(interrupted, controller.signal)).rejects.toThrow('interrupted')
  })
})
