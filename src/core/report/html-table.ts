import { htmlText } from './html-text.ts'
import type { Column } from './table.ts'

/** A cell of a table as HTML; text from outside comes in through `htmlText`. */
type Cell = string

export interface HtmlTable {
  /** Of all tables of a page, no two alike: it names the region that scrolls. */
  label: string
  heads: readonly Column[]
  /** The first cell of a row is its heading. */
  rows: readonly (readonly Cell[])[]
}

/** A table inside a region that scrolls by itself, with the keyboard too, where it is wider than the screen; empty without rows. */
export function htmlTable({ label, heads, rows }: HtmlTable): string {
  if (rows.length === 0) return ''
  const isNumeric = heads.filter(({ align }) => align === 'r').length * 2 > heads.length
  // The columns that are not as most are named: a large pack has hundred thousand cells.
  const kinds = heads.map(({ align }) => ((align === 'r') === isNumeric ? '' : isNumeric ? ' class="w"' : ' class="n"'))
  const head = heads.map(({ title }, index) => `<th scope="col"${kinds[index]}>${htmlText(title)}`).join('')
  const line = (row: readonly Cell[]) =>
    heads.map((_, index) => `<${index === 0 ? 'th' : 'td'}${kinds[index]}>${row[index] ?? ''}`).join('')
  return [
    `<div class="wide" tabindex="0" role="region" aria-label="${htmlText(label, 200)}"><table${isNumeric ? ' class="numbers"' : ''}>`,
    `<thead><tr>${head}</thead>`,
    // End tags that HTML lets be left out are.
    `<tbody>${rows.map((row) => `<tr>${line(row)}`).join('\n')}</tbody></table></div>`,
  ].join('\n')
}

/** A folded block; the summary is HTML. */
export function htmlFold(summary: string, blocks: readonly string[], isOpen = false): string {
  const content = blocks.filter((block) => block !== '')
  if (content.length === 0) return ''
  return `<details${isOpen ? ' open' : ''}><summary>${summary}</summary>\n${content.join('\n')}\n</details>`
}
