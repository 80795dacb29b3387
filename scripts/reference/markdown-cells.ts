/** Text as a cell of a table: one line, its pipes escaped. */
export function cell(text: string): string {
  return text.trim().replaceAll('\n', ' ').replaceAll('|', '\\|')
}

/** The same in backticks. */
export function codeCell(text: string): string {
  return `\`${cell(text)}\``
}
