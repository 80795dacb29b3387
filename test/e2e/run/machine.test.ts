import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { start } from '../cli/cli-process.ts'
import { standInGpu, standInMachine } from '../../fakes/stand-in-machine.ts'
import type { StandIn, StandInGpu, StandInScenario } from '../../fakes/stand-in-machine.ts'
import { discrepanciesOf, gateFolder, readRecord } from './gate-run.ts'
import { FAR, quickManifest } from './quick-manifest.ts'

// No GPU: nvidia-smi, dmesg and journalctl are stand-ins on the PATH, and the engine is the embedded one.
const gate = gateFolder()
const { folder } = gate
const SWEEP = ['--plan', 'sweep', '--cache', 'cold', '--on-missing-baseline', 'record']
const WITH_HOST = ['identity', 'client', 'queue', 'cache_hit', 'stability', 'host']

interface Machine {
  path: string
  standIn: StandIn
  gpu: StandInGpu
  run(pack: string): ReturnType<typeof start>
}

/** A manifest of one GPU, on a machine that tells the scenario. */
async function machineWith(name: string, scenario: (gpu: StandInGpu) => Partial<StandInScenario>): Promise<Machine> {
  const gpu = standInGpu(0)
  const standIn = standInMachine(join(folder, name), { gpus: [gpu], log: [], ...scenario(gpu) })
  const { path } = await quickManifest(folder, { ...FAR, acceptance: { required_evidence: WITH_HOST } })
  const raw = parse(readFileSync(path, 'utf8')) as { engine: { placement: { gpus: number } } }
  raw.engine.placement.gpus = 1
  writeFileSync(path, stringify(raw))
  const run = (pack: string) =>
    start('cli', ['run', path, '--pack', join(folder, pack), ...SWEEP, '--json'], { TMPDIR: folder, ...standIn.env })
  return { path, standIn, gpu, run }
}

describe('a run on a machine with GPUs, as stand-ins tell of them', () => {
  it('that is sound proves it in every point, records its hardware, and verifies', async () => {
    const { run, gpu } = await machineWith('sound', () => ({}))
    const ended = await run('sound-pack').ended
    expect([ended.code, ended.stderr.includes('error:')]).toEqual([0, false])
    const record = readRecord(join(folder, 'sound-pack'))
    expect(record.hardware.mustEqual).toMatchObject({
      gpuCount: '1',
      gpuModel: 'NVIDIA H100 80GB HBM3',
      gpuNvlinksUp: '18',
    })
    expect(record.hardware.recorded['gpuUuids']).toBe(gpu.uuid)
    const [point] = record.capacity.flatMap(({ points }) => points)
    const states = Object.fromEntries(
      (point?.evidence ?? [])
        .filter(({ probe }) => probe.startsWith('host.'))
        .map(({ probe, state }) => [probe, state]),
    )
    expect(states).toMatchObject({
      'host.gpu': 'pass',
      'host.gpu_processes': 'pass',
      'host.slowdown': 'pass',
      'host.xid': 'pass',
    })
    expect(await discrepanciesOf(join(folder, 'sound-pack'))).toEqual([])
  })

  it('that somebody else uses is refused with exit code 4 and who it is', async () => {
    const processes = [{ pid: process.pid, name: 'train.py', usedMib: 20_480 }]
    const { run } = await machineWith('held', (gpu) => ({ gpus: [{ ...gpu, usedMib: 20_480, processes }] }))
    const ended = await run('held-pack').ended
    expect(ended.code).toBe(4)
    expect(ended.stderr).toMatch(new RegExp(`GPU 0: train\\.py \\(pid ${process.pid}, user \\S+, 20480 MiB\\)`))
    const record = readRecord(join(folder, 'held-pack'))
    expect([record.boots, record.capacity]).toEqual([[], []])
    expect(await discrepanciesOf(join(folder, 'held-pack'))).toEqual([])
  })

  it('that gets too hot under load makes its points invalid by the host’s fault', async () => {
    const { run } = await machineWith('hot', (gpu) => ({ gpus: [{ ...gpu, mask: '0x0000000000000040' }] }))
    const ended = await run('hot-pack').ended
    expect(ended.code).toBe(4)
    const points = readRecord(join(folder, 'hot-pack')).capacity.flatMap((result) => result.points)
    expect(new Set(points.map(({ outcome }) => outcome))).toEqual(new Set(['invalid']))
    expect(points[0]?.reasons.map(({ text }) => text).join()).toContain('hw_thermal_slowdown')
  })

  it('whose nvidia-smi hangs is inconclusive where the host is required, and the run ends all the same', async () => {
    const { run } = await machineWith('hung', () => ({ hangs: ['loop'] }))
    const ended = await run('hung-pack').ended
    expect(ended.code).toBe(3)
    const points = readRecord(join(folder, 'hung-pack')).capacity.flatMap((result) => result.points)
    expect(points[0]?.evidence.find(({ probe }) => probe === 'host.gpu')?.state).toBe('unknown')
  })

  it('whose GPUs another run holds is told who holds them', async () => {
    const first = await machineWith('first', () => ({}))
    const holding = first.run('first-pack')
    await holding.said('starting fixture')
    // The same GPU, on other ports.
    const second = await machineWith('second', () => ({ gpus: [first.gpu] }))
    const ended = await second.run('second-pack').ended
    expect([ended.code, ended.stdout]).toEqual([1, ''])
    expect(ended.stderr).toMatch(/error: another run \(process \d+ of \S+, for \d+ s\) holds GPU 0 \(GPU-/)
    holding.child.kill('SIGKILL')
    await holding.ended
    // What a killed run held is taken over, and that is said.
    const third = await second.run('third-pack').ended
    expect(third.stderr).toMatch(/took over GPU 0 \(GPU-.*has ended/)
    expect(third.code).toBe(0)
  })
})
