import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SseReader } from '../../../src/core/stream/sse-reader.ts'

type Event = [data: string, event: string]

/** The events of bytes cut at these places, and what an unterminated last one held. */
function read(
  bytes: Uint8Array,
  cuts: number[] = [],
  maxEventChars = 1 << 20,
): { events: Event[]; leftover: string | null } {
  const reader = new SseReader({ maxEventChars })
  const events: Event[] = []
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  let from = 0
  for (const to of [...places, bytes.length]) {
    reader.push(bytes.subarray(from, to), (data, event) => events.push([data, event]))
    from = to
  }
  return { events, leftover: reader.leftover() }
}

const utf8 = (text: string) => new TextEncoder().encode(text)
const readText = (text: string) => read(utf8(text)).events

/** The standard's algorithm, written plainly over the whole text, as the oracle (with the reader's two rules for errors). */
function oracle(bytes: Uint8Array): Event[] {
  const text = new TextDecoder().decode(bytes)
  const lines = text.split(/\r\n|\r|\n/)
  lines.pop()
  const events: Event[] = []
  let data: string[] = []
  let event = ''
  for (const line of lines) {
    if (line === '') {
      if (data.length > 0 || event === 'error') events.push([data.join('\n'), event])
      data = []
      event = ''
      continue
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') data.push(value)
    if (name === 'event') event = value
    if (name === 'error') {
      event = 'error'
      data.push(value)
    }
  }
  return events
}

describe('frames', () => {
  test.each<[string, string, Event[]]>([
    [
      'LF',
      'data: a\n\ndata: b\n\n',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    [
      'CRLF',
      'data: a\r\n\r\ndata: b\r\n\r\n',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    [
      'CR',
      'data: a\r\rdata: b\r\r',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    [
      'all three mixed',
      'data: a\r\n\ndata: b\r\n\rdata: c\n\r\n',
      [
        ['a', ''],
        ['b', ''],
        ['c', ''],
      ],
    ],
    [
      'no space, one space, two',
      'data:a\n\ndata: a\n\ndata:  a\n\n',
      [
        ['a', ''],
        ['a', ''],
        [' a', ''],
      ],
    ],
    ['several data lines', 'data: a\ndata: b\ndata\n\n', [['a\nb\n', '']]],
    [
      'comments and other fields',
      ': ping\nid: 1\nretry: 5\nother: x\nfield\ndata: a\n: mid\n\n: keep-alive\n\n',
      [['a', '']],
    ],
    [
      'an event name, then none',
      'event: x\ndata: a\n\ndata: b\n\n',
      [
        ['a', 'x'],
        ['b', ''],
      ],
    ],
    ['an event without data', 'event: x\n\ndata: b\n\n', [['b', '']]],
    ['an error event without data', 'event: error\n\n', [['', 'error']]],
    ['an error field', 'error: {"code":500}\n\n', [['{"code":500}', 'error']]],
    [
      'empty data',
      'data:\n\ndata\n\n',
      [
        ['', ''],
        ['', ''],
      ],
    ],
    ['a byte order mark, once', '\ufeffdata: a\n\n\ufeffdata: b\n\n', [['a', '']]],
    ['a colon in the value', 'data: {"a":"b: c"}\n\n', [['{"a":"b: c"}', '']]],
    ['nothing', '', []],
    ['blank lines', '\n\n\r\n\r\r', []],
  ])('%s', (_, text, events) => {
    expect(readText(text)).toEqual(events)
    expect(oracle(utf8(text))).toEqual(events)
  })

  test('an event is handed on by the push that brings its blank line', () => {
    const reader = new SseReader()
    const seen: string[] = []
    const push = (text: string) => reader.push(utf8(text), (data) => seen.push(data))
    push('data: a\r\n\r')
    expect(seen).toEqual(['a'])
    push('\ndata: b\r\n')
    expect(seen).toEqual(['a'])
    push('\r\n')
    expect(seen).toEqual(['a', 'b'])
  })

  test('an unterminated last event is none, but is told', () => {
    expect(read(utf8('data: a\n\ndata: b\n'))).toEqual({ events: [['a', '']], leftover: 'b' })
    expect(read(utf8('data: a\n\ndata: [DONE]'), [15])).toEqual({ events: [['a', '']], leftover: '[DONE]' })
    expect(read(utf8('data: a\n\n: ping')).leftover).toBeNull()
    expect(read(utf8('data: a\n\nevent: error')).leftover).toBe('')
    expect(read(Uint8Array.of(100, 97, 116, 97, 58, 0xe4, 0xb8)).leftover).toBe('\ufffd')
  })

  test('the caller may reuse its buffer', () => {
    const reader = new SseReader()
    const buffer = utf8('data: \u4e2d').subarray(0, 8)
    reader.push(buffer, () => undefined)
    buffer.fill(0)
    const seen: string[] = []
    reader.push(Uint8Array.of(0xad, 10, 10), (data) => seen.push(data))
    expect(seen).toEqual(['\u4e2d'])
  })
})

describe('limits', () => {
  const isTooLong = (text: string, size: number) => {
    const reader = new SseReader({ maxEventChars: 100 })
    const bytes = utf8(text)
    const seen: string[] = []
    for (let at = 0; at < bytes.length; at += size)
      reader.push(bytes.subarray(at, at + size), (data) => seen.push(data))
    return [reader.isTooLong, seen.length]
  }
  test.each([1, 7, 1000])('an event over the limit ends the reading, in reads of %i', (size) => {
    expect(isTooLong(`data: ${'a'.repeat(90)}\n\n`.repeat(3), size)).toEqual([false, 3])
    expect(isTooLong(`data: a\n\ndata: ${'a'.repeat(101)}\n\ndata: b\n\n`, size)).toEqual([true, 1])
    expect(isTooLong(`data: ${'a'.repeat(60)}\n`.repeat(2), size)).toEqual([true, 0])
  })
  test.each([1, 7, 1000])('a line over the limit ends it too, whatever it says, in reads of %i', (size) => {
    expect(isTooLong(`data: ${'a'.repeat(94)}\n\n`, size)).toEqual([false, 1])
    expect(isTooLong(`data: ${'a'.repeat(95)}\n\n`, size)).toEqual([true, 0])
    expect(isTooLong(`data: a\n\n: ${'a'.repeat(99)}\ndata: b\n\n`, size)).toEqual([true, 1])
  })
  test('a line that never ends is given up', () => {
    expect(isTooLong(`:${'a'.repeat(200)}`, 10)).toEqual([true, 0])
  })
})

describe('any split of the bytes', () => {
  const fields = [
    'data: {"a":1}',
    'data:x',
    'data',
    'da',
    'ta:',
    'event: error',
    'error: 1',
    ': ping',
    'id: 1',
    ':',
    ' ',
  ]
  const others = ['\n', '\n\n', '\r', '\r\n', '\r\n\r\n', '\ufeff', '中', '\u{1f600}', 'é', '"', 'x', '[DONE]']
  const piece = fc.constantFrom(...fields, ...others)
  const wellFormed = fc.array(piece, { maxLength: 40 }).map((parts) => utf8(parts.join('')))
  const anyBytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .array(fc.oneof(piece.map(utf8), fc.uint8Array({ maxLength: 4 })), { maxLength: 20 })
      .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part]))),
  )
  const cuts = fc.array(fc.nat(400), { maxLength: 60 })

  test('gives the standard’s events', () => {
    fc.assert(
      fc.property(fc.oneof(wellFormed, anyBytes), cuts, (bytes, at) => {
        expect(read(bytes, at).events).toEqual(oracle(bytes))
      }),
      { numRuns: 3000 },
    )
  })

  test('leaves the same over, and never throws', () => {
    fc.assert(
      fc.property(anyBytes, cuts, (bytes, at) => {
        expect(read(bytes, at)).toEqual(read(bytes))
      }),
      { numRuns: 1000 },
    )
  })
})
