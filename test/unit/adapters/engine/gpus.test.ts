import fc from 'fast-check'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gpusOf, placeOnGpus } from '../../../../src/adapters/engine/gpu-choice.ts'
import type { GpuList } from '../../../../src/adapters/engine/gpu-choice.ts'
import type { GpuMemory } from '../../../../src/adapters/engine/gpu-memory.ts'
import { memoryFloor } from '../../../../src/adapters/engine/gpu-memory.ts'
import { launchPlan } from '../../../../src/adapters/engine/launch-plan.ts'
import { processDeployer } from '../../../../src/adapters/engine/process.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { cpusIn } from '../../../../src/adapters/system/cpu-affinity.ts'
import { environmentOf } from '../../../../src/adapters/system/process-table.ts'
import { FIXTURE } from '../../../../src/core/dialect/fixture-table.ts'
import { engineBench, ROOT } from '../../../fakes/engine-bench.ts'
import { processManifest } from '../../../fakes/manifest.ts'

const uuid = (index: number) => `GPU-0000000${index}-aaaa-bbbb-cccc-000000000000`
const installed =
  (count: number): GpuList =>
  async () =>
    new Map<number, string>(Array.from({ length: count }, (_, index) => [index, uuid(index)]))
const none: GpuList = async () => null
const never = new AbortController().signal

const withDeploy = (gpus: unknown, replicas = 2, each = 2) => {
  const manifest = processManifest({ replicas, deploy: gpus === undefined ? {} : { gpus } })
  Object.assign(manifest.engine.placement, { tp: each, gpus: each * replicas })
  return manifest
}

describe('the GPUs of each server', () => {
  it('are those of its list, by UUID', async () => {
    const groups = await gpusOf(
      withDeploy([
        [3, 1],
        [0, 2],
      ]),
      2,
      installed(4),
    )
    expect(groups).toEqual([
      [uuid(3), uuid(1)],
      [uuid(0), uuid(2)],
    ])
  })

  it('are for auto the next ones in turn', async () => {
    expect(await gpusOf(withDeploy('auto'), 2, installed(8))).toEqual([
      [uuid(0), uuid(1)],
      [uuid(2), uuid(3)],
    ])
  })

  it('are none where the manifest places none, and nobody is asked', async () => {
    const asked: GpuList = () => Promise.reject(new Error('asked'))
    expect(await gpusOf(withDeploy(undefined), 2, asked)).toEqual([[], []])
    expect(await gpusOf(processManifest({ deploy: { gpus: 'auto' } }), 1, asked)).toEqual([[]])
  })

  it.each([
    ['auto', none, /nvidia-smi tells of none/],
    ['auto', installed(3), /the placement has 4, this machine 3/],
    [
      [
        [0, 1],
        [2, 7],
      ],
      installed(4),
      /names GPU 7, this machine has 0, 1, 2, 3/,
    ],
  ] as const)('that are not there are an error: %j', async (gpus, list, message) => {
    const asked = gpusOf(withDeploy(gpus), 2, list)
    await expect(asked).rejects.toMatchObject({
      code: 'gpu_missing',
      message: expect.stringMatching(message) as string,
    })
  })
})

describe('GPU memory', () => {
  async function floorOf(values: readonly number[], timeoutMs = 60_000) {
    const order = {
      manifest: withDeploy('auto', 1, 1),
      dialect: FIXTURE,
      deployId: 'd',
      log: { write: () => undefined },
    }
    const plan = await placeOnGpus(order.manifest, launchPlan(order, { environment: {}, nodePath: 'n' }), installed(1))
    let reads = 0
    const next = () => values[Math.min(reads++, values.length - 1)] ?? 0
    const read: GpuMemory = async () => new Map([[uuid(0), next()]])
    const floor = await memoryFloor(plan, timeoutMs, read)
    return { floor, reads: () => reads }
  }

  it('is waited for until it is back where it was', async () => {
    const { floor, reads } = await floorOf([500, 80_000, 540])
    await floor.regained(never)
    expect(reads()).toBe(3)
  })

  it('that does not come back is an error that says who holds what', async () => {
    const { floor } = await floorOf([500, 80_000], 0)
    const message = `${uuid(0)} holds 80000 MiB, 500 before`
    const regained = floor.regained(never)
    await expect(regained).rejects.toMatchObject({
      code: 'gpu_memory_not_freed',
      message: expect.stringContaining(message) as string,
    })
  })

  it('is not waited for by a run that is cancelled', async () => {
    const { floor, reads } = await floorOf([500, 80_000])
    await floor.regained(AbortSignal.abort())
    expect(reads()).toBe(1)
  })
})

describe('a process', () => {
  it('sees the GPUs of its replica alone', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'smi-'))
    // A stand-in for nvidia-smi that tells two GPUs, by both of the queries.
    const rows = [0, 1].map((index) => `${index}, ${uuid(index)}`).join('\\n')
    writeFileSync(
      join(bin, 'nvidia-smi'),
      `#!/bin/sh\ncase "$1" in *memory*) echo "${uuid(0)}, 4";; *) printf '${rows}\\n';; esac\n`,
    )
    chmodSync(join(bin, 'nvidia-smi'), 0o755)
    const path = process.env['PATH'] ?? ''
    process.env['PATH'] = `${bin}:${path}`
    try {
      const bench = await engineBench([], { replicas: 2, deploy: { gpus: [[1], [0]] } })
      Object.assign(bench.order.manifest.engine.placement, { gpus: 2 })
      const deployer = processDeployer({
        clock: systemClock(),
        environment: { PATH: path },
        cwd: ROOT,
        stateParent: bin,
      })
      await using _ = await deployer.deploy(bench.order, never)
      const seen = await Promise.all(
        (await bench.living()).map(async (pid) => (await environmentOf(pid))?.get('CUDA_VISIBLE_DEVICES')),
      )
      expect(seen.toSorted()).toEqual([uuid(0), uuid(1)])
    } finally {
      process.env['PATH'] = path
      rmSync(bin, { recursive: true, force: true })
    }
  })
})

describe('a list of CPUs', () => {
  it('is read as taskset reads it', () => {
    expect([...cpusIn('0-2,5')]).toEqual([0, 1, 2, 5])
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(200), { minLength: 1 }), (cpus) => {
        expect(cpusIn(cpus.join(','))).toEqual(new Set(cpus))
      }),
    )
  })
})
