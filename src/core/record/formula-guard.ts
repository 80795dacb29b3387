const LOOKS_LIKE_FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
const IS_GUARDED = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

/** Text that a spreadsheet would run as a formula gets one `'` in front; `unguardFormula` takes exactly that one away. */
export function guardFormula(text: string): string {
  return LOOKS_LIKE_FORMULA.test(text) ? `'${text}` : text
}

/** The text that `guardFormula` was given. */
export function unguardFormula(cell: string): string {
  return IS_GUARDED.test(cell) ? cell.slice(1) : cell
}
