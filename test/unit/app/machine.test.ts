import { describe, expect, test } from 'vitest'
import type { LockSeen } from '../../../src/app/ports/locks.ts'
import { verifyPack } from '../../../src/app/verify/verify.ts'
import { machineSection } from '../../../src/app/doctor/machine-section.ts'
import { exitCodeOf } from '../../../src/core/gate/exit.ts'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import type { GpuProcess, MachineState } from '../../../src/core/telemetry/machine-line.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { busySample, fakeMachine, fakeUuid, gpuMachine, plainMachine } from '../../fakes/machine.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'
import type { VirtualRun } from '../../virtual/virtual-run.ts'

function manifestOf(gpus: number, acceptance: Partial<Manifest['acceptance']> = {}): Manifest {
  const manifest = smallExample({ sweep: { rates_rps: [40, 60], refine_step: 0.1, repeats: 1 } })
  manifest.engine.placement.gpus = gpus
  Object.assign(manifest.acceptance, acceptance)
  return manifest
}

const HOST = { required_evidence: ['identity', 'client', 'queue', 'cache_hit', 'stability', 'host'] as const }
const withHost = { required_evidence: [...HOST.required_evidence] }

const run = (manifest: Manifest, machine: VirtualRun['machine'], more: Partial<VirtualRun> = {}) =>
  runVirtually({
    manifest,
    subject: smallSubject(),
    plan: { bootSeconds: 2 },
    request: { caches: ['cold'] },
    ...more,
    ...(machine ? { machine } : {}),
  })

const stranger: GpuProcess = {
  gpu: fakeUuid(0),
  pid: 4711,
  name: 'python3',
  usedMib: 20_480,
  user: 'bob',
  container: null,
  ours: null,
}
const sound = () => gpuMachine(1)

describe('a dirty machine', () => {
  test('is refused before anything is deployed: invalid, with who holds it, and the pack verifies', async () => {
    const dirty = gpuMachine(1, { processes: [stranger] })
    const { record, verdict, world } = await run(manifestOf(1), { state: () => dirty })
    expect([verdict.outcome, exitCodeOf(verdict, 'warn')]).toEqual(['invalid', 4])
    expect([world.deployer.boots, record.capacity]).toEqual([0, []])
    expect(verdict.reasons[0]).toMatchObject({ code: 'evidence_failed' })
    expect(verdict.reasons[0]?.text).toContain('GPU 0: python3 (pid 4711, user bob, 20480 MiB)')
    expect(world.effects.progress.warnings.join('\n')).toContain('pid 4711')
    expect((await verifyPack(world.effects.pack)).discrepancies).toEqual([])
  })

  test('is looked at again for a while: what an earlier engine left goes by itself', async () => {
    const dirty = gpuMachine(1, { processes: [stranger] })
    const state = (look: number): MachineState => (look < 2 ? dirty : sound())
    const { verdict, world } = await run(manifestOf(1), { state })
    expect(verdict.outcome).toBe('recorded')
    expect(world.deployer.boots).toBeGreaterThan(0)
  })

  test('that was made clean in its file does not verify', async () => {
    const { world } = await run(manifestOf(1), { state: () => gpuMachine(1, { processes: [stranger] }) })
    const { pack } = world.effects
    const text = pack.text('machine.json') ?? ''
    await pack.write('machine.json', JSON.stringify({ ...JSON.parse(text), state: sound() }))
    const codes = (await verifyPack(pack)).discrepancies.map(({ path }) => path)
    expect(codes).toContain('verdict.json')
  })
})

describe('a machine that is disturbed during a point', () => {
  test('makes it invalid and blames the host; the pack verifies from its telemetry', async () => {
    const sample = (uuid: string) => busySample(uuid, { reasons: ['hw_thermal_slowdown'] })
    const { record, verdict, world } = await run(manifestOf(1), { state: sound, sample })
    const points = record.capacity.flatMap((result) => result.points)
    expect(new Set(points.map(({ outcome }) => outcome))).toEqual(new Set(['invalid']))
    expect(points[0]?.reasons.map(({ text }) => text).join()).toContain('hw_thermal_slowdown')
    expect(verdict.outcome).toBe('invalid')
    expect((await verifyPack(world.effects.pack)).discrepancies).toEqual([])
  })

  test('by an Xid of the program on the GPU fails the point and blames the engine', async () => {
    const xid = { atSeconds: 9, of: 'gpu', code: 31, bus: '0000:10:00', text: 'MMU fault' } as const
    // Of each point a look before and one after; of the run one before all.
    const state = (look: number): MachineState => {
      const kernel = { xids: look > 0 && look % 2 === 0 ? [xid] : [], oomKills: [] }
      return gpuMachine(1, { kernel })
    }
    const { record } = await run(manifestOf(1), { state })
    const points = record.capacity.flatMap((result) => result.points)
    expect(points[0]?.outcome).toBe('fail')
    expect(points[0]?.reasons.map(({ code }) => code)).toContain('xid')
  })
})

describe('without GPUs to be read', () => {
  test('a run that requires the host is inconclusive; one that does not is unaffected', async () => {
    const blind = () => plainMachine({ gpusWhy: 'nvidia-smi is not installed' })
    const asked = await run(manifestOf(1, withHost), { state: blind })
    expect(asked.verdict.outcome).toBe('inconclusive')
    const points = asked.record.capacity.flatMap((result) => result.points)
    expect(new Set(points.map(({ outcome }) => outcome))).toEqual(new Set(['unknown']))
    expect((await run(manifestOf(1), { state: blind })).verdict.outcome).toBe('recorded')
  })

  test('the same holds where the manifest declares none', async () => {
    expect((await run(manifestOf(0, withHost), undefined)).verdict.outcome).toBe('inconclusive')
    expect((await run(manifestOf(0), undefined)).verdict.outcome).toBe('recorded')
  })

  test('with a sound machine a run that requires the host is recorded', async () => {
    const { verdict, world } = await run(manifestOf(1, withHost), { state: sound })
    expect(verdict.outcome).toBe('recorded')
    expect((await verifyPack(world.effects.pack)).discrepancies).toEqual([])
  })
})

describe('the doctor’s look at the machine', () => {
  const examine = (
    state: MachineState,
    manifest: Manifest | null,
    engineIsUp = false,
    locks: readonly LockSeen[] = [],
  ) => {
    const machine = fakeMachine({ clock: fakeClock({ mode: 'auto' }), state: () => state })
    return machineSection({ machine, locks: async () => locks, manifest, engineIsUp }).examine(
      new AbortController().signal,
    )
  }

  test('tells each finding with what it costs and how to mend it; what refuses a run is required', async () => {
    const { findings } = await examine(gpuMachine(1, { processes: [stranger] }), manifestOf(1))
    const found = findings.find(({ probe }) => probe === 'machine.processes')
    expect(found).toMatchObject({ state: 'fail', required: true, mend: expect.stringContaining('kill 4711') })
    expect(found?.cost).toMatch(/refused/)
    const passing = findings.filter(({ state }) => state === 'pass')
    expect(passing.filter(({ cost, mend }) => cost !== null || mend !== null)).toEqual([])
  })

  test('a warning is no requirement; an unknown is one where the manifest requires the host', async () => {
    const silent = gpuMachine(1, { kernel: null })
    const xidOf = async (manifest: Manifest) =>
      (await examine(silent, manifest)).findings.find(({ probe }) => probe === 'machine.xid')
    expect(await xidOf(manifestOf(1))).toMatchObject({ state: 'unknown', required: false })
    expect(await xidOf(manifestOf(1, withHost))).toMatchObject({ state: 'unknown', required: true })
  })

  test('tells the locks that stand, by whom, and what to do; none is a fault of the machine', async () => {
    const lock = { path: '/run/lock/capacity-gate-machine/gpu-GPU-1.lock', holder: 'process 12 of alice, for 12 min' }
    const states = ['held', 'left', 'elsewhere'] as const
    const locks = states.map((state) => ({ ...lock, state, name: `gpu-${state}` }))
    const lockFindings = async (seen: readonly LockSeen[]) =>
      (await examine(gpuMachine(1, {}), null, false, seen)).findings.filter(({ probe }) => probe === 'machine.locks')
    const [held, left, elsewhere] = await lockFindings(locks)
    expect(held).toMatchObject({ state: 'fail', required: false, text: expect.stringContaining(lock.holder) })
    expect(left).toMatchObject({ state: 'fail', required: false, mend: expect.stringContaining('clean') })
    expect(elsewhere).toMatchObject({ state: 'unknown', required: false, mend: expect.stringContaining(lock.path) })
    expect(await lockFindings([])).toEqual([
      { probe: 'machine.locks', state: 'pass', required: false, text: expect.any(String), cost: null, mend: null },
    ])
  })

  test('without a manifest tells what there is', async () => {
    const { findings } = await examine(gpuMachine(2, { processes: [stranger] }), null, true)
    expect(findings.find(({ probe }) => probe === 'machine.gpus')?.text).toContain('2 × NVIDIA H100')
    expect(findings.find(({ probe }) => probe === 'machine.processes')?.state).toBe('pass')
  })
})
