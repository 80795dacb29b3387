import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import { type Dataset, type DatasetFormat, parseDataset } from '../../../src/core/schedule/dataset.ts'
import { parseSchedule } from '../../../src/core/schedule/parse-schedule.ts'
import { promptMessages, promptRequest, promptText } from '../../../src/core/schedule/prompt.ts'
import type { ScheduleRow } from '../../../src/core/schedule/schedule.ts'
import { warmupRows } from '../../../src/core/schedule/warmup.ts'
import { codeOf, tally, workedExample } from './worked-example.ts'

const NAMES = ['interactive', 'long_context', 'generation_heavy']
const bytes = (text: string) => new TextEncoder().encode(text)
const source = (format: 'text' | 'jsonl', field = 'text'): DatasetFormat => ({
  file: 'texts',
  format,
  field,
  classNames: NAMES,
})
const parse = (text: string, format: 'text' | 'jsonl' = 'jsonl', field?: string) =>
  parseDataset(bytes(text), source(format, field))
const messageOf = (call: () => unknown) => {
  try {
    call()
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return ''
}

describe('a text file', () => {
  test('is parted by blank lines', () => {
    expect(parse('\uFEFFone\ntwo\r\n\r\n \t\nthree\n\n', 'text')).toEqual({
      texts: ['one\ntwo', 'three'],
      classes: null,
    })
  })

  test('gives back the paragraphs that it was joined of', () => {
    const line = fc.stringMatching(/^[a-z ]*[a-z][a-z ]*$/)
    const paragraph = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(fc.array(paragraph, { minLength: 1 }), fc.constantFrom('\n\n', '\n \n\n'), (texts, gap) => {
        expect(parse(texts.join(gap), 'text').texts).toEqual(texts)
      }),
    )
  })

  test('without a text, or that is none, is refused', () => {
    expect(codeOf(() => parse(' \n\n', 'text'))).toBe('dataset_malformed')
    expect(codeOf(() => parseDataset(Uint8Array.of(0x66, 0xff), source('text')))).toBe('dataset_malformed')
  })
})

describe('JSON lines', () => {
  test('give their field', () => {
    expect(parse('{"text":"a"}\n\n{"text":"b\\nc","n":1}\r\n').texts).toEqual(['a', 'b\nc'])
    expect(parse('{"prompt":"a"}', 'jsonl', 'prompt').texts).toEqual(['a'])
  })

  test.each([
    ['no JSON', '{"text":"a"}\n{"text"', /line 2: it is not JSON/],
    ['no object', '[1]', /line 1: it has no text/],
    ['a number', '7', /line 1: it is no JSON object/],
    ['another field', '{"prompt":"a"}', /line 1: it has no text in the field text/],
    ['an empty text', '{"text":" "}', /line 1: it has no text/],
    ['half a character', '{"text":"a"}\n{"text":"b \\ud83d c"}', /line 2: a text with half of a character/],
    ['an inherited field', '{"a":1}', /no text in the field toString/],
  ])('%s is refused, with the line', (what, text, message) => {
    expect(messageOf(() => parse(text, 'jsonl', what === 'an inherited field' ? 'toString' : 'text'))).toMatch(message)
  })

  test('may hold any whole character, escaped or not', () => {
    expect(parse('{"text":"\\ud83d\\ude00 \\u0000 😀"}').texts).toEqual(['😀 \u0000 😀'])
  })

  test('may name the class that each text is for', () => {
    const line = (name: string, text: string) => JSON.stringify({ text, class: name })
    const all = NAMES.map((name) => line(name, name)).join('\n')
    expect(parse(all).classes).toEqual(NAMES)
    expect(parse('{"text":"a","class":"positive"}').classes).toBeNull()
    expect(messageOf(() => parse(`${all}\n${line('other', 'x')}`))).toMatch(/line 4: it names no class/)
    expect(messageOf(() => parse(line('interactive', 'x')))).toMatch(/no text is of the class long_context/)
  })
})

const SHA = 'ab'.repeat(32)
const manifest = workedExample({
  client: { prompt: 'text', dataset: { file: 'texts', sha256: SHA, format: 'jsonl' } },
})
const dataset: Dataset = {
  sha256: SHA,
  texts: Array.from({ length: 900 }, (_, index) => `text ${index}`),
  classes: null,
}
const built = buildSchedule(manifest, 'warm', { dataset })

describe('a schedule of texts', () => {
  test('has these bytes on every machine, and is read back', () => {
    expect(built.schedule.sha256).toBe('a02d62f91e45694423403eb1e7a5f91bcff8e3b62d5cd36c1a1946fefeaaa6b2')
    expect(built.schedule.header.dataset).toEqual({ sha256: SHA, texts: 900 })
    expect(parseSchedule(built.bytes)).toEqual(built.schedule)
    const text = new TextDecoder().decode(built.bytes)
    for (const broken of [text.replace(/"text":\d+/, '"text":900'), text.replace(/,"text":\d+/, '')]) {
      expect(codeOf(() => parseSchedule(broken))).toBe('schedule_malformed')
    }
  })

  test('uses every text before any comes again, in another order each time', () => {
    const { rows } = built.schedule
    const rounds = [0, 1, 2].map((round) => rows.slice(round * 900, (round + 1) * 900).map((row) => row.text ?? -1))
    for (const round of rounds) expect(round.toSorted((a, b) => a - b)).toEqual(dataset.texts.map((_, index) => index))
    expect(rounds[0]).not.toEqual(rounds[1])
  })

  test('keeps to each class’s own texts, in the warm-up too', () => {
    const classes = dataset.texts.map((_, index) => NAMES[index % 3] ?? '')
    const { schedule } = buildSchedule(manifest, 'cold', { dataset: { ...dataset, classes } })
    const isOwn = (row: ScheduleRow) => classes[row.text ?? -1] === row.class
    expect(schedule.rows.every(isOwn)).toBe(true)
    const warmup = warmupRows(schedule, 24_000, 60)
    expect(warmup.every(isOwn)).toBe(true)
    const counts = Object.values(tally(warmup.map((row) => String(row.text))))
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThan(5)
  })

  test('asks the prefix first, then words of its own, then the text', () => {
    const row = built.schedule.rows[5] as ScheduleRow
    const { texts } = dataset
    const content = promptText(promptRequest(built.schedule.header, row, 9, { texts }))
    const lead = content.slice(0, -` ${texts[row.text ?? 0]}`.length)
    expect(`${lead} ${texts[row.text ?? 0]}`).toBe(content)
    expect(lead.split(' ')).toHaveLength(256 + 8)
    const other = promptText(promptRequest(built.schedule.header, row, 10, { texts }))
    expect(other.split(' ').slice(0, 256)).toEqual(lead.split(' ').slice(0, 256))
    expect(other.split(' ').slice(256, 264)).not.toEqual(lead.split(' ').slice(256, 264))
    expect(promptMessages(promptRequest(built.schedule.header, row, 9, { texts }))).toEqual([{ role: 'user', content }])
    expect(() => promptRequest(built.schedule.header, row, 9)).toThrow(/was not given/)
  })
})
