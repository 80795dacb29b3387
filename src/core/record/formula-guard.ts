const LOOKS_LIKE_FORMULA = /^'*[=+\-@\t\r]/
const IS_GUARDED = /^'+[=+\-@\t\r]/

/** Text that a spreadsheet would run as a formula gets one `'` in front; `unguardFormula` takes exactly that one away. */
export function guardFormula(text: string): string {
  return LOOKS_LIKE_FORMULA.test(text) ? `'${text}` : text
}

/** The text that `guardFormula` was given. */
export function unguardFormula(cell: string): string {
  return IS_GUARDED.test(cell) ? cell.slice(1) : cell
}
