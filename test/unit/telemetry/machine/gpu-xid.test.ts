import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDcgm } from '../../../../src/core/telemetry/gpu-dcgm.ts'
import { newXids, parseKernelLog, xidBlame, xidName } from '../../../../src/core/telemetry/gpu-xid.ts'
import { fixtureUuid, machineFixture } from './fixture.ts'

describe('the kernel’s log', () => {
  const log = parseKernelLog(machineFixture('dmesg.txt'))

  it('tells each Xid with its GPU, a switch’s, and a GPU that is lost over three lines', () => {
    expect(log.xids.map(({ atSeconds, of, code, bus }) => [atSeconds, of, code, bus])).toEqual([
      [1843.308145, 'gpu', 13, '0000:19:00'],
      [1843.439662, 'gpu', 43, '0000:19:00'],
      [2207.118442, 'gpu', 48, '0000:3b:00'],
      [2207.118901, 'gpu', 63, '0000:3b:00'],
      [2207.119355, 'gpu', 94, '0000:3b:00'],
      [2207.1194, 'gpu', 154, '0000:3b:00'],
      [2210.000101, 'switch', 11_012, '0000:05:00'],
      [2210.000202, 'switch', 11_001, '0000:05:00'],
      [null, 'gpu', 79, '0000:4c:00'],
    ])
    expect(log.oomKills).toEqual([expect.stringMatching(/^Memory cgroup out of memory: Killed process 90001 \(VLLM/)])
  })

  it('blames the program on the GPU, the hardware, or nobody', () => {
    expect(log.xids.map((xid) => [xid.code, xidBlame(xid)])).toEqual([
      [13, 'engine'],
      [43, 'engine'],
      [48, 'host'],
      [63, null],
      [94, 'host'],
      [154, null],
      [11_012, null],
      [11_001, 'host'],
      [79, 'host'],
    ])
    expect(xidBlame({ of: 'gpu', code: 31, text: '' })).toBe('engine')
    expect(xidBlame({ of: 'gpu', code: 9999, text: '' })).toBe('host')
    expect(xidName({ of: 'gpu', code: 79 })).toBe('Xid 79 (fell off the bus)')
    expect(xidName({ of: 'switch', code: 11_001 })).toBe('SXid 11001')
  })

  it('is read from the journal and from the kernel’s own records as well', () => {
    const journal = parseKernelLog(machineFixture('journal.txt'))
    expect(journal.xids.map(({ atSeconds, code }) => [atSeconds, code])).toEqual([
      [1843.439662, 43],
      [5000.000001, 79],
    ])
    expect(journal.oomKills).toHaveLength(1)
    const record = "3,1234,5000000001,-;NVRM: Xid (PCI:0000:19:00): 79, pid='<unknown>', GPU has fallen off the bus."
    expect(parseKernelLog(record).xids).toMatchObject([{ atSeconds: 5000.000001, code: 79 }])
  })

  it('of later holds what is new in it; the same error twice is twice', () => {
    const [first, second] = log.xids
    if (!first || !second) throw new Error('no Xids')
    const of = (...xids: (typeof first)[]) => ({ xids, oomKills: [] })
    expect(newXids(of(first), of(first, second))).toEqual([second])
    expect(newXids(of(first), of(first, first))).toEqual([first])
    expect(newXids(of(first, second), of(second))).toEqual([])
    expect(newXids(log, log)).toEqual([])
  })

  it('never throws and keeps a bounded number', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseKernelLog(`NVRM: Xid (PCI:${text}): ${text}`)))
    expect(parseKernelLog('NVRM: Xid (PCI:0000:19:00): 13, x\n'.repeat(5000)).xids).toHaveLength(200)
  })
})

describe('a DCGM exporter’s page', () => {
  it('is read by UUID; blanks and MIG instances are left out', () => {
    const gpus = parseDcgm(machineFixture('dcgm-exporter.txt'))
    expect(gpus?.[fixtureUuid(1)]).toEqual({
      smMhz: 990,
      memoryMhz: 2619,
      temperatureC: 87,
      powerW: 512.913,
      energyMj: 260_537_897_279,
      utilPercent: 100,
      lastXid: 31,
      memoryUsedMib: 70_214,
      remappedUncorrectable: 1,
      remappedCorrectable: 0,
      remapFailure: 0,
      eccUncorrectedVolatile: 0,
      engineActiveShare: 0.995012,
      tensorActiveShare: 0.398761,
      dramActiveShare: 0.61123,
    })
    expect(gpus?.[fixtureUuid(2)]).not.toHaveProperty('eccUncorrectedVolatile')
    expect(gpus?.[fixtureUuid(2)]).not.toHaveProperty('engineActiveShare')
    expect(parseDcgm('# HELP up x\nup 1\n')).toBeNull()
  })
})
