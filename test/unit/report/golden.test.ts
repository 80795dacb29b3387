import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { env } from 'node:process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderComment, renderSummary } from '../../../src/core/report/comment.ts'
import { renderFailureTest } from '../../../src/core/report/failure-test.ts'
import { renderReportMarkdown } from '../../../src/core/report/report-markdown.ts'
import { renderText } from '../../../src/core/report/text.ts'
import { CASES } from './report-fixture.ts'

const FOLDER = join(import.meta.dirname, '../../golden/report')

/** The file's text, to be equal byte for byte; `UPDATE_GOLDEN=1` first writes it anew, for a reviewer to read. */
function golden(name: string, text: string): string {
  const path = join(FOLDER, name)
  if (env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(path, text)
  }
  return readFileSync(path, 'utf8')
}

test.each(Object.entries(CASES))('the comment of %s', (name, input) => {
  const text = renderComment(input())
  expect(text).toBe(golden(`${name}.comment.md`, text))
})

test('the terminal’s lines of every kind', () => {
  const text = Object.entries(CASES)
    .map(([name, input]) => `# ${name}\n${renderText(input())}\n`)
    .join('\n')
  expect(text).toBe(golden('terminal.txt', text))
})

test('the summary and report.md of a regression', () => {
  const input = CASES['regressed-warm']?.()
  if (input === undefined) throw new Error('no such case')
  const [summary, report] = [renderSummary(input), renderReportMarkdown(input)]
  expect(summary).toBe(golden('regressed-warm.summary.md', summary))
  expect(report).toBe(golden('regressed-warm.report.md', report))
})

test('failure-test.md without a drill', () => {
  const text = renderFailureTest()
  expect(text).toBe(golden('failure-test.md', text))
})
