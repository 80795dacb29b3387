import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeJournalLine, parseJournal } from '../../../src/core/record/journal.ts'
import { cohort } from './arbitrary-record.ts'

const sample = fc.sample(cohort, { seed: 7, numRuns: 40 }).find((records) => records.length >= 3) ?? []
const lines = sample.map((record) => encodeJournalLine(record))

describe('the journal', () => {
  it('gives back the records', () => {
    fc.assert(
      fc.property(cohort, (records) => {
        const text = records.map((record) => `${encodeJournalLine(record)}\n`).join('')
        expect(parseJournal(text)).toEqual({ records, torn: false })
      }),
    )
  })

  it('writes one line, whatever the text', () => {
    for (const line of lines) expect(line).not.toMatch(/[\r\n]/)
  })

  it('drops a line that a kill tore, wherever it tore it', () => {
    const text = lines.join('\n')
    for (let cut = text.length - 1; cut > text.length - (lines.at(-1)?.length ?? 0); cut--) {
      const { records, torn } = parseJournal(text.slice(0, cut))
      expect({ n: records.length, torn }).toEqual({ n: sample.length - 1, torn: true })
    }
    expect(parseJournal(text)).toEqual({ torn: false, records: sample })
    expect(parseJournal('')).toEqual({ records: [], torn: false })
  })

  it('refuses damage anywhere else, with the line', () => {
    const [first = '', second = '', third = ''] = lines
    const reading = (text: string) => () => parseJournal(text)
    expect(reading(`${first}\n${second.slice(0, -5)}\n${third}\n`)).toThrow('journal, line 2: it is no JSON')
    expect(reading(`${first}\n\n${third}\n`)).toThrow('journal, line 2: it is no JSON')
    expect(reading(`${first.slice(0, -5)}\n`)).toThrow('journal, line 1: it is no JSON')
    expect(reading(`${first}\n${first}\n`)).toThrow('journal, line 2: request')
    expect(reading(`${first}\n{"id":"x"}\n`)).toThrow(/^journal, line 2: .*status/)
    expect(reading(`${first.replace(/"endUs":\d+/, '"endUs":-1')}\n`)).toThrow('endUs')
    expect(reading(`${first.slice(0, -1)},"more":1}\n`)).toThrow('more')
  })
})
