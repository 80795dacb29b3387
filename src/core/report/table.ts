import { markdownTable } from 'markdown-table'

/** A column's heading, with its unit, and where its cells stand. */
export interface Column {
  title: string
  align: 'l' | 'r'
}

/** A heading that ends in `:` is a column of numbers. */
export function columns(...titles: string[]): Column[] {
  return titles.map((title) =>
    title.endsWith(':') ? { title: title.slice(0, -1), align: 'r' } : { title, align: 'l' },
  )
}

/** A Markdown table of cells that are escaped already; every row has a cell for each column. */
export function table(heads: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => heads.map((_, index) => row[index] ?? ''))
  return markdownTable([heads.map((head) => head.title), ...cells], {
    align: heads.map((head) => head.align),
    alignDelimiters: false,
    padding: true,
  })
}

/** The first `max` of a list, and a line that says how many are not shown. */
export function cut<T>(items: readonly T[], max: number, noun: string): { shown: readonly T[]; rest: string } {
  const shown = items.slice(0, max)
  const left = items.length - shown.length
  return { shown, rest: left === 0 ? '' : `…and ${left} more ${noun}.` }
}
