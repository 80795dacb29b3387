import { cpus } from 'node:os'
import { describe, expect, it } from 'vitest'
import { commandOutput } from '../../../../src/adapters/system/command.ts'
import { systemHost } from '../../../../src/adapters/system/host.ts'
import { probeGpus } from '../../../../src/adapters/system/nvidia.ts'

const cwd = import.meta.dirname
const SHA = '0123456789abcdef0123456789abcdef01234567'

const row = (uuid: string, power = '700.00') =>
  `NVIDIA H100 80GB HBM3, 81559, Disabled, ${power}, 570.124.06, GPU-${uuid}, 96.00.89.00.01, Enabled`
const links = (up: number) =>
  `NVIDIA H100 80GB HBM3 (UUID: GPU-x)\n${Array.from({ length: 18 }, (_, n) => `\t Link ${n}: ${n < up ? '26.562 GB/s' : '<inactive>'}`).join('\n')}\n`
const smi = (table: string | null, status: string | null) => async (args: readonly string[]) =>
  args[0] === 'nvlink' ? status : table

describe('the host', () => {
  it('without GPUs must be equal in CPU model, count and platform only', async () => {
    const { mustEqual, recorded } = await systemHost({
      environment: {},
      cwd,
      nvidiaSmi: smi('never asked', null),
    }).probe(0)
    expect(Object.keys(mustEqual).toSorted()).toEqual(['cpuModel', 'logicalCpus', 'platform'])
    expect(mustEqual['logicalCpus']).toBe(String(cpus().length))
    expect(recorded['kernel']).toMatch(/\d/)
    expect(Object.values({ ...mustEqual, ...recorded })).not.toContain('')
  })

  it('with GPUs that cannot be asked has every field of theirs unknown', async () => {
    const { mustEqual, recorded } = await systemHost({ environment: {}, cwd, nvidiaSmi: smi(null, null) }).probe(8)
    const told = Object.entries({ ...mustEqual, ...recorded }).filter(([name]) => name.startsWith('gpu'))
    expect(told).toHaveLength(11)
    expect(told.filter(([, value]) => value !== 'unknown')).toEqual([])
  })

  it('takes the commit from the environment, else from the checkout', async () => {
    expect(await systemHost({ environment: { GITHUB_SHA: SHA }, cwd }).commit()).toBe(SHA)
    const head = await systemHost({ environment: { GITHUB_SHA: 'main; rm -rf /' }, cwd }).commit()
    expect(head).toBe((await commandOutput('git', ['rev-parse', 'HEAD'], cwd)) ?? null)
    expect(await systemHost({ environment: {}, cwd: '/' }).commit()).toBeNull()
  })
})

describe('nvidia-smi', () => {
  it('is read into must-equal and recorded facts', async () => {
    const status = `GPU 0: ${links(18)}GPU 1: ${links(18)}`
    expect(await probeGpus(smi(`${row('a')}\n${row('b')}\n`, status))).toEqual({
      mustEqual: {
        gpuCount: '2',
        gpuModel: 'NVIDIA H100 80GB HBM3',
        gpuMemoryMib: '81559',
        gpuMigMode: 'Disabled',
        gpuPowerLimitW: '700.00',
        gpuNvlinksUp: '18',
        gpuDriverMajor: '570',
      },
      recorded: {
        gpuDriver: '570.124.06',
        gpuUuids: 'GPU-a, GPU-b',
        gpuVbios: '96.00.89.00.01',
        gpuPersistence: 'Enabled',
      },
    })
  })

  it('tells GPUs that differ, links that are down and values it does not know', async () => {
    const status = `GPU 0: ${links(18)}GPU 1: ${links(17)}`
    const { mustEqual } = await probeGpus(smi(`${row('a', '[N/A]')}\n${row('b', '650.00')}`, status))
    expect(mustEqual).toMatchObject({ gpuPowerLimitW: 'unknown, 650.00', gpuNvlinksUp: '18, 17' })
  })

  it('of a card without links and partitions is known to have none', async () => {
    const table = row('a').replace('Disabled', '[N/A]')
    const status = 'GPU 0: NVIDIA L4\n\tNVML: Unable to retrieve NVLink information as all links are inActive\n'
    expect((await probeGpus(smi(table, status))).mustEqual).toMatchObject({
      gpuMigMode: 'unsupported',
      gpuNvlinksUp: '0',
    })
  })

  it('that prints no table leaves all unknown', async () => {
    const { mustEqual } = await probeGpus(smi('NVIDIA-SMI has failed\n"', 'no links'))
    expect(new Set([mustEqual['gpuCount'], mustEqual['gpuModel'], mustEqual['gpuDriverMajor']])).toEqual(
      new Set(['unknown']),
    )
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
