/** Where people watch: standard error, as one writes to it. */
export interface Screen {
  isTerminal: boolean
  /** Whether colours are wanted: a terminal that has them, and no NO_COLOR; or FORCE_COLOR. */
  hasColor: boolean
  columns(): number
  write(text: string): void
}

/** Standard output, as it is read. */
export interface Paper {
  /** Null where nobody reads at a width: a file, a pipe, a log. Lines are whole there. */
  columns: number | null
  hasColor: boolean
}
