import { describe, expect, it } from 'vitest'
import type { GateError } from '../../../src/core/kernel/errors.ts'
import { encodeRequestsCsv } from '../../../src/core/record/csv.ts'
import { readRequestsCsv } from '../../../src/core/record/read.ts'
import { textAt } from '../../../src/core/record/table.ts'

const header = 'request_id,class,ttft_ms,tpot_ms,e2e_ms,output_tokens,status'
const good = 'r-1,interactive,100,10,1370,128,ok'
const failed = 'r-2,interactive,0,0,0,0,error'

async function refused(csv: string | Uint8Array): Promise<GateError> {
  return readRequestsCsv(csv).then(
    () => expect.fail('it was read'),
    (error: GateError) => error,
  )
}

/** The code, and the place as the message names it. */
async function reason(csv: string | Uint8Array): Promise<string> {
  const { name, code, message, hint, exitCode } = await refused(csv)
  expect({ name, exitCode, file: message.startsWith('requests.csv') }).toEqual({
    name: 'GateError',
    exitCode: 4,
    file: true,
  })
  expect(message).not.toContain('\n')
  expect(hint).not.toBe('')
  return `${code} ${/(row \d+)?(, column \w+)?:/.exec(message)?.[0]}`
}

describe('what is read', () => {
  it('takes the seven columns in any order, among others', async () => {
    const table = await readRequestsCsv(
      'note,status,output_tokens,e2e_ms,tpot_ms,ttft_ms,class,request_id,due_us\nx,ok,128,1370,10,100,a,r-1,?',
    )
    expect(table).toMatchObject({ rows: 1, ids: ['r-1'], hasTimes: false })
    expect([table.ttftMs[0], table.tpotMs[0], table.e2eMs[0], table.outputTokens[0]]).toEqual([100, 10, 1370, 128])
    expect(textAt(table.classes, 0)).toBe('a')
    expect(table.dueUs).toHaveLength(0)
  })

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('takes lines that end in %s, with and without a last one, blank ones between', async (_, end) => {
    for (const tail of ['', end, end + end]) {
      const table = await readRequestsCsv([header, good, '', failed].join(end) + tail)
      expect([...table.lines]).toEqual([2, 4])
    }
  })

  it('takes a header alone', async () => {
    expect(await readRequestsCsv(header)).toMatchObject({ rows: 0 })
  })

  it('takes a byte order mark', async () => {
    expect(await readRequestsCsv(`\uFEFF${header}\n${good}`)).toMatchObject({ ids: ['r-1'] })
  })

  it('does not read what a row that is not ok measured', async () => {
    expect(await readRequestsCsv(`${header}\nr-1,a,,?,-1,nan,timeout`)).toMatchObject({ rows: 1 })
  })

  it('leaves a guard alone where the file is not ours', async () => {
    expect(await readRequestsCsv(`${header}\n'=1,a,0,0,0,0,error`)).toMatchObject({ ids: ["'=1"] })
  })

  it('takes what lies on the tolerance', async () => {
    expect(await readRequestsCsv(`${header}\nr-1,a,100,10,1370.5,128,ok\nr-2,a,100,10,1369.5,128,ok`)).toMatchObject({
      rows: 2,
    })
  })
})

describe('what is refused', () => {
  it.each<[string, string, string]>([
    ['an empty file', '', 'csv_header row 1:'],
    ['a byte order mark alone', '\uFEFF', 'csv_header row 1:'],
    ['blank lines', '\n\n', 'csv_header row 1:'],
    ['a header on the second line', `\n${header}\n${good}`, 'csv_header row 1:'],
    ['rows without a header', good, 'csv_header row 1:'],
    ['a missing column', `${header.replace(',status', '')}\n`, 'csv_header row 1:'],
    ['a column twice', `${header},class\n`, 'csv_header row 1:'],
    ['a longer row', `${header}\n${good}\n${failed},1`, 'csv_row_length row 3:'],
    ['a shorter row', `${header}\nr-1,interactive,100,10,1370,128`, 'csv_row_length row 2:'],
    ['an id twice', `${header}\n${good}\n\n${good}`, 'csv_id row 4, column request_id:'],
    ['no id', `${header}\n${good.slice(3)}`, 'csv_id row 2, column request_id:'],
    ['an unknown status', `${header}\nr-1,a,0,0,0,0,OK`, 'csv_status row 2, column status:'],
    ['a status with a space', `${header}\nr-1,a,0,0,0,0, ok`, 'csv_status row 2, column status:'],
    ['an empty cell', `${header}\nr-1,a,,10,1370,128,ok`, 'csv_number row 2, column ttft_ms:'],
    ['underscores', `${header}\nr-1,a,1_00,10,1370,128,ok`, 'csv_number row 2, column ttft_ms:'],
    ['hexadecimal', `${header}\nr-1,a,100,0xA,1370,128,ok`, 'csv_number row 2, column tpot_ms:'],
    ['infinity', `${header}\nr-1,a,100,10,inf,128,ok`, 'csv_number row 2, column e2e_ms:'],
    ['overflow', `${header}\nr-1,a,100,10,1e999,128,ok`, 'csv_number row 2, column e2e_ms:'],
    ['not a number', `${header}\nr-1,a,nan,10,1370,128,ok`, 'csv_number row 2, column ttft_ms:'],
    ['a negative time', `${header}\nr-1,a,-1,10,1269,128,ok`, 'csv_number row 2, column ttft_ms:'],
    ['a fraction of a token', `${header}\nr-1,a,100,10,1370,128.0,ok`, 'csv_number row 2, column output_tokens:'],
    ['tokens in scientific notation', `${header}\nr-1,a,100,10,1370,1e2,ok`, 'csv_number row 2, column output_tokens:'],
    ['latencies that disagree', `${header}\nr-1,a,100,10,1370.51,128,ok`, 'csv_inconsistent row 2, column e2e_ms:'],
    ['a quote without end', `${header}\n"r-1,a\n`, 'csv_syntax row 2:'],
    ['a quote in a bare cell', `${header}\nr"1,a,0,0,0,0,ok`, 'csv_syntax row 2:'],
    ['text behind a quote', `${header}\n"r"1,a,0,0,0,0,ok`, 'csv_syntax row 2:'],
    ['an endless row', `${header}\n${'x'.repeat(200_000)}`, 'csv_syntax row 2:'],
  ])('%s', async (_, csv, where) => {
    expect(await reason(csv)).toBe(where)
  })

  it.each([
    ['NUL', Buffer.from(`${header}\nr-\0,a,0,0,0,0,error`)],
    ['gzip', Uint8Array.of(0x1f, 0x8b, 8, 0, 1, 2, 3)],
    ['UTF-16', Buffer.from(`\uFEFF${header}\n${good}`, 'utf16le')],
    ['Latin-1', Buffer.from(`${header}\nr-é,a,0,0,0,0,error`, 'latin1')],
    ['a character cut off', Buffer.from(`${header}\nr-é`).subarray(0, -1)],
  ])('bytes that are no text: %s', async (_, bytes) => {
    expect((await refused(bytes)).code).toBe('csv_not_text')
  })

  it('more rows than asked for', async () => {
    const reading = readRequestsCsv(`${header}\n${good}\n${failed}`, { maxRows: 1, file: 'points/p/requests.csv' })
    await expect(reading).rejects.toMatchObject({
      code: 'csv_too_many_rows',
      message: 'points/p/requests.csv: more than 1 rows',
    })
  })

  it('passes on what the source itself throws', async () => {
    const failure = new Error('the disk is gone')
    const source = (async function* () {
      yield Buffer.from(header)
      throw failure
    })()
    await expect(readRequestsCsv(source)).rejects.toBe(failure)
  })

  it('quotes a hostile cell on one line', async () => {
    const { message } = await refused(`${header}\n"${'\u001b[31m\n'.repeat(30)}",a,0,0,0,0,what`)
    expect(message).toMatch(/^requests\.csv, row \d+, column status: "what" is no/)
    const { message: id } = await refused(`${header}\nr-1,a,"\u001b[2J\n${'9'.repeat(99)}",0,0,0,ok`)
    expect(id).toBe(
      `requests.csv, row 3, column ttft_ms: "\\u001b[2J\\n${'9'.repeat(35)}…" is no finite decimal number of at least 0`,
    )
  })
})

describe('microseconds beside milliseconds', () => {
  const record = {
    id: 'r-1',
    class: 'a',
    status: 'ok' as const,
    errorCode: null,
    dueUs: 1000,
    handedUs: 1500,
    sentUs: 1500,
    firstTokenUs: 101_500,
    firstContentUs: null,
    lastTokenUs: 1_371_500,
    endUs: 1_371_501,
    inputTokens: null,
    outputTokens: 128,
    cachedTokens: null,
    chunks: 128,
    gapUs: { p50: 1, p95: 2, max: 3 },
    httpStatus: 200,
    finishReason: null,
    replica: null,
    session: null,
    turn: null,
  }
  const [names = '', row = ''] = encodeRequestsCsv([record]).split('\n')
  const [, failedRow = ''] = encodeRequestsCsv([{ ...record, status: 'error' }]).split('\n')

  const withCell = (line: string, column: string, cell: string) =>
    [names, line.split(',').with(names.split(',').indexOf(column), cell).join(',')].join('\n')

  it.each([
    ['ttft_ms', '100.001'],
    ['tpot_ms', '10.000001'],
    ['e2e_ms', '1370.001'],
    ['send_lag_ms', '0.501'],
    ['send_lag_ms', ''],
    ['ttft_from_due_ms', '100.501'],
    ['e2e_from_due_ms', '1370.499'],
    ['observed_output_tokens', '127'],
  ])('%s that is off by a digit: %j', async (column, cell) => {
    expect(await reason(withCell(row, column, cell))).toBe(`csv_times_disagree row 2, column ${column}:`)
  })

  it.each([
    ['sent_us', '', 'ttft_ms'],
    ['last_token_us', '1371501', 'tpot_ms'],
    ['first_token_us', '', 'ttft_ms'],
  ])('%s that is %j', async (column, cell, blamed) => {
    expect(await reason(withCell(row, column, cell))).toBe(`csv_times_disagree row 2, column ${blamed}:`)
  })

  it.each([
    ['ttft_ms', '100.000'],
    ['output_tokens', '128'],
    ['e2e_ms', ''],
  ])('%s of a row that is not ok: %j', async (column, cell) => {
    expect(await reason(withCell(failedRow, column, cell))).toBe(`csv_times_disagree row 2, column ${column}:`)
  })

  it.each([
    ['due_us', ''],
    ['end_us', ''],
    ['chunks', ''],
    ['sent_us', '1500.0'],
    ['sent_us', '-1'],
    ['input_tokens', '2147483648'],
    ['gap_p50_ms', '0.0001'],
    ['gap_max_ms', '-1'],
    ['turn', 'one'],
  ])('%s that is no number of its kind: %j', async (column, cell) => {
    expect(await reason(withCell(row, column, cell))).toBe(`csv_number row 2, column ${column}:`)
  })
})
