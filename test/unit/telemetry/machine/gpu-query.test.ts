import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  newestColumns,
  parseNvlinks,
  parseProcessRows,
  parseSampleRow,
  queryArguments,
  withoutRefused,
} from '../../../../src/core/telemetry/gpu-query.ts'
import { reasonNames } from '../../../../src/core/telemetry/gpu-reasons.ts'
import { fixtureUuid, machineFixture } from './fixture.ts'

const rows = machineFixture('query-gpu.csv').trimEnd().split('\n')

describe('nvidia-smi --query-gpu', () => {
  const columns = newestColumns()

  it('is read row by row, and every reason from the bitmask', () => {
    const samples = rows.map((row) => parseSampleRow(columns, row))
    expect(samples[0]).toEqual({
      uuid: fixtureUuid(0),
      utilPercent: 98,
      memoryUtilPercent: 41,
      memoryUsedMib: 70_214,
      smMhz: 1605,
      memoryMhz: 2619,
      powerW: 694.2,
      temperatureC: 61,
      memoryTemperatureC: 78,
      reasons: ['sw_power_cap'],
    })
    expect(samples.map((sample) => sample?.reasons)).toEqual([
      ['sw_power_cap'],
      ['hw_slowdown', 'hw_thermal_slowdown'],
      ['gpu_idle'],
      [],
    ])
    expect(samples[2]).toMatchObject({ utilPercent: null, memoryTemperatureC: null })
    expect(samples[3]).toMatchObject({ powerW: null, utilPercent: 0 })
  })

  it('asks again by older names, and without what a driver does not have', () => {
    const refused = (name: string) => `Field "${name}" is not a valid field to query.\n`
    const once = withoutRefused(columns, refused('clocks_event_reasons.active')) ?? []
    expect(queryArguments(once)[0]).toContain('clocks_throttle_reasons.active')
    const twice = withoutRefused(once, refused('temperature.memory')) ?? []
    expect(queryArguments(twice)[0]).not.toContain('temperature.memory')
    const row =
      rows[1]
        ?.split(', ')
        .filter((_, index) => index !== 8)
        .join(', ') ?? ''
    expect(parseSampleRow(twice, row)).toMatchObject({
      memoryTemperatureC: null,
      reasons: ['hw_slowdown', 'hw_thermal_slowdown'],
    })
    const older = withoutRefused(twice, refused('uuid')) ?? []
    expect(withoutRefused(older, refused('gpu_uuid'))).toBeNull()
    expect(withoutRefused(columns, 'NVIDIA-SMI has failed because it could not communicate with the driver')).toBeNull()
  })

  it('takes no message for a row', () => {
    for (const text of [
      'Unable to determine the device handle for GPU3: 0000:5F:00.0: Unknown Error',
      '',
      'a,b,c,d,e,f,g,h,i,j',
    ]) {
      expect(parseSampleRow(columns, text)).toBeNull()
    }
    fc.assert(fc.property(fc.string(), (text) => void parseSampleRow(columns, text)))
  })

  it('names every bit, and one that has no name yet by itself', () => {
    expect(reasonNames(0)).toEqual([])
    expect(reasonNames(0x1ff)).toHaveLength(9)
    expect(reasonNames(0x8000_0204)).toEqual(['sw_power_cap', 'bit_0x80000200'])
    fc.assert(
      fc.property(fc.nat(0x1ff), (mask) => reasonNames(mask).length === mask.toString(2).replaceAll('0', '').length),
    )
  })
})

describe('nvidia-smi --query-compute-apps', () => {
  it('is read, names with commas and values that are not told too', () => {
    expect(parseProcessRows(machineFixture('compute-apps.csv'))).toEqual([
      { gpu: fixtureUuid(0), pid: 81_234, name: 'VLLM::Worker_TP0', usedMib: 70_200 },
      { gpu: fixtureUuid(1), pid: 81_235, name: 'VLLM::Worker_TP1', usedMib: 70_200 },
      { gpu: fixtureUuid(1), pid: 9000, name: '/opt/train/run,batch 2', usedMib: 512 },
      { gpu: fixtureUuid(2), pid: 77, name: 'unknown', usedMib: null },
    ])
    expect(parseProcessRows('')).toEqual([])
    expect(parseProcessRows('No running processes found\n')).toEqual([])
    expect(parseProcessRows('Unable to determine the device handle for GPU3\n')).toBeNull()
  })
})

describe('nvidia-smi nvlink --status', () => {
  it('counts the links that are up; a card without any has none', () => {
    expect([...parseNvlinks(machineFixture('nvlink-status.txt'))]).toEqual([
      [fixtureUuid(0), 18],
      [fixtureUuid(1), 17],
      [fixtureUuid(2), 0],
      [fixtureUuid(3), 0],
    ])
    expect(parseNvlinks('NVIDIA-SMI has failed').size).toBe(0)
  })
})
