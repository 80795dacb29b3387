import type { HtmlTable } from '../html-table.ts'
import { htmlText } from '../html-text.ts'
import type { Column } from '../table.ts'

const GAP = '  '

/**
 * A table as lines of text, of plain cells: one element where a table has thousands. The first column stands last, since names are of any
 * width; headings stand a word below the other, so that the columns are as narrow as their numbers.
 */
export function textTable({ label, heads, rows }: HtmlTable): string {
  if (rows.length === 0) return ''
  const words = heads.map(({ title }) => title.split(' '))
  const height = Math.max(...words.map(({ length }) => length))
  const headRows = Array.from({ length: height }, (_, line) =>
    words.map((each) => each[line - height + each.length] ?? ''),
  )
  const all = [...headRows, ...rows]
  const widths = heads.map((_, index) => all.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), 0))
  const lines = all.map((row) => textLine(row, heads, widths))
  return `<pre class="lines" tabindex="0" role="region" aria-label="${htmlText(label, 200)}">${lines.join('\n')}</pre>`
}

function textLine(
  [first = '', ...rest]: readonly string[],
  [, ...heads]: readonly Column[],
  widths: readonly number[],
) {
  const cells = rest.map((cell, index) => {
    const width = widths[index + 1] ?? 0
    return heads[index]?.align === 'r' ? cell.padStart(width) : cell.padEnd(width)
  })
  // Only names are from outside; the rest are numbers and our own words.
  return [...cells, htmlText(first)].join(GAP)
}
