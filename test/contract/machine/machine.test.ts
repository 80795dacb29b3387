import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemMachine } from '../../../src/adapters/machine/machine.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Clock } from '../../../src/app/ports/clock.ts'
import type { Machine, MachineLook } from '../../../src/app/ports/machine.ts'
import type { TelemetryLine } from '../../../src/core/telemetry/line.ts'
import { encodeTelemetry, parseTelemetry } from '../../../src/core/telemetry/file.ts'
import type { MachineSeen } from '../../../src/core/telemetry/machine-line.ts'
import { machineStateSchema } from '../../../src/core/telemetry/machine-schema.ts'
import { fakeMachine, gpuMachine, plainMachine } from '../../fakes/machine.ts'
import { standInGpu, standInMachine } from '../../fakes/stand-in-machine.ts'

interface Bench extends Disposable {
  machine: Machine
  clock: Clock
  /** Of the GPUs it has. */
  gpus: string[]
}

/** The real one runs nvidia-smi and dmesg from the PATH: here stand-ins for them. */
function standInBench(): Bench {
  const folder = mkdtempSync(join(tmpdir(), 'machine-'))
  const gpus = [standInGpu(0), standInGpu(1)]
  const { env } = standInMachine(folder, { gpus, log: [] })
  const before = { PATH: process.env['PATH'], STAND_IN_MACHINE: process.env['STAND_IN_MACHINE'] }
  Object.assign(process.env, env)
  const clock = systemClock()
  const machine = systemMachine({ clock, diskPath: folder })
  return {
    machine,
    clock,
    gpus: gpus.map(({ uuid }) => uuid),
    [Symbol.dispose]() {
      process.env['PATH'] = before.PATH
      delete process.env['STAND_IN_MACHINE']
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const benches: [string, () => Bench][] = [
  [
    'the fake',
    () => {
      const clock = systemClock()
      const state = gpuMachine(2)
      const seen = (_: number, order: MachineLook) => (order.withGpus ? state : plainMachine())
      const gpus = (state.gpus ?? []).map(({ uuid }) => uuid)
      return { machine: fakeMachine({ clock, state: seen }), clock, gpus, [Symbol.dispose]() {} }
    },
  ],
  ['the system, with stand-ins for its programs', standInBench],
]

const never = new AbortController().signal
const look = { withGpus: true, dcgmUrl: 'none', owned: null } as const

describe.each(benches)('%s', (_, make) => {
  it('looks at GPUs, processes, log and host, in the shape that telemetry keeps', async () => {
    using bench = make()
    const state = await bench.machine.look(look, never)
    expect(machineStateSchema.safeParse(state).success).toBe(true)
    expect(state.gpus?.map(({ uuid }) => uuid)).toEqual(bench.gpus)
    expect(state).toMatchObject({ gpusWhy: null, processes: [], kernel: { xids: [], oomKills: [] } })
    expect(state.host.diskFreeMib).toBeGreaterThan(0)
  })

  it('without GPUs asked for tells nothing of them, and why', async () => {
    using bench = make()
    const state = await bench.machine.look({ ...look, withGpus: false }, never)
    expect(state).toMatchObject({ gpus: null, processes: null, kernel: null, gpusWhy: expect.stringMatching(/./) })
  })

  it('ends a look with the reason of the abort', async () => {
    using bench = make()
    const reason = new Error('cancelled')
    await expect(bench.machine.look(look, AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('samples every GPU again and again, and nothing more once it is over', async () => {
    using bench = make()
    const lines: TelemetryLine[] = []
    const originUs = bench.clock.nowUs()
    const order = { ...look, gpus: bench.gpus, originUs, intervalMs: 50 }
    const watch = bench.machine.watch(order, (line) => lines.push(line))
    const seen = () => lines.flatMap((line): MachineSeen[] => (line.t === 'machine' ? [line.seen] : []))
    await expect.poll(() => seen().filter(({ kind }) => kind === 'gpus').length).toBeGreaterThanOrEqual(3)
    await expect.poll(() => seen().filter(({ kind }) => kind === 'host').length).toBeGreaterThanOrEqual(3)
    await watch[Symbol.asyncDispose]()
    const told = lines.length
    const sampled = seen().flatMap((one) => (one.kind === 'gpus' ? [one.gpus.map(({ uuid }) => uuid)] : []))
    expect(new Set(sampled.map((uuids) => uuids.join()))).toEqual(new Set([bench.gpus.join()]))
    for (const line of lines) expect('atUs' in line ? line.atUs : -1).toBeGreaterThanOrEqual(0)
    await new Promise((resolve) => setImmediate(resolve))
    expect(lines).toHaveLength(told)
    expect(() => parseTelemetry(encodeTelemetry(lines))).toThrow(/facts/)
  })
})
