import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../../../src/core/kernel/evidence.ts'
import type { TelemetryLine } from '../../../../src/core/telemetry/line.ts'
import { encodeTelemetry, parseTelemetry } from '../../../../src/core/telemetry/file.ts'
import { machineEvidence } from '../../../../src/core/telemetry/machine-evidence.ts'
import type {
  GpuProcess,
  GpuSample,
  MachineSeen,
  MachineState,
  XidLine,
} from '../../../../src/core/telemetry/machine-line.ts'
import type { PointView } from '../../../../src/core/telemetry/point-view.ts'
import { readTimeline } from '../../../../src/core/telemetry/timeline.ts'
import { busySample, fakeUuid, gpuMachine, plainGpu, plainMachine } from '../../../fakes/machine.ts'
import { smallExample } from '../../../virtual/virtual-manifest.ts'

const SECONDS = 60

interface Story {
  gpus?: number
  before?: MachineState
  after?: MachineState
  /** What a GPU shows at a second; null: nothing. */
  sample?: (uuid: string, second: number) => GpuSample | null
  processes?: GpuProcess[]
  more?: MachineSeen[]
  deploy?: 'docker'
}

const at = (second: number, seen: MachineSeen): TelemetryLine => ({ t: 'machine', atUs: second * 1e6, seen })

/** The evidence of a point, read back from the text of its telemetry. */
function told(story: Story): (probe: string) => Evidence | undefined {
  const { gpus = 2, before = gpuMachine(2), after = before, sample = (uuid: string) => busySample(uuid) } = story
  const lines: TelemetryLine[] = [at(-2, { kind: 'state', phase: 'before', state: before })]
  for (let second = 0; second < SECONDS; second += 1) {
    const seen = (before.gpus ?? []).map(({ uuid }) => sample(uuid, second)).filter((one) => one !== null)
    if (seen.length > 0) lines.push(at(second, { kind: 'gpus', gpus: seen }))
    lines.push(
      at(second, { kind: 'host', host: { busyShare: 0.5, stealShare: 0, load1: 1, memoryAvailableMib: 9000 } }),
    )
  }
  if (story.processes) lines.push(at(30, { kind: 'processes', processes: story.processes }))
  lines.push(
    ...(story.more ?? []).map((seen) => at(31, seen)),
    at(SECONDS + 2, { kind: 'state', phase: 'after', state: after }),
  )
  const manifest = smallExample()
  manifest.engine.placement.gpus = gpus
  if (story.deploy) manifest.engine.deploy = { kind: story.deploy, env: {} } as typeof manifest.engine.deploy
  const point = { t: 'point', facts: facts() } as const
  const timeline = readTimeline(parseTelemetry(encodeTelemetry([point, ...lines])), 1)
  const view = { manifest, timeline, facts: facts() } as unknown as PointView
  const evidence = machineEvidence(view)
  return (probe) => evidence.find((item) => item.probe === probe)
}

function facts() {
  return {
    schema: 1,
    key: { cache: 'cold', load: { openMilliRps: 1000 }, repeat: 1 },
    epoch: 1,
    scheduleSha256: 'a',
    deployId: 'd',
    dialect: 'fixture',
    replicas: 1,
    cohortRequests: 60,
    arrivalUs: SECONDS * 1e6,
    cohortUs: (SECONDS + 1) * 1e6,
    maximumReached: false,
    stoppedEarly: null,
    warmupRequests: 0,
  } as const
}

const process = (change: Partial<GpuProcess> = {}): GpuProcess => ({
  gpu: fakeUuid(1),
  pid: 4711,
  name: 'python3',
  usedMib: 20_480,
  user: 'bob',
  container: '3f2a9c0b1d2e'.padEnd(64, '0'),
  ours: false,
  ...change,
})

const HOST_PROBES = ['gpu', 'gpu_processes', 'slowdown', 'power_cap', 'clocks', 'xid', 'ecc', 'remapped_rows', 'nvlink']

describe('an undisturbed machine', () => {
  it('passes every probe and records clocks and power capping', () => {
    const probe = told({})
    for (const name of HOST_PROBES) expect([name, probe(`host.${name}`)?.state]).toEqual([name, 'pass'])
    expect(probe('host.clocks')).toMatchObject({ value: 1605, unit: 'MHz', required: false })
    expect(probe('host.power_cap')).toMatchObject({ value: 1, required: false })
    expect(probe('host.cpu')).toMatchObject({ state: 'pass', value: 0.5 })
    expect(probe('stability.xid')).toBeUndefined()
  })

  it('whose GPUs cannot be read is unknown in every probe, never zero and never pass', () => {
    const blind = plainMachine({ gpusWhy: 'nvidia-smi is not installed' })
    const probe = told({ before: blind })
    for (const name of HOST_PROBES) {
      expect(probe(`host.${name}`)).toMatchObject({ state: 'unknown', text: 'nvidia-smi is not installed' })
      expect(probe(`host.${name}`)).not.toHaveProperty('value')
    }
  })

  it('without GPUs in the manifest has one unknown probe for them; one that was not looked at has none at all', () => {
    const probe = told({ gpus: 0, before: plainMachine() })
    expect(probe('host.gpu')).toMatchObject({ state: 'unknown', required: true })
    expect(probe('host.slowdown')).toBeUndefined()
    const view = { timeline: readTimeline([], 1), manifest: smallExample() } as unknown as PointView
    expect(machineEvidence(view)).toEqual([])
  })
})

describe('another process on our GPUs', () => {
  it('blames the host and says who it is', () => {
    const found = told({ processes: [process()] })('host.gpu_processes')
    expect(found).toMatchObject({ state: 'fail', blames: 'host', value: 1 })
    expect(found?.text).toContain('GPU 1: python3 (pid 4711, user bob, container 3f2a9c0b1d2e, 20480 MiB)')
  })

  it('is none when it is the engine’s own, or on a GPU that the run does not use', () => {
    expect(told({ processes: [process({ ours: true })] })('host.gpu_processes')?.state).toBe('pass')
    expect(told({ gpus: 1, processes: [process()] })('host.gpu_processes')?.state).toBe('pass')
  })

  it('is unknown where whose it is cannot be told, where none can be listed, and where memory is held by nobody', () => {
    expect(told({ processes: [process({ ours: null })] })('host.gpu_processes')?.state).toBe('unknown')
    const unlisted = gpuMachine(2, { processes: null })
    expect(told({ before: unlisted })('host.gpu_processes')?.state).toBe('unknown')
    const held = gpuMachine(2, { gpus: [plainGpu(0), plainGpu(1, { memoryUsedMib: 70_000 })] })
    expect(told({ before: held })('host.gpu_processes')?.text).toMatch(/GPU 1 holds 70000 MiB and no process/)
  })

  it('that was looked at in haste and is the engine’s after all is the engine’s', () => {
    const after = gpuMachine(2, { processes: [process({ ours: true })] })
    expect(told({ processes: [process({ ours: null })], after })('host.gpu_processes')?.state).toBe('pass')
  })
})

describe('what holds the clocks', () => {
  it.each(['hw_thermal_slowdown', 'sw_thermal_slowdown', 'hw_power_brake_slowdown'])('%s blames the host', (reason) => {
    const sample = (uuid: string, second: number) => busySample(uuid, second === 20 ? { reasons: [reason] } : {})
    const found = told({ sample })('host.slowdown')
    expect(found).toMatchObject({ state: 'fail', blames: 'host' })
    expect(found?.text).toContain(`GPU 0 ${reason}`)
  })

  it('a bare hardware slowdown for one sample is a change of clocks; for more it is a slowdown', () => {
    const slowed = (most: number) => (uuid: string, second: number) =>
      busySample(uuid, second < most ? { reasons: ['hw_slowdown'] } : {})
    expect(told({ sample: slowed(1) })('host.slowdown')?.state).toBe('pass')
    expect(told({ sample: slowed(2) })('host.slowdown')?.state).toBe('fail')
  })

  it('power capping is recorded and judges nothing', () => {
    const probe = told({})
    expect(probe('host.slowdown')?.state).toBe('pass')
    expect(probe('host.power_cap')?.state).toBe('pass')
  })

  it('the driver’s own counters find what no sample saw', () => {
    const heated = (us: number) =>
      gpuMachine(2, { gpus: [plainGpu(0, { heldUs: { hw_thermal_slowdown: us } }), plainGpu(1)] })
    expect(told({ before: heated(5), after: heated(5_000_005) })('host.slowdown')).toMatchObject({ state: 'fail' })
    expect(told({ before: heated(5), after: heated(1005) })('host.slowdown')?.state).toBe('pass')
  })

  it('clocks are those of the slowest working GPU; idle moments are left out', () => {
    const sample = (uuid: string, second: number) =>
      second % 2 === 0
        ? busySample(uuid, { smMhz: uuid === fakeUuid(1) ? 1200 : 1700 })
        : busySample(uuid, { smMhz: 345, utilPercent: 0, reasons: ['gpu_idle'] })
    expect(told({ sample })('host.clocks')).toMatchObject({ value: 1200 })
  })

  it('sampled over less than nine tenths of the load is unknown', () => {
    const sample = (uuid: string, second: number) => (second < 30 ? busySample(uuid) : null)
    const gap: MachineSeen = { kind: 'gap', probe: 'gpus', error: 'nvidia-smi has printed nothing for 5 s' }
    const probe = told({ sample, more: [gap] })
    expect(probe('host.gpu')).toMatchObject({ state: 'unknown', limit: 0.9 })
    expect(probe('host.gpu')?.text).toContain('nvidia-smi has printed nothing for 5 s')
    expect(probe('host.slowdown')?.state).toBe('unknown')
  })
})

describe('the kernel’s log', () => {
  const xid = (change: Partial<XidLine>): XidLine => ({
    atSeconds: 9,
    of: 'gpu',
    code: 79,
    bus: '0000:10:00',
    text: 'GPU has fallen off the bus.',
    ...change,
  })
  const logged = (...xids: XidLine[]) => gpuMachine(2, { kernel: { xids, oomKills: [] } })
  const earlier = xid({ atSeconds: 1, code: 48 })

  it('with a new hardware Xid of our GPU blames the host; an old one is another’s', () => {
    const probe = told({ before: logged(earlier), after: logged(earlier, xid({})) })
    expect(probe('host.xid')).toMatchObject({ state: 'fail', blames: 'host', value: 1 })
    expect(probe('host.xid')?.text).toContain('GPU 0 Xid 79 (fell off the bus)')
    expect(told({ before: logged(earlier) })('host.xid')?.state).toBe('pass')
  })

  it.each([13, 31, 43])('with Xid %i blames the engine, and the host not', (code) => {
    const probe = told({ before: logged(), after: logged(xid({ code })) })
    expect(probe('stability.xid')).toMatchObject({ state: 'fail', blames: 'engine', required: true })
    expect(probe('host.xid')?.state).toBe('pass')
  })

  it('of another GPU is none of ours; a fatal error of a switch is; a clean-up is only told', () => {
    const elsewhere = xid({ bus: '0000:ff:00' })
    expect(told({ before: logged(), after: logged(elsewhere) })('host.xid')?.state).toBe('pass')
    const switched = xid({ of: 'switch', code: 11_001, bus: '0000:05:00', text: 'Fatal, Link 46' })
    expect(told({ before: logged(), after: logged(switched) })('host.xid')?.state).toBe('fail')
    const cleaned = told({ before: logged(), after: logged(xid({ code: 45 })) })('host.xid')
    expect([cleaned?.state, cleaned?.text]).toEqual(['pass', expect.stringContaining('Xid 45')])
  })

  it('that cannot be read is unknown; a DCGM exporter’s last Xid takes its place', () => {
    const exported = (last: number) =>
      gpuMachine(2, { kernel: null, dcgm: { [fakeUuid(0)]: { lastXid: last }, [fakeUuid(1)]: { lastXid: 0 } } })
    expect(told({ before: gpuMachine(2, { kernel: null }) })('host.xid')?.state).toBe('unknown')
    expect(told({ before: exported(0) })('host.xid')?.state).toBe('pass')
    expect(told({ before: exported(0), after: exported(79) })('host.xid')?.state).toBe('fail')
    expect(told({ before: exported(0), after: exported(31) })('stability.xid')?.blames).toBe('engine')
  })
})

describe('the GPUs’ memory, links and presence', () => {
  const both = (change: Parameters<typeof plainGpu>[1]) => gpuMachine(2, { gpus: [plainGpu(0), plainGpu(1, change)] })
  const ecc = { correctedVolatile: 3, correctedAggregate: 3, uncorrectedVolatile: 1, uncorrectedAggregate: 1 }

  it('an uncorrected error that came during the point blames the host; one from before does not', () => {
    expect(told({ after: both({ ecc }) })('host.ecc')).toMatchObject({ state: 'fail', blames: 'host' })
    expect(told({ before: both({ ecc }) })('host.ecc')?.state).toBe('pass')
    expect(told({ after: both({ remappedUncorrectable: 1 }) })('host.ecc')?.state).toBe('fail')
    expect(told({ before: both({ ecc }), after: both({}) })('host.ecc')?.text).toContain('it was reset')
    expect(told({ before: both({ remapFailure: true }) })('host.ecc')?.state).toBe('fail')
  })

  it('counters that are not told are unknown', () => {
    const silent = {
      correctedVolatile: null,
      correctedAggregate: null,
      uncorrectedVolatile: null,
      uncorrectedAggregate: null,
    }
    expect(told({ before: both({ ecc: silent }) })('host.ecc')?.state).toBe('unknown')
  })

  it('a pending remap is a warning that decides nothing', () => {
    expect(told({ before: both({ remapPending: true }) })('host.remapped_rows')).toMatchObject({
      state: 'fail',
      required: false,
    })
  })

  it('a link that went down and a GPU that is gone blame the host', () => {
    expect(told({ after: both({ nvlinksUp: 17 }) })('host.nvlink')).toMatchObject({ state: 'fail', blames: 'host' })
    expect(told({ before: both({ nvlinksUp: null }) })('host.nvlink')?.state).toBe('unknown')
    const gone = told({ after: gpuMachine(2, { gpus: [plainGpu(0)] }) })
    expect(gone('host.gpu')).toMatchObject({ state: 'fail', text: expect.stringContaining('GPU 1 no longer answers') })
    expect(gone('host.ecc')?.state).toBe('unknown')
  })

  it('a kill at the engine’s own memory limit is the engine’s', () => {
    const killed = (engineOomKills: number | null) => gpuMachine(2, { engineOomKills })
    const found = told({ before: killed(0), after: killed(1) })('stability.out_of_memory')
    expect(found).toMatchObject({ state: 'fail', blames: 'engine' })
    expect(told({ before: killed(null), after: killed(1) })('stability.out_of_memory')).toBeUndefined()
  })
})

describe('the engine’s containers', () => {
  const id = 'c'.repeat(64)
  const once = { id, restarts: 0, oomKilled: false, startedAt: '2026-11-30T03:00:00Z' }
  const holding = (containers: MachineState['containers'], engineOomKills: number | null = null) =>
    gpuMachine(2, { containers, engineOomKills })
  const between = (before: MachineState, after: MachineState) => told({ before, after, deploy: 'docker' })

  it('that ran on are the ones that were measured', () => {
    expect(between(holding([once]), holding([once]))('stability.container')).toMatchObject({
      state: 'pass',
      value: 0,
      text: '1 containers, none restarted; 0 processes killed at their memory limit',
    })
  })

  it.each([
    ['by the runtime', { restarts: 1 }],
    ['by hand', { startedAt: '2026-11-30T03:00:09Z' }],
  ])('that were restarted %s fail the point', (_by, change) => {
    const found = between(holding([once]), holding([{ ...once, ...change }]))('stability.container')
    expect(found).toMatchObject({ state: 'fail', blames: 'engine', required: true, value: 1 })
    expect(found?.text).toContain('cccccccccccc')
  })

  it('whose processes were killed for their memory fail it too, by either count', () => {
    const byRuntime = between(holding([once]), holding([{ ...once, oomKilled: true }]))
    const byGroup = between(holding([once], 2), holding([once], 5))
    expect(byRuntime('stability.out_of_memory')).toMatchObject({ state: 'fail', blames: 'engine', value: 1 })
    expect(byGroup('stability.out_of_memory')).toMatchObject({ state: 'fail', blames: 'engine', value: 3 })
    const before = [{ ...once, oomKilled: true }]
    expect(between(holding(before), holding(before))('stability.out_of_memory')).toBeUndefined()
  })

  it('of which nobody tells are unknown, never unharmed', () => {
    for (const after of [null, [], [{ ...once, id: 'd'.repeat(64) }]]) {
      const found = between(holding([once]), holding(after))('stability.container')
      expect(found).toMatchObject({ state: 'unknown', required: false })
      expect(found).not.toHaveProperty('value')
    }
    expect(between(holding(null, 0), holding(null, 1))('stability.out_of_memory')?.value).toBe(1)
    expect(told({})('stability.container')).toBeUndefined()
  })
})
