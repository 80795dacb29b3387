import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDcgm } from '../../../../src/core/telemetry/gpu-dcgm.ts'
import { newestColumns, parseProcessRows, parseSampleRow } from '../../../../src/core/telemetry/gpu-query.ts'
import { smiNumber, smiText } from '../../../../src/core/telemetry/gpu-values.ts'
import { parseKernelLog } from '../../../../src/core/telemetry/gpu-xid.ts'
import { parseSmiXml } from '../../../../src/core/telemetry/gpu-xml.ts'
import type { MachineState } from '../../../../src/core/telemetry/machine-line.ts'
import { machineSeenSchema, machineStateSchema } from '../../../../src/core/telemetry/machine-schema.ts'
import { plainMachine } from '../../../fakes/machine.ts'
import { fixtureUuid, machineFixture } from './fixture.ts'

const whole = machineFixture('h100-r580.xml')
const back = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const isKept = (change: Partial<MachineState>) => machineStateSchema.safeParse(back(plainMachine(change))).success

function stateOf(xml: string): Partial<MachineState> {
  const report = parseSmiXml(xml)
  const processes = report?.processes.map((one) => ({ ...one, user: null, container: null, ours: null })) ?? null
  return { gpus: report?.gpus ?? null, processes }
}

describe('what nvidia-smi writes in place of a value', () => {
  it.each([
    'N/A',
    '[N/A]',
    '[Not Supported]',
    '[Unknown Error]',
    'Unknown Error',
    'ERR!',
    '[GPU requires reset]',
    'GPU requires reset',
    'Requires reset',
    'GPU is lost',
    '[Insufficient Permissions]',
    'Insufficient Permissions',
    'Function Not Found',
    '',
  ])('%j is no text and no number', (text) => {
    expect([smiText(text), smiNumber(text)]).toEqual([null, null])
  })

  it('is null in every field of the report, and no zero', () => {
    for (const said of ['[Unknown Error]', 'ERR!', 'GPU requires reset']) {
      const broken = whole.replaceAll(/>(?:\d[\d.]*(?: (?:MiB|W|MHz|C|%|us))?|Active|Not Active)</g, `>${said}<`)
      const [gpu] = parseSmiXml(broken)?.gpus ?? []
      expect(gpu).toMatchObject({
        memoryUsedMib: null,
        temperatureC: null,
        smMhz: null,
        reasons: null,
        powerDrawW: null,
      })
      expect(Object.values(gpu?.ecc ?? {})).toEqual([null, null, null, null])
      expect(isKept(stateOf(broken))).toBe(true)
    }
    const row = `${fixtureUuid(0)}, [N/A], ERR!, [Unknown Error], [GPU requires reset], , N/A, [N/A], [N/A], [N/A]`
    const sample = parseSampleRow(newestColumns(), row)
    expect(Object.values(sample ?? {}).filter((value) => value !== null)).toEqual([fixtureUuid(0)])
  })
})

describe('whatever is read of the machine', () => {
  it('can be written down and read back', () => {
    const long = 'x'.repeat(100_000)
    const list = (pid: string, name: string) =>
      whole.replaceAll(
        '<processes>',
        `<processes><process_info><pid>${pid}</pid><process_name>${name}</process_name><used_memory>1 MiB</used_memory></process_info>`,
      )
    for (const pid of ['-1', '1.5', '99999999999999999999', '', 'x']) {
      const state = stateOf(list(pid, 'python'))
      expect(isKept(state)).toBe(true)
      expect(state.processes?.map((one) => one.pid).every(Number.isSafeInteger)).toBe(true)
    }
    expect(isKept(stateOf(list('7', long)))).toBe(true)
    expect(isKept(stateOf(whole.replaceAll(fixtureUuid(0), `GPU-${'0'.repeat(500)}`)))).toBe(true)
    expect(isKept(stateOf(whole.replaceAll(/<product_name>[^<]*/g, `<product_name>${long}`)))).toBe(true)
    expect(isKept(stateOf(whole.replaceAll(/ MiB</g, `${'9'.repeat(400)} MiB<`)))).toBe(true)
    const many = '<process_info><pid>7</pid><process_name>p</process_name></process_info>'.repeat(20_000)
    expect(isKept(stateOf(whole.replaceAll('<processes>', `<processes>${many}`)))).toBe(true)
  })

  it('is kept, or nothing, whatever stands in the rows and pages', () => {
    const uuid = fc.oneof(
      fc.string(),
      fc.constant(fixtureUuid(0)),
      fc.constant(`GPU-${'a'.repeat(300)}`),
      fc.constant(''),
    )
    const cell = fc.oneof(fc.string(), fc.constantFrom('1', '-1', '1e9', '9'.repeat(400), '0xffffffffffffffff', '0x'))
    fc.assert(
      fc.property(uuid, fc.array(cell, { minLength: 9, maxLength: 9 }), (id, cells) => {
        const sample = parseSampleRow(newestColumns(), [id, ...cells].join(','))
        const rows = parseProcessRows([id, ...cells.slice(0, 3)].join(', '))
        const processes = rows?.map((one) => ({ ...one, user: null, container: null, ours: null }))
        const label = JSON.stringify(id)
        const page = parseDcgm(`DCGM_FI_DEV_GPU_TEMP{UUID=${label}} 40\nDCGM_FI_DEV_SM_CLOCK{UUID=${label}} NaN\n# x`)
        const seen = [
          ...(sample ? [{ kind: 'gpus', gpus: [sample] }] : []),
          ...(processes ? [{ kind: 'processes', processes }] : []),
          ...(page ? [{ kind: 'dcgm', gpus: page }] : []),
        ]
        expect(seen.filter((one) => !machineSeenSchema.safeParse(back(one)).success)).toEqual([])
        const kernel = parseKernelLog(cells.map((text) => `[1.5] NVRM: Xid (PCI:0000:19:00): 79, ${text}`).join('\n'))
        expect(isKept({ kernel })).toBe(true)
      }),
    )
  })

  it('holds no list without end', () => {
    const rows = `${fixtureUuid(0)}, 7, python, 1\n`.repeat(100_000)
    expect(parseProcessRows(rows)).toBeNull()
  })
})
