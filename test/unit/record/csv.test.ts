import { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeRequestsCsv, REFERENCE_COLUMNS, REQUESTS_CSV_COLUMNS } from '../../../src/core/record/csv.ts'
import { readRequestsCsv } from '../../../src/core/record/read.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import { tableRecords } from '../../../src/core/record/table.ts'
import { cohort } from './arbitrary-record.ts'

const record: RequestRecord = {
  id: 'r-1',
  class: 'interactive',
  status: 'ok',
  errorCode: null,
  dueUs: 1_000_000,
  handedUs: 1_000_200,
  sentUs: 1_000_250,
  firstTokenUs: 1_100_250,
  firstContentUs: 1_100_250,
  lastTokenUs: 2_370_301,
  endUs: 2_370_900,
  inputTokens: 1024,
  outputTokens: 128,
  cachedTokens: 256,
  chunks: 128,
  gapUs: { p50: 10_000, p95: 10_400, max: 12_001 },
  httpStatus: 200,
  finishReason: 'length',
  replica: 3,
  session: null,
  turn: null,
}

describe('reading for the analyzer', () => {
  it('refuses what reading all refuses, and keeps no column that no figure comes from', async () => {
    const csv = encodeRequestsCsv([record])
    const all = await readRequestsCsv(csv)
    const analyzed = await readRequestsCsv(csv, { columns: 'analyzed' })
    const none = new Float64Array()
    expect(analyzed).toEqual({
      ...all,
      handedUs: none,
      firstContentUs: none,
      gapP50Us: none,
      gapP95Us: none,
      gapMaxUs: none,
      chunks: new Int32Array(),
      replica: new Int32Array(),
      turn: new Int32Array(),
      finishReason: { index: new Int32Array(), texts: [] },
      session: { index: new Int32Array(), texts: [] },
    })
    const bad = csv.replace(',10.400,', ',ten,')
    expect(bad).not.toBe(csv)
    await expect(readRequestsCsv(bad, { columns: 'analyzed' })).rejects.toMatchObject({ exitCode: 4 })
  })
})

describe('writing', () => {
  it('writes the reference’s seven columns first, then ours', () => {
    expect(REQUESTS_CSV_COLUMNS.slice(0, 7)).toEqual(REFERENCE_COLUMNS)
    expect(REQUESTS_CSV_COLUMNS.join(',')).toBe(
      'request_id,class,ttft_ms,tpot_ms,e2e_ms,output_tokens,status,' +
        'due_us,sent_us,first_token_us,last_token_us,end_us,send_lag_ms,ttft_from_due_ms,e2e_from_due_ms,' +
        'input_tokens,cached_tokens,chunks,gap_p50_ms,gap_p95_ms,gap_max_ms,http_status,finish_reason,error_code,' +
        'replica,session,turn,first_content_us,handed_us,observed_output_tokens',
    )
  })

  it('derives milliseconds from microseconds to the last digit, and TPOT to six', () => {
    const [header, row, end] = encodeRequestsCsv([record]).split('\n')
    expect(header).toBe(REQUESTS_CSV_COLUMNS.join(','))
    expect(row).toBe(
      'r-1,interactive,100.000,10.000402,1370.051,128,ok,1000000,1000250,1100250,2370301,2370900,' +
        '0.250,100.250,1370.301,1024,256,128,10.000,10.400,12.001,200,length,,3,,,1100250,1000200,128',
    )
    expect(end).toBe('')
  })

  it('rounds TPOT half up in integers, and writes 0 for one token or none', () => {
    const tpotOf = (decodeUs: number, outputTokens: number) => {
      const lastTokenUs = 1_100_250 + decodeUs
      return encodeRequestsCsv([{ ...record, lastTokenUs, outputTokens }])
        .split('\n')[1]
        ?.split(',')[3]
    }
    expect(tpotOf(1, 2001)).toBe('0.000001')
    expect(tpotOf(1, 2002)).toBe('0.000000')
    expect(tpotOf(2, 4)).toBe('0.000667')
    expect(tpotOf(0, 1)).toBe('0.000000')
    expect(tpotOf(0, 0)).toBe('0.000000')
  })

  it('writes zeros in the reference’s columns of a row that is not ok, and what was observed in ours', () => {
    const row = encodeRequestsCsv([{ ...record, status: 'timeout', errorCode: 'stall', outputTokens: 57 }]).split(
      '\n',
    )[1]
    expect(row).toContain('r-1,interactive,0,0,0,0,timeout,1000000,1000250,1100250,2370301,')
    expect(row).toContain(',stall,3,,,1100250,1000200,57')
  })

  it('refuses an ok record without the times that make it one', () => {
    for (const broken of [{ sentUs: null }, { firstTokenUs: null }, { lastTokenUs: null }, { outputTokens: null }]) {
      expect(() => encodeRequestsCsv([{ ...record, ...broken }])).toThrow('"r-1" is ok but lacks')
    }
  })

  it('leaves no cell that a spreadsheet would run', () => {
    const hostile = {
      ...record,
      id: '=1+1',
      finishReason: '@SUM(A1)',
      session: '\t-2',
      errorCode: '+x',
      status: 'error',
    }
    const rows = parse(encodeRequestsCsv([hostile as RequestRecord])) as string[][]
    expect(rows[1]?.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
    expect(rows[1]?.[0]).toBe("'=1+1")
  })
})

describe('quoting', () => {
  it('is csv-stringify’s', () => {
    fc.assert(
      fc.property(cohort, (records) => {
        const csv = encodeRequestsCsv(records)
        expect(csv).toBe(stringify(parse(csv) as string[][]))
      }),
      { numRuns: 300 },
    )
  })
})

describe('writing and reading back', () => {
  it('gives the same records', async () => {
    await fc.assert(
      fc.asyncProperty(cohort, async (records) => {
        const table = await readRequestsCsv(encodeRequestsCsv(records))
        expect([...tableRecords(table)]).toEqual(records)
      }),
      { numRuns: 300 },
    )
  })

  it('gives the same however the bytes are split', async () => {
    await fc.assert(
      fc.asyncProperty(cohort, fc.integer({ min: 1, max: 7 }), fc.boolean(), async (records, size, hasMark) => {
        const bytes = Buffer.from(`${hasMark ? '\uFEFF' : ''}${encodeRequestsCsv(records)}`)
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        )
        const table = await readRequestsCsv(Readable.from(chunks))
        expect([...tableRecords(table)]).toEqual(records)
      }),
      { numRuns: 50 },
    )
  })

  it('needs room for a cohort of many chunks', async () => {
    const records = Array.from({ length: 5000 }, (_, i) => ({ ...record, id: `r-${i}`, session: `s-${i % 7}` }))
    const table = await readRequestsCsv(encodeRequestsCsv(records))
    expect([...tableRecords(table)]).toEqual(records)
  })
})
