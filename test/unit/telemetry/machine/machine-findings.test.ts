import { describe, expect, it } from 'vitest'
import { claimedGpus } from '../../../../src/core/telemetry/claimed-gpus.ts'
import { machineFindings, preflightEvidence } from '../../../../src/core/telemetry/machine-findings.ts'
import type { MachineState } from '../../../../src/core/telemetry/machine-line.ts'
import { parseMachineFile } from '../../../../src/core/telemetry/machine-file.ts'
import type { Manifest } from '../../../../src/core/manifest/schema.ts'
import { fakeUuid, gpuMachine, plainGpu, plainMachine } from '../../../fakes/machine.ts'
import { smallExample } from '../../../virtual/virtual-manifest.ts'

function manifestOf(gpus: number, machine: Partial<Manifest['machine']> = {}): Manifest {
  const manifest = smallExample()
  manifest.engine.placement.gpus = gpus
  Object.assign(manifest.machine, machine)
  return manifest
}

const find = (state: MachineState, manifest: Manifest | null = manifestOf(2), engineIsUp = false) => {
  const findings = machineFindings(state, { manifest, engineIsUp })
  return (probe: string) => findings.find((finding) => finding.probe === probe)
}
const holder = {
  gpu: fakeUuid(1),
  pid: 4711,
  name: 'python3',
  usedMib: 20_480,
  user: 'bob',
  container: '3f2a9c0b1d2e'.padEnd(64, '0'),
  ours: null,
}

describe('a machine before a run', () => {
  it('that is sound and idle passes everything that is judged', () => {
    const findings = machineFindings(gpuMachine(2), { manifest: manifestOf(2), engineIsUp: false })
    const other = findings.filter(({ state }) => state !== 'pass').map(({ probe, state }) => [probe, state])
    expect(other).toEqual([['dcgm', 'unknown']])
    expect(preflightEvidence(findings).some(({ required }) => required)).toBe(false)
  })

  it('whose GPUs others use is refused with who holds them and how to mend it', () => {
    const found = find(gpuMachine(2, { processes: [holder] }))('processes')
    expect(found).toMatchObject({ state: 'fail', mend: expect.stringContaining('docker stop 3f2a9c0b1d2e') })
    expect(found?.text).toBe('held by GPU 1: python3 (pid 4711, user bob, container 3f2a9c0b1d2e, 20480 MiB)')
    const plain = find(gpuMachine(2, { processes: [{ ...holder, container: null }] }))('processes')
    expect(plain?.mend).toContain('kill 4711')
  })

  it('judges only the GPUs that the run uses', () => {
    expect(find(gpuMachine(2, { processes: [holder] }), manifestOf(1))('processes')?.state).toBe('pass')
  })

  it('whose GPUs hold memory over the floor is refused, whether a process is listed for it or not', () => {
    const held = gpuMachine(2, { gpus: [plainGpu(0), plainGpu(1, { memoryUsedMib: 2000 })] })
    expect(find(held)('memory')).toMatchObject({ state: 'fail', value: 2000, limit: 1024 })
    expect(find(held)('memory')?.mend).toContain('look from the host')
    expect(find(held, manifestOf(2, { gpu_memory_floor_mib: 2000 }))('memory')?.state).toBe('pass')
  })

  it('with an engine up already tells who is on the GPUs and does not judge it', () => {
    const probe = find(gpuMachine(2, { processes: [holder] }), manifestOf(2), true)
    expect(probe('processes')).toMatchObject({ state: 'pass', text: expect.stringContaining('pid 4711') })
    expect(probe('memory')).toBeUndefined()
  })

  it('partitioned otherwise than declared is refused both ways', () => {
    const split = gpuMachine(2, { gpus: [plainGpu(0, { migMode: 'Enabled' }), plainGpu(1)] })
    expect(find(split)('mig')).toMatchObject({ state: 'fail', mend: expect.stringContaining('nvidia-smi -mig 0') })
    expect(find(gpuMachine(2), manifestOf(2, { mig: 'enabled' }))('mig')?.mend).toContain('nvidia-smi -mig 1')
    const cannot = gpuMachine(1, { gpus: [plainGpu(0, { migMode: 'unsupported' })] })
    expect(find(cannot, manifestOf(1))('mig')?.state).toBe('pass')
  })

  it('without room on the disk is refused; one whose room is not known is not', () => {
    const low = plainMachine()
    low.host.diskFreeMib = 100
    expect(find(low, manifestOf(0))('disk')).toMatchObject({ state: 'fail', value: 100, limit: 1024 })
    low.host.diskFreeMib = null
    expect(find(low, manifestOf(0))('disk')?.state).toBe('unknown')
  })

  it('whose GPUs cannot be read is unknown in every probe of theirs', () => {
    const state = plainMachine({ kernel: { xids: [], oomKills: [] }, dcgm: {} })
    const probes = ['gpus', 'processes', 'memory', 'mig', 'health', 'clocks', 'nvlink', 'xid', 'dcgm']
    for (const seen of [state, plainMachine()]) {
      const told = new Map(
        machineFindings(seen, { manifest: null, engineIsUp: false }).map((one) => [one.probe, one.state]),
      )
      expect(probes.map((probe) => [probe, told.get(probe)])).toEqual(probes.map((probe) => [probe, 'unknown']))
    }
  })

  it('without a GPU that is asked for is refused; whose GPUs cannot be read is unknown', () => {
    expect(find(gpuMachine(1))('gpus')).toMatchObject({ state: 'fail', text: expect.stringContaining('GPU 1') })
    expect(find(plainMachine({ gpusWhy: 'nvidia-smi is not installed' }))('gpus')?.state).toBe('unknown')
  })

  it('whose driver asks for a reset is refused; a pending remap, held clocks and old errors are warnings', () => {
    const one = (change: Parameters<typeof plainGpu>[1]) => gpuMachine(1, { gpus: [plainGpu(0, change)] })
    expect(find(one({ recoveryAction: 'GPU Reset' }), manifestOf(1))('health')?.state).toBe('fail')
    expect(find(one({ remapPending: true }), manifestOf(1))('health')?.state).toBe('warn')
    expect(find(one({ reasons: ['hw_thermal_slowdown'] }), manifestOf(1))('clocks')?.state).toBe('warn')
    expect(find(one({ persistence: 'Disabled' }), manifestOf(1))('clocks')?.mend).toContain('nvidia-smi -pm 1')
    expect(find(one({ reasons: ['sw_power_cap'] }), manifestOf(1))('clocks')?.state).toBe('pass')
    const xids = [{ atSeconds: 1, of: 'gpu', code: 79, bus: '0000:10:00', text: '' } as const]
    expect(find(gpuMachine(1, { kernel: { xids, oomKills: [] } }), manifestOf(1))('xid')?.state).toBe('warn')
    expect(find(gpuMachine(2, { gpus: [plainGpu(0), plainGpu(1, { nvlinksUp: 12 })] }))('nvlink')?.state).toBe('warn')
  })

  it('of which nothing was stated is told as it is', () => {
    const probe = find(gpuMachine(3), null, true)
    expect(probe('gpus')).toMatchObject({ state: 'pass', value: 3 })
  })

  it('as evidence a failure is required and blames the host, a warning passes with its mend', () => {
    const findings = machineFindings(gpuMachine(2, { processes: [holder] }), {
      manifest: manifestOf(2),
      engineIsUp: false,
    })
    const evidence = preflightEvidence(findings).find(({ probe }) => probe === 'host.preflight.processes')
    expect(evidence).toMatchObject({ state: 'fail', required: true, blames: 'host' })
    expect(evidence?.text).toMatch(/held by GPU 1.*: stop what holds them/)
  })

  it('is read back from its file as it was written; anything else is refused', () => {
    const file = {
      schema: 1,
      lookedAt: '2026-01-01T00:00:00.000Z',
      state: gpuMachine(2, { processes: [holder] }),
    } as const
    expect(parseMachineFile(JSON.stringify(file))).toEqual(file)
    for (const text of ['', '{}', JSON.stringify({ ...file, state: { ...file.state, gpus: [{}] } })]) {
      expect(() => parseMachineFile(text)).toThrow(expect.objectContaining({ code: 'machine_damaged', exitCode: 4 }))
    }
  })
})

describe('the GPUs that a run uses', () => {
  const gpus = [0, 1, 2, 3].map((index) => ({ index, uuid: fakeUuid(index) }))
  const claimOf = (deploy: Record<string, unknown>, count = 2) => {
    const manifest = manifestOf(count)
    Object.assign(manifest.engine.deploy ?? {}, deploy)
    return claimedGpus(manifest, gpus)
  }

  it('are those named, else those made visible, else the first', () => {
    expect(claimOf({ gpus: [[2], [3]] })?.uuids).toEqual([fakeUuid(2), fakeUuid(3)])
    expect(claimOf({ gpus: 'auto' })?.uuids).toEqual([fakeUuid(0), fakeUuid(1)])
    expect(claimOf({ env: { CUDA_VISIBLE_DEVICES: '3,1' } })?.uuids).toEqual([fakeUuid(3), fakeUuid(1)])
    expect(claimOf({ env: { CUDA_VISIBLE_DEVICES: fakeUuid(2).slice(0, 13) } })?.uuids).toEqual([fakeUuid(2)])
    expect(claimOf({})?.uuids).toEqual([fakeUuid(0), fakeUuid(1)])
    expect(claimOf({}, 0)).toEqual({ uuids: [], missing: [] })
  })

  it('that are not there are named; those of an endpoint are known only when it has all', () => {
    expect(claimOf({ gpus: [[2], [9]] })?.missing).toEqual(['9'])
    const endpoint = manifestOf(2)
    endpoint.engine.deploy = undefined
    expect(claimedGpus(endpoint, gpus)).toBeNull()
    expect(claimedGpus(endpoint, gpus.slice(0, 2))?.uuids).toHaveLength(2)
  })
})
