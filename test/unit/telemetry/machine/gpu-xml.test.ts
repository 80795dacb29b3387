import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSmiXml } from '../../../../src/core/telemetry/gpu-xml.ts'
import { readXml } from '../../../../src/core/telemetry/smi-xml.ts'
import { fixtureUuid, machineFixture } from './fixture.ts'

const read = (name: string) => {
  const report = parseSmiXml(machineFixture(name))
  if (!report) throw new Error(`${name} was not read`)
  return report
}

describe('nvidia-smi -q -x', () => {
  it('of R535 is read, with a process, a remap pending and an uncorrected error', () => {
    const { gpus, processes } = read('h100-r535.xml')
    expect(gpus.map(({ uuid, index, bus }) => [uuid, index, bus])).toEqual([
      [fixtureUuid(0), 0, '0000:19:00'],
      [fixtureUuid(1), 1, '0000:3b:00'],
    ])
    expect(gpus[1]).toEqual({
      uuid: fixtureUuid(1),
      index: 1,
      name: 'NVIDIA H100 80GB HBM3',
      bus: '0000:3b:00',
      driver: '535.183.01',
      vbios: '96.00.89.00.01',
      memoryTotalMib: 81_559,
      memoryUsedMib: 71_934,
      migMode: 'Disabled',
      persistence: 'Enabled',
      powerLimitW: 700,
      powerDrawW: 699.31,
      temperatureC: 63,
      smMhz: 1515,
      smMaxMhz: 1980,
      utilPercent: 98,
      reasons: ['sw_power_cap'],
      heldUs: null,
      eccMode: 'Enabled',
      ecc: { correctedVolatile: 2, correctedAggregate: 7, uncorrectedVolatile: 1, uncorrectedAggregate: 2 },
      remappedCorrectable: 0,
      remappedUncorrectable: 1,
      remapPending: true,
      remapFailure: false,
      retiredPages: null,
      retirementPending: null,
      recoveryAction: 'None',
      nvlinksUp: null,
    })
    expect(processes).toEqual([{ gpu: fixtureUuid(1), pid: 4711, name: '/usr/bin/python3', usedMib: 71_920 }])
  })

  it('of R580 has its counters, average power, split SRAM errors and MIG', () => {
    const { gpus, processes } = read('h100-r580.xml')
    expect(gpus[1]).toMatchObject({
      driver: '580.105.08',
      powerDrawW: 512.9,
      reasons: ['hw_slowdown', 'hw_thermal_slowdown'],
      heldUs: {
        sw_power_cap: 25_100_012_608,
        hw_thermal_slowdown: 1_840_211,
        hw_power_brake_slowdown: 0,
        sync_boost: 0,
      },
      ecc: { uncorrectedVolatile: 0, uncorrectedAggregate: 1 },
      recoveryAction: 'None',
    })
    expect(gpus.map(({ migMode }) => migMode)).toEqual(['Disabled', 'Disabled', 'Enabled'])
    expect(processes.map(({ pid, name }) => [pid, name])).toEqual([
      [81_234, 'VLLM::Worker_TP0'],
      [81_235, 'VLLM::Worker_TP1'],
      [9000, 'a <b> & c'],
    ])
  })

  it('of a card without partitions, ECC and remapping knows what is not there from what is not told', () => {
    const plain = machineFixture('h100-r580.xml')
      .replaceAll(/<current_mig>\w+</g, '<current_mig>N/A<')
      .replaceAll(/(<(?:s|d)ram_\w+>)\d+</g, '$1N/A<')
      .replaceAll(/<remapped_rows>[^]*?<\/remapped_rows>/g, '<remapped_rows>N/A</remapped_rows>')
      .replaceAll(/<gpu_util>\d+ %</g, '<gpu_util>[Unknown Error]<')
    const gpu = parseSmiXml(plain)?.gpus[0]
    expect(gpu).toMatchObject({
      migMode: 'unsupported',
      remapPending: null,
      remappedUncorrectable: null,
      utilPercent: null,
    })
    expect(Object.values(gpu?.ecc ?? {})).toEqual([null, null, null, null])
  })

  it('with the older names of drivers before R535 and GPUs before Ampere', () => {
    const older = machineFixture('h100-r535.xml')
      .replaceAll('clocks_event_reason', 'clocks_throttle_reason')
      .replaceAll('gpu_power_readings', 'power_readings')
      .replaceAll('current_power_limit', 'power_limit')
      .replaceAll(
        /<volatile>[^]*?<\/volatile>/g,
        '<volatile><single_bit><total>3</total></single_bit><double_bit><total>1</total></double_bit></volatile>',
      )
    expect(parseSmiXml(older)?.gpus[1]).toMatchObject({
      reasons: ['sw_power_cap'],
      powerLimitW: 700,
      ecc: { correctedVolatile: 3, uncorrectedVolatile: 1 },
    })
  })

  it('leaves out a GPU that was lost, and keeps the numbers of the others', () => {
    const text = machineFixture('h100-r580.xml').replace(`<uuid>${fixtureUuid(0)}</uuid>`, '<uuid>GPU is lost</uuid>')
    expect(parseSmiXml(text)?.gpus.map(({ index }) => index)).toEqual([1, 2])
  })

  it('is nothing where it was cut anywhere, or is something else', () => {
    const whole = machineFixture('h100-r580.xml').trimEnd()
    for (let at = 0; at < whole.length; at += 97) expect(parseSmiXml(whole.slice(0, at))).toBeNull()
    for (const text of ['', 'NVIDIA-SMI has failed', '<html></html>', '{"a":1}']) expect(parseSmiXml(text)).toBeNull()
  })

  it('is a report or nothing, whatever comes: never an error', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom('<gpu id="a">', '</gpu>', '<uuid>', '</uuid>', '<!-- ', ' -->', '&amp;', '<?x?>'),
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const report = parseSmiXml(`<nvidia_smi_log>${parts.join('')}</nvidia_smi_log>`)
        expect(report === null || Array.isArray(report.gpus)).toBe(true)
      }),
    )
  })
})

describe('the XML reader', () => {
  it('refuses declared entities, unclosed and crossed elements, and depth without end', () => {
    for (const text of [
      '<!DOCTYPE x [<!ENTITY e "y">]><a>&e;</a>',
      '<a><b></a></b>',
      '<a>',
      '<a></a><b></b>',
      'x<a></a>',
      '<a><![CDATA[x]]></a>',
      `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`,
    ]) {
      expect(readXml(text)).toBeNull()
    }
    expect(readXml('<?xml version="1.0" ?>\n<!DOCTYPE a SYSTEM "a.dtd">\n<!-- c --><a k="&lt;"><b/>t</a>\n')).toEqual({
      name: 'a',
      attributes: { k: '<' },
      children: [{ name: 'b', attributes: {}, children: [], text: '' }],
      text: 't',
    })
  })

  it('reads a large document in time that grows with its length', () => {
    const text = `<a>${'<b>1 MHz</b>'.repeat(100_000)}</a>`
    expect(readXml(text)?.children).toHaveLength(100_000)
  })
})
