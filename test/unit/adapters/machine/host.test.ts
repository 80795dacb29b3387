import { cpus } from 'node:os'
import { describe, expect, it } from 'vitest'
import { systemHost } from '../../../../src/adapters/machine/host.ts'
import type { BoundedCommand } from '../../../../src/adapters/machine/bounded-command.ts'
import { nvidiaSmi } from '../../../../src/adapters/machine/nvidia-smi.ts'
import { commandOutput } from '../../../../src/adapters/system/command.ts'
import { gpuFacts } from '../../../../src/core/telemetry/gpu-facts.ts'
import { plainGpu } from '../../../fakes/machine.ts'
import { fixtureUuid, machineFixture } from '../../telemetry/machine/fixture.ts'

const cwd = import.meta.dirname
const SHA = '0123456789abcdef0123456789abcdef01234567'

const absent: BoundedCommand = {
  program: 'nvidia-smi',
  run: async () => ({ stdout: '', why: 'nvidia-smi is not installed' }),
}
const recorded: BoundedCommand = {
  program: 'nvidia-smi',
  run: async ([first]) => ({
    stdout: machineFixture(first === 'nvlink' ? 'nvlink-status.txt' : 'h100-r535.xml'),
    why: null,
  }),
}

describe('the host', () => {
  it('without GPUs must be equal in CPU model, count and platform only', async () => {
    const { mustEqual, recorded: told } = await systemHost({ environment: {}, cwd, smi: nvidiaSmi(absent) }).probe(0)
    expect(Object.keys(mustEqual).toSorted()).toEqual(['cpuModel', 'logicalCpus', 'platform'])
    expect(mustEqual['logicalCpus']).toBe(String(cpus().length))
    expect(told['kernel']).toMatch(/\d/)
    expect(Object.values({ ...mustEqual, ...told })).not.toContain('')
  })

  it('with GPUs that cannot be asked has every field of theirs unknown', async () => {
    const { mustEqual, recorded: told } = await systemHost({ environment: {}, cwd, smi: nvidiaSmi(absent) }).probe(8)
    const facts = Object.entries({ ...mustEqual, ...told }).filter(([name]) => name.startsWith('gpu'))
    expect(facts).toHaveLength(12)
    expect(facts.filter(([, value]) => value !== 'unknown')).toEqual([])
  })

  it('with GPUs has what makes two capacities comparable from their own report', async () => {
    const { mustEqual, recorded: told } = await systemHost({ environment: {}, cwd, smi: nvidiaSmi(recorded) }).probe(2)
    expect(mustEqual).toMatchObject({
      gpuCount: '2',
      gpuModel: 'NVIDIA H100 80GB HBM3',
      gpuMemoryMib: '81559',
      gpuMigMode: 'Disabled',
      gpuPowerLimitW: '700.00',
      gpuNvlinksUp: '18, 17',
      gpuDriverMajor: '535',
    })
    expect(told).toMatchObject({
      gpuDriver: '535.183.01',
      gpuUuids: `${fixtureUuid(0)}, ${fixtureUuid(1)}`,
      gpuVbios: '96.00.89.00.01',
      gpuPersistence: 'Enabled',
    })
  })

  it('takes the commit from the environment, else from the checkout', async () => {
    expect(await systemHost({ environment: { GITHUB_SHA: SHA }, cwd }).commit()).toBe(SHA)
    const head = await systemHost({ environment: { GITHUB_SHA: 'main; rm -rf /' }, cwd }).commit()
    expect(head).toBe((await commandOutput('git', ['rev-parse', 'HEAD'], cwd)) ?? null)
    expect(await systemHost({ environment: {}, cwd: '/' }).commit()).toBeNull()
  })
})

describe('hardware facts', () => {
  it('tell GPUs that differ and values that are not known', () => {
    const other = plainGpu(1, { powerLimitW: null, nvlinksUp: 17, migMode: 'unsupported' })
    expect(gpuFacts([plainGpu(0), other]).mustEqual).toMatchObject({
      gpuPowerLimitW: '700.00, unknown',
      gpuNvlinksUp: '18, 17',
      gpuMigMode: 'Disabled, unsupported',
      gpuMemoryMib: '81559',
    })
    expect(new Set(Object.values(gpuFacts([]).mustEqual))).toEqual(new Set(['unknown']))
  })
})

describe('a short command', () => {
  it('that fails or is missing tells nothing', async () => {
    expect(await commandOutput('no-such-program', [])).toBeNull()
    expect(await commandOutput(process.execPath, ['-e', 'process.exit(3)'])).toBeNull()
    expect(await commandOutput(process.execPath, ['-e', 'process.stdout.write(process.argv[1])', '$(id); x'])).toBe(
      '$(id); x',
    )
  })
})
