import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GateError } from '../../../../src/core/kernel/errors.ts'
import { MOST_LINE_BYTES } from '../../../../src/core/schedule/trace/line-splitter.ts'
import { TraceReader } from '../../../../src/core/schedule/trace/trace-reader.ts'
import { bytes, refusalOf, rowsOf, sample, SAMPLES } from './trace-bytes.ts'

const names = Object.keys(SAMPLES) as (keyof typeof SAMPLES)[]
const AZURE = 'TIMESTAMP,ContextTokens,GeneratedTokens'
const BURST = 'Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type'

describe('each format', () => {
  test.each(names)('%s is told from its first line and read in order', (name) => {
    const reader = new TraceReader({ file: name, format: null })
    const rows = [...reader.push(sample(name)), ...reader.end()]
    expect(reader.format).toBe(SAMPLES[name])
    expect(rows.length).toBeGreaterThan(180)
    expect(rows[0]?.atUs).toBe(0)
    expect(rows.every((row, index) => row.atUs >= (rows[index - 1]?.atUs ?? 0))).toBe(true)
  })

  test('Mooncake: milliseconds, blocks, a session where one is there', () => {
    const text =
      '{"timestamp": 27482.5, "input_length": 6758, "output_length": 500, "hash_ids": [0, 1]}\n' +
      '{"timestamp": 30000, "input_length": 7, "output_length": 1, "session_id": "s-1", "delay": 3}\n'
    expect(rowsOf([bytes(text)])).toEqual([
      { atUs: 0, inputTokens: 6758, outputTokens: 500, class: null, session: null, blocks: [0, 1], line: 1 },
      { atUs: 2_517_500, inputTokens: 7, outputTokens: 1, class: null, session: 's-1', blocks: null, line: 2 },
    ])
  })

  test('Azure: seven digits without a zone, of which six are kept', () => {
    const text = `${AZURE}\r\n2023-11-16 18:17:59.9999999,374,44\r\n2023-11-16 18:18:00.0000010,396,109\r\n`
    expect(rowsOf([bytes(text)]).map(({ atUs, inputTokens, line }) => [atUs, inputTokens, line])).toEqual([
      [0, 374, 2],
      [2, 396, 3],
    ])
  })

  test('Azure: zones, and whole seconds among fractions', () => {
    const times = ['2024-05-12 00:00:10+00:00', '2024-05-12T02:00:10.25+0200', '2024-05-11 19:30:11-04:30']
    const text = [AZURE, ...times.map((time) => `${time},1,1`)].join('\n')
    expect(rowsOf([bytes(text)]).map(({ atUs }) => atUs)).toEqual([0, 250_000, 1_000_000])
  })

  test('Azure: columns are found by name, others passed over', () => {
    const text = 'NumImages,"GeneratedTokens",TIMESTAMP,ContextTokens\n2,7,"2024-10-15 00:00:00",99\n'
    expect(rowsOf([bytes(text)])).toMatchObject([{ inputTokens: 99, outputTokens: 7 }])
  })

  test('BurstGPT: failed requests are left out and counted; both editions', () => {
    const first = new TraceReader({ file: 'trace', format: null })
    const rows = first.push(
      bytes(`${BURST}\n5,ChatGPT,472,18,490,API log\n6,GPT-4,0,0,0,API log\n7.5,GPT-4,9,1,10,API log\n`),
    )
    expect([rows.length, first.failed, first.rows]).toEqual([2, 1, 2])
    expect(rows[1]).toMatchObject({ atUs: 2_500_000, inputTokens: 9, class: null, session: null, line: 4 })
    const header = 'Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type'
    const text = `${header}\n19440110.0,1722ac82,43,GPT-4,906,446,1352,Conversation log\n19440161.0,,2,ChatGPT,36,29,65,API log\n`
    expect(rowsOf([bytes(text)]).map(({ session }) => session)).toEqual(['1722ac82', null])
  })

  test('our own', () => {
    const text =
      '{"timestampUs":7,"inputTokens":1,"outputTokens":2,"class":"chat","session":12,"hashIds":[9007199254740991]}'
    expect(rowsOf([bytes(text)])).toEqual([
      {
        atUs: 0,
        inputTokens: 1,
        outputTokens: 2,
        class: 'chat',
        session: '12',
        blocks: [Number.MAX_SAFE_INTEGER],
        line: 1,
      },
    ])
  })
})

describe('bytes', () => {
  test('any pieces give the same rows', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 30 }),
        (name, cuts) => {
          const whole = sample(name).subarray(0, 9000)
          const at = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length]
          const end = whole.lastIndexOf(10) + 1
          const pieces = at.slice(1).map((to, index) => whole.subarray(at[index], Math.min(to, end)))
          expect(rowsOf(pieces)).toEqual(rowsOf([whole.subarray(0, end)]))
        },
      ),
    )
    const small = bytes(`${AZURE}\n2023-11-16 18:17:03,1,2\n`)
    expect(rowsOf([...small].map((byte) => Uint8Array.of(byte)))).toHaveLength(1)
  })

  test('a byte order mark, CRLF, blank lines, spaces, and no end of the last line', () => {
    const text = `\uFEFF\r\n${AZURE}\r\n\r\n 2023-11-16 18:17:03 , 374 ,44\r\n  \r\n2023-11-16 18:17:04,1,1`
    expect(rowsOf([bytes(text)]).map(({ line, inputTokens }) => [line, inputTokens])).toEqual([
      [4, 374],
      [6, 1],
    ])
  })

  test('nothing but one unfinished line is kept, however much came', () => {
    const reader = new TraceReader({ file: 'trace', format: 'azure' })
    reader.push(bytes(`${AZURE}\n`))
    const some = bytes('2023-11-16 18:17:03.1234567,374,44\n'.repeat(2000))
    let rows = 0
    for (let push = 0; push < 200; push++) rows += reader.push(some).length
    expect([rows, reader.rows]).toEqual([400_000, 400_000])
    expect(reader.heldBytes).toBeLessThanOrEqual(4096)
  })
})

describe('what cannot be read is refused with file, row and column', () => {
  const mooncake = (row: object) => `{"timestamp":0,"input_length":1,"output_length":1}\n${JSON.stringify(row)}\n`
  const own = (row: object) => `{"timestampUs":0,"inputTokens":1,"outputTokens":1}\n${JSON.stringify(row)}\n`
  const azure = (...rows: string[]) => [AZURE, ...rows, ''].join('\n')
  const burst = (...rows: string[]) => [BURST, ...rows, ''].join('\n')
  const whole = { timestamp: 1, input_length: 1, output_length: 1 }

  test.each<[string, string | Uint8Array, string, RegExp]>([
    ['nothing', '', 'trace_empty', /^trace: there is no request/],
    ['a header alone', `${AZURE}\n`, 'trace_empty', /no request/],
    ['failed requests alone', burst('1,G,0,0,0,x', '2,G,5,0,5,x'), 'trace_empty', /all 2 requests had failed/],
    ['another CSV', 'a,b\n1,2\n', 'trace_format', /row 1: .*neither JSON nor a header/],
    ['another JSON', '{"a":1}\n', 'trace_format', /row 1: .*neither timestampUs nor input_length/],
    ['a JSON array', '[{"timestamp":0}]\n', 'trace_format', /row 1: it is one JSON array/],
    ['Bailian’s seconds', mooncake({ ...whole, chat_id: 1 }), 'trace_format', /row 2, column chat_id: .*seconds/],
    ['gzip', Uint8Array.of(0x1f, 0x8b, 8, 0), 'trace_compressed', /gzip/],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x7b, 0, 10, 0), 'trace_not_text', /row 1: is no text/],
    ['broken bytes', Uint8Array.of(...bytes(`${AZURE}\n\n`), 0xff, 10), 'trace_not_text', /row 3: is no text/],
    ['a line without end', 'x'.repeat(MOST_LINE_BYTES + 1), 'trace_line', /row 1: is longer than 1048576 bytes/],
    ['a long later line', `${AZURE}\n${'x'.repeat(MOST_LINE_BYTES + 1)}\n`, 'trace_line', /row 2: is longer/],
    ['a column that lacks', 'TIMESTAMP,ContextTokens\n', 'trace_header', /row 1: the header lacks GeneratedTokens/],
    ['a column twice', `${AZURE},TIMESTAMP\n`, 'trace_header', /row 1: the column TIMESTAMP stands twice/],
    ['a short row', azure('2023-11-16 18:17:03,374'), 'trace_row', /row 2, column GeneratedTokens: has 2 cells/],
    ['a long row', azure('2023-11-16 18:17:03,374,4,5'), 'trace_row', /row 2: has 4 cells where the header has 3/],
    ['a quote', azure('"2023-11-16 18:17:03,374,4'), 'trace_row', /row 2: its quotes do not match/],
    ['no date', azure('yesterday,374,44'), 'trace_row', /row 2, column TIMESTAMP: "yesterday" is no date/],
    ['no such day', azure('2023-02-29 18:17:03,374,44'), 'trace_row', /row 2, column TIMESTAMP/],
    ['no such hour', azure('2023-02-28 24:00:00,374,44'), 'trace_row', /row 2, column TIMESTAMP/],
    ['a zone that there is not', azure('2023-11-16 18:17:03+99:99,374,44'), 'trace_row', /row 2, column TIMESTAMP/],
    [
      'mixed zones',
      azure('2023-11-16 18:17:03,1,1', '2023-11-16 18:17:04Z,1,1'),
      'trace_row',
      /row 3, column TIMESTAMP: .* has a zone/,
    ],
    [
      'a negative length',
      azure('2023-11-16 18:17:03,-4,44'),
      'trace_row',
      /row 2, column ContextTokens: "-4" is no whole/,
    ],
    ['a fraction', azure('2023-11-16 18:17:03,4,4.5'), 'trace_row', /row 2, column GeneratedTokens: "4.5" is no whole/],
    ['an empty length', azure('2023-11-16 18:17:03,,44'), 'trace_row', /row 2, column ContextTokens: "" is no whole/],
    [
      'a zero length',
      azure('2023-11-16 18:17:03,4,0'),
      'trace_row',
      /row 2, column GeneratedTokens: "0" tokens: there is nothing/,
    ],
    [
      'a huge length',
      azure('2023-11-16 18:17:03,100000001,1'),
      'trace_row',
      /row 2, column ContextTokens: .* more than 100000000/,
    ],
    ['NaN', burst('NaN,G,1,1,2,x'), 'trace_row', /row 2, column Timestamp: "NaN" is no time in seconds/],
    ['infinity', burst('1e999,G,1,1,2,x'), 'trace_row', /row 2, column Timestamp/],
    ['a time beyond 2⁵³ µs', burst('1e10,G,1,1,2,x'), 'trace_row', /row 2, column Timestamp: .* beyond/],
    ['a prompt of nothing', burst('1,G,0,5,5,x'), 'trace_row', /row 2, column Request tokens: "0" tokens/],
    [
      'times that go back',
      burst('7.5,G,1,1,2,x', '3,G,1,0,1,x', '7,G,1,1,2,x'),
      'trace_order',
      /row 4: its time 7 comes before 7.5 of row 2/,
    ],
    ['no JSON', '{"timestamp":0,"input_length":1,"output_length":1}\n{"timestamp":', 'trace_row', /row 2: is no JSON$/],
    [
      'a number for an object',
      '{"timestamp":0,"input_length":1,"output_length":1}\n7\n',
      'trace_row',
      /row 2: is no JSON object/,
    ],
    [
      'a key that lacks',
      mooncake({ timestamp: 1, input_length: 1 }),
      'trace_row',
      /row 2, column output_length: is missing/,
    ],
    [
      'a text for a length',
      mooncake({ ...whole, input_length: 'ten' }),
      'trace_row',
      /row 2, column input_length: "ten"/,
    ],
    [
      'null for a length',
      mooncake({ ...whole, output_length: null }),
      'trace_row',
      /row 2, column output_length: null/,
    ],
    [
      'a negative time',
      mooncake({ ...whole, timestamp: -1 }),
      'trace_row',
      /row 2, column timestamp: -1 is no time in milliseconds/,
    ],
    [
      'ids that are texts',
      mooncake({ ...whole, hash_ids: ['a9'] }),
      'trace_row',
      /row 2, column hash_ids: "a9" is no block id/,
    ],
    [
      'ids beyond 2⁵³',
      mooncake({ ...whole, hash_ids: [2 ** 53] }),
      'trace_row',
      /row 2, column hash_ids: 9007199254740992/,
    ],
    [
      'ids by kind',
      mooncake({ ...whole, hash_ids: { history: [1] } }),
      'trace_row',
      /row 2, column hash_ids: a mapping/,
    ],
    ['a session that is a list', mooncake({ ...whole, session_id: [] }), 'trace_row', /row 2, column session_id/],
    [
      'an unknown key of ours',
      own({ timestampUs: 1, inputTokens: 1, outputTokens: 1, klass: 'a' }),
      'trace_row',
      /row 2: has the unknown key "klass"/,
    ],
    [
      'a fraction of a microsecond',
      own({ timestampUs: 1.5, inputTokens: 1, outputTokens: 1 }),
      'trace_row',
      /row 2, column timestampUs: 1.5/,
    ],
    ['no time', own({ inputTokens: 1, outputTokens: 1 }), 'trace_row', /row 2, column timestampUs: is missing/],
    [
      'a class that is no name',
      own({ timestampUs: 1, inputTokens: 1, outputTokens: 1, class: 'a b' }),
      'trace_row',
      /row 2, column class: "a b"/,
    ],
    [
      'a class that no manifest can count',
      own({ timestampUs: 1, inputTokens: 1, outputTokens: 1, class: '__proto__' }),
      'trace_row',
      /row 2, column class: "__proto__" is no name that/,
    ],
    [
      'a class that stands for all of them in reports',
      own({ timestampUs: 1, inputTokens: 1, outputTokens: 1, class: 'total' }),
      'trace_row',
      /row 2, column class: "total" is no name that/,
    ],
  ])('%s', (_what, text, code, message) => {
    const error = refusalOf(text)
    expect(error.message).toMatch(/^trace[,:]/)
    expect(error.message).toMatch(message)
    expect([error.code, error.exitCode]).toEqual([code, 4])
    expect(error.hint).not.toBe('')
  })

  test('a format that was named is held to', () => {
    expect(refusalOf('a,b\n', 'azure').message).toMatch(/row 1: the header lacks TIMESTAMP/)
    expect(refusalOf(`${AZURE}\n`, 'mooncake').message).toMatch(/row 1: is no JSON/)
    expect(refusalOf('{"timestamp":1}\n', 'burstgpt')).toMatchObject({
      code: 'trace_format',
      message: expect.stringMatching(/row 1: it is JSON, and no CSV file as burstgpt is/),
    })
  })

  test('disorder says how to sort, for each format', () => {
    expect(refusalOf(burst('2,G,1,1,2,x', '1,G,1,1,2,x')).hint).toMatch(/sort -s -t, -k1,1g/)
    expect(
      refusalOf(
        '{"timestampUs":2,"inputTokens":1,"outputTokens":1}\n{"timestampUs":1,"inputTokens":1,"outputTokens":1}',
      ).hint,
    ).toMatch(/sort_by\(\.timestampUs\)/)
  })

  test('a time is shown in a message as far as it is readable', () => {
    const row = (timestamp: string) => `${JSON.stringify({ timestamp, input_length: 1, output_length: 1 })}\n`
    const { message, code } = refusalOf(row('2') + row(`${'0'.repeat(100_000)}1`))
    expect([code, message.length < 200]).toEqual(['trace_order', true])
  })

  test('no bytes at all make it throw anything else, hang or grow', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.constantFrom(...names).map((name) => sample(name).subarray(0, 400)),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = Buffer.concat(pieces)
        expect(outcome(text)).toBe(4)
      }),
    )
  })
})

/** The exit code of a refusal; 4 for a trace that is read, too. */
function outcome(text: Uint8Array): number {
  try {
    rowsOf([text])
    return 4
  } catch (error) {
    return error instanceof GateError ? error.exitCode : -1
  }
}

test('dates are those of the calendar', () => {
  const instant = fc.date({
    min: new Date('1970-01-01T00:00:00Z'),
    max: new Date('2199-12-31T23:59:59Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(instant, { minLength: 2, maxLength: 2, selector: (date) => date.getTime() }),
      (dates) => {
        const [from, to] = dates.map((date) => date.getTime()).sort((a, b) => a - b) as [number, number]
        const line = (time: number) => `${new Date(time).toISOString()},1,1`
        expect(rowsOf([bytes([AZURE, line(from), line(to)].join('\n'))])[1]?.atUs).toBe((to - from) * 1000)
      },
    ),
  )
})
