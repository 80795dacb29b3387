/** Where people watch: standard error, as one writes to it. */
export interface Screen {
  isTerminal: boolean
  /** Whether colours are wanted: a terminal that has them, and no NO_COLOR. */
  hasColor: boolean
  columns(): number
  write(text: string): void
}
