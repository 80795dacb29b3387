import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { boundedCommand } from '../../../../src/adapters/machine/bounded-command.ts'
import { containerStates } from '../../../../src/adapters/machine/container-state.ts'
import { GpuSampler } from '../../../../src/adapters/machine/gpu-sampler.ts'
import { systemMachine } from '../../../../src/adapters/machine/machine.ts'
import { nvidiaSmi } from '../../../../src/adapters/machine/nvidia-smi.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import type { MachineWatch } from '../../../../src/app/ports/machine.ts'
import { newestColumns } from '../../../../src/core/telemetry/gpu-query.ts'
import type { MachineSeen } from '../../../../src/core/telemetry/machine-line.ts'
import { ownUser } from '../../../fakes/own-user.ts'
import type { StandIn, StandInScenario } from '../../../fakes/stand-in-machine.ts'
import { standInGpu, standInMachine } from '../../../fakes/stand-in-machine.ts'
import { machineFixture } from '../../telemetry/machine/fixture.ts'

let folder: string
let standIn: StandIn
const earlierPath = process.env['PATH']
const gpu = standInGpu(0)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'machine-'))
  standIn = standInMachine(folder, { gpus: [gpu], log: [] })
  Object.assign(process.env, standIn.env)
})
afterEach(() => {
  process.env['PATH'] = earlierPath
  delete process.env['STAND_IN_MACHINE']
  rmSync(folder, { recursive: true, force: true })
})

const never = new AbortController().signal
const look = { withGpus: true, dcgmUrl: 'none', owned: null } as const
const clock = systemClock()
const machineHere = () => systemMachine({ clock, diskPath: folder })

/** Watches until what was seen is as wanted; what was seen is what is returned. */
async function watched(until: (seen: MachineSeen[]) => boolean, order: Partial<MachineWatch> = {}) {
  const seen: MachineSeen[] = []
  const machine = machineHere()
  const watch = machine.watch({ ...look, gpus: [gpu.uuid], originUs: 0, intervalMs: 50, ...order }, (line) => {
    if (line.t === 'machine') seen.push(line.seen)
  })
  await expect.poll(() => until(seen)).toBe(true)
  await watch[Symbol.asyncDispose]()
  return seen
}

const gaps = (seen: readonly MachineSeen[]) => seen.flatMap((one) => (one.kind === 'gap' ? [one.error] : []))
const tell = (change: Partial<StandInScenario>) => standIn.tell({ gpus: [gpu], log: [], ...change })

describe('a program of the system', () => {
  it('that is missing, fails, hangs or prints without end says so, and is never an error', async () => {
    const node = boundedCommand(process.execPath)
    expect((await boundedCommand('no-such-program').run([], 5000)).why).toContain('is not installed')
    expect((await boundedCommand('/').run([], 5000)).why).toBe('/ cannot be started (EACCES)')
    expect(await node.run(['-e', 'console.log("some");console.error("no driver");process.exit(9)'], 5000)).toEqual({
      stdout: 'some',
      why: expect.stringContaining('said: no driver some'),
    })
    expect((await node.run(['-e', 'setInterval(() => {}, 1000)'], 200)).why).toContain('gave no answer within 0.2 s')
    expect((await node.run(['-e', 'process.stdout.write("x".repeat(2e7))'], 20_000)).why).toContain('printed more than')
  })
})

describe('nvidia-smi', () => {
  it('of a driver without some fields is asked without them, by the older name where there is one', async () => {
    tell({ lacks: ['clocks_event_reasons.active', 'temperature.memory'] })
    const columns = await nvidiaSmi().columns()
    const names = 'why' in columns ? [] : columns.map(({ name }) => name)
    expect(names).toContain('clocks_throttle_reasons.active')
    expect(names).not.toContain('temperature.memory')
  })

  it('that fails says what it said', async () => {
    tell({ fails: 'NVIDIA-SMI has failed because it couldn’t communicate with the NVIDIA driver.' })
    for (const asked of [nvidiaSmi().report(), nvidiaSmi().list(), nvidiaSmi().columns(), nvidiaSmi().processes()]) {
      expect(await asked).toMatchObject({ why: expect.stringContaining('communicate with the NVIDIA driver') })
    }
    const state = await machineHere().look(look, never)
    expect(state).toMatchObject({ gpus: null, processes: null, gpusWhy: expect.stringContaining('NVIDIA driver') })
  })

  it('lists GPUs by number and UUID', async () => {
    expect(await nvidiaSmi().list()).toEqual([{ index: 0, uuid: gpu.uuid }])
  })
})

describe('a look', () => {
  it('names a process’s user, and tells the engine’s own from others', async () => {
    const processes = [
      { pid: process.pid, name: 'ours', usedMib: 7 },
      { pid: process.ppid, name: 'another', usedMib: 9 },
      { pid: 2 ** 22 + 5, name: 'gone', usedMib: 1 },
    ]
    tell({ gpus: [{ ...gpu, processes }] })
    const owned = async () => ({ pids: [process.pid], containers: [] })
    const state = await machineHere().look({ ...look, owned }, never)
    expect(state.processes?.map(({ ours }) => ours)).toEqual([true, false, null])
    expect(state.processes?.[0]).toMatchObject({ gpu: gpu.uuid, user: ownUser(), usedMib: 7 })
    const nobodys = await machineHere().look(look, never)
    expect(nobodys.processes?.map(({ ours }) => ours)).toEqual([null, null, null])
  })

  it('takes a log that may not be read for unknown', async () => {
    standIn.tell({ gpus: [gpu] })
    expect((await machineHere().look(look, never)).kernel).toBeNull()
  })

  it('reads Xids of the log', async () => {
    tell({ log: machineFixture('dmesg.txt').split('\n') })
    expect((await machineHere().look(look, never)).kernel?.xids.map(({ code }) => code)).toContain(79)
  })

  it('tells who else used the processors since the look before, and leaves out us and the engine', async () => {
    const machine = machineHere()
    const order = { ...look, withGpus: false, owned: async () => ({ pids: [1], containers: [] }) }
    expect((await machine.look(order, never)).host.busy).toBeNull()
    const { busy } = (await machine.look(order, never)).host
    expect(busy?.every(({ pid }) => ![process.pid, process.ppid, 1].includes(pid))).toBe(true)
  })

  it('reads a DCGM exporter’s page by UUID; one that is none is null', async () => {
    const server = createServer((_, response) => response.end(machineFixture('dcgm-exporter.txt')))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const dcgmUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`
    await using machine = machineHere()
    expect(Object.keys((await machine.look({ ...look, dcgmUrl }, never)).dcgm ?? {})).toHaveLength(3)
    await new Promise((resolve) => server.close(resolve))
    expect((await machine.look({ ...look, dcgmUrl }, never)).dcgm).toBeNull()
  })

  it('is not waited for once it is aborted, however long nvidia-smi hangs', async () => {
    tell({ hangs: ['report'] })
    const abort = new AbortController()
    const looking = machineHere().look(look, abort.signal)
    const reason = new Error('cancelled')
    abort.abort(reason)
    await expect(looking).rejects.toBe(reason)
  })
})

describe('a watch', () => {
  it('sees a stranger come, and asks once more before it calls anyone one', async () => {
    const processes = [{ pid: process.pid, name: 'worker', usedMib: 7 }]
    tell({ gpus: [{ ...gpu, processes }] })
    let asked = 0
    const owned = async () => ({ pids: (asked += 1) > 0 ? [process.pid] : [], containers: [] })
    const lists = (seen: MachineSeen[]) => seen.flatMap((one) => (one.kind === 'processes' ? [one.processes] : []))
    expect(lists(await watched((seen) => lists(seen).length > 0, { owned }))[0]?.[0]?.ours).toBe(true)
    const strangers = { owned: async () => ({ pids: [], containers: [] }) }
    expect(lists(await watched((seen) => lists(seen).length > 0, strangers))[0]?.[0]?.ours).toBe(false)
  })

  it('tells of an nvidia-smi that ends, starts it again a few times, and then gives up', async () => {
    tell({ loopEnds: true })
    const samples = (seen: MachineSeen[]) => seen.filter(({ kind }) => kind === 'gpus').length
    const seen = await watched((lines) => samples(lines) >= 4)
    expect(samples(seen)).toBe(4)
    expect(gaps(seen)).toEqual(['nvidia-smi ended with exit code 0'])
  })

  it('tells of a list of processes that does not come, and samples on', async () => {
    tell({ hangs: ['processes'] })
    const seen = await watched((lines) => gaps(lines).length > 0 && lines.some(({ kind }) => kind === 'gpus'))
    expect(gaps(seen)[0]).toMatch(/gave no answer within 5 s/)
  })

  it('that cannot be made says why, and samples the host all the same', async () => {
    tell({ fails: 'No devices were found' })
    const seen = await watched((lines) => gaps(lines).length > 0 && lines.some(({ kind }) => kind === 'host'))
    expect(gaps(seen).join()).toContain('No devices were found')
    expect(seen.some(({ kind }) => kind === 'gpus')).toBe(false)
  })

  it('ends an nvidia-smi that falls silent and says so', async () => {
    tell({ hangs: ['loop'] })
    const seen = await watched((lines) => gaps(lines).some((error) => error.includes('has printed nothing for 5 s')))
    expect(seen.some(({ kind }) => kind === 'gpus')).toBe(false)
  })

  it('leaves no nvidia-smi behind', async () => {
    const pids: number[] = []
    await watched((seen) => {
      if (!seen.some(({ kind }) => kind === 'gpus')) return false
      pids.push(...loopsOf(gpu.uuid))
      return pids.length > 0
    })
    await expect.poll(() => loopsOf(gpu.uuid)).toEqual([])
  })

  it('that is over starts none, even if its last interval still runs', async () => {
    const sampler = new GpuSampler({ smi: nvidiaSmi(), gpus: [gpu.uuid], intervalMs: 50, clock, onSeen() {} })
    await expect.poll(() => loopsOf(gpu.uuid).length).toBe(1)
    sampler[Symbol.dispose]()
    sampler.check()
    await expect.poll(() => loopsOf(gpu.uuid)).toEqual([])
  })
})

/** The stand-ins that sample this GPU now. */
function loopsOf(uuid: string): number[] {
  const { readdirSync, readFileSync } = process.getBuiltinModule('node:fs')
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      return line.includes('--loop-ms') && line.includes(uuid) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

describe('an nvidia-smi that keeps to no interval', () => {
  it('is told of once in a while: it does not fill the telemetry', async () => {
    const program = join(folder, 'flood')
    const row = `${gpu.uuid}, 1, 1, 1, 1, 1, 1, 1, 1, 0x0`
    writeFileSync(program, `#!/bin/sh\nyes '${row}' | head -n 20000\n`, { mode: 0o755 })
    const seen: MachineSeen[] = []
    const smi = { ...nvidiaSmi(), program, columns: async () => newestColumns() }
    const sampler = new GpuSampler({
      smi,
      gpus: [gpu.uuid],
      intervalMs: 60_000,
      clock,
      onSeen: (one) => seen.push(one),
    })
    await expect.poll(() => gaps(seen).length).toBe(1)
    sampler[Symbol.dispose]()
    expect(seen.filter(({ kind }) => kind === 'gpus')).toHaveLength(1)
  })
})

describe('the engine’s containers', () => {
  const [one, other] = ['a'.repeat(64), 'b'.repeat(64)]
  const docker = (stdout: string, why: string | null = null) => {
    const asked: string[][] = []
    const run = async (args: readonly string[]) => {
      asked.push([...args])
      return { stdout, why }
    }
    return { asked, program: 'docker', run }
  }
  const started = '2026-11-30T03:00:00.123456789Z'

  it('are asked of their runtime, all at once', async () => {
    const told = docker(`${one} 2 false ${started}\n${other} 0 true ${started}\n`)
    expect(await containerStates({ pids: [], containers: [one, other] }, told)).toEqual([
      { id: one, restarts: 2, oomKilled: false, startedAt: started },
      { id: other, restarts: 0, oomKilled: true, startedAt: started },
    ])
    expect(told.asked).toEqual([expect.arrayContaining(['inspect', one, other])])
  })

  it('are unknown where one is not told of, where the runtime is silent, and where there is none', async () => {
    const owned = { pids: [], containers: [one, other] }
    for (const stdout of ['', `${one} 2 false ${started}`, '<no value> x', `${one} -1 false x\n${other} 1 maybe x`]) {
      expect(await containerStates(owned, docker(stdout, 'docker said: no'))).toBeNull()
    }
    const unasked = docker('')
    expect(await containerStates({ pids: [1], containers: [] }, unasked)).toBeNull()
    expect(await containerStates(null, unasked)).toBeNull()
    expect(await containerStates({ pids: [], containers: ['--help'] }, unasked)).toBeNull()
    expect(unasked.asked).toEqual([])
  })
})
