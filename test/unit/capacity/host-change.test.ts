import { describe, expect, test } from 'vitest'
import { hostDifferences, hostDifferencesText } from '../../../src/core/capacity/host-change.ts'

const MACHINE = {
  hostname: 'gpu-runner-3',
  kernel: '5.15.0-105-generic',
  operatingSystem: '#115-Ubuntu SMP Mon Apr 15',
  memoryGib: '2015.5',
  node: '24.1.0',
  logicalCpus: '192',
  gpuDriver: '580.65.06',
  gpuUuids: 'GPU-a, GPU-b',
  gpuVbios: '96.00.A5.00.01',
  gpuPersistence: 'Enabled',
  gpuClockMaxMhz: '1980',
}
const CPU_ONLY = { hostname: 'runner-3', kernel: '6.8.0-31-generic', memoryGib: '251.5', node: '24.1.0' }

const keysOf = (now: Record<string, string>, base: Record<string, string>) =>
  hostDifferences(now, base).map(({ key }) => key)

describe('a machine', () => {
  test.each([
    ['gpuUuids', 'GPU-a, GPU-c'],
    ['gpuDriver', '580.82.07'],
    ['gpuVbios', '96.00.A5.00.02'],
    ['gpuClockMaxMhz', '1755'],
    ['logicalCpus', '96'],
    ['memoryGib', '1007.4'],
    ['kernel', '6.8.0-31-generic'],
  ])('is another one with another %s', (key, value) => {
    expect(keysOf({ ...MACHINE, [key]: value }, MACHINE)).toEqual([key])
  })

  test.each([
    ['hostname', 'runner-x7k2p'],
    ['kernel', '5.15.0-119-generic'],
    ['operatingSystem', '#129-Ubuntu SMP Fri Aug 2'],
    ['memoryGib', '2015.3'],
    ['node', '24.2.0'],
    ['gpuPersistence', 'Disabled'],
    ['gpuUuids', 'GPU-b, GPU-a'],
  ])('is the same one with another %s', (key, value) => {
    expect(keysOf({ ...MACHINE, [key]: value }, MACHINE)).toEqual([])
  })

  test('without GPUs is told by its name', () => {
    expect(keysOf({ ...CPU_ONLY, hostname: 'runner-4' }, CPU_ONLY)).toEqual(['hostname'])
    expect(keysOf(CPU_ONLY, CPU_ONLY)).toEqual([])
  })

  test('of which one side does not know the GPUs is another one', () => {
    expect(keysOf({ ...MACHINE, gpuUuids: 'unknown' }, MACHINE)).toEqual(['gpuUuids'])
    expect(keysOf(MACHINE, CPU_ONLY)).toContain('gpuUuids')
  })
})

test('differences are told with their values where those are short', () => {
  const uuids = Array.from({ length: 8 }, (_, index) => `GPU-${index}0000000-0000-4000-8000-000000000000`).join(', ')
  const text = hostDifferencesText(hostDifferences({ ...MACHINE, gpuUuids: uuids, gpuDriver: '580.82' }, MACHINE))
  expect(text).toBe('gpuUuids, gpuDriver (580.65.06 → 580.82)')
})
