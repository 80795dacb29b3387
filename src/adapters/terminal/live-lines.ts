import { createLogUpdate } from 'log-update'
import type { Screen } from './screen.ts'
import { rowsOf } from './typeset.ts'

/** Erases the row above, and stays in it. */
const ERASE_ROW_ABOVE = '\u001B[1A\u001B[2K'

/** Some lines at a terminal's end that are drawn anew in place; what is written between stays above them. */
export interface LiveLines {
  /** Each must fit the terminal's width. */
  show(lines: readonly string[]): void
  clear(): void
}

/**
 * The cursor stays visible, at the start of the row below them. A terminal that was made narrower has broken the lines into more rows than were
 * drawn, and those are erased as well.
 */
export function liveLines(screen: Screen): LiveLines {
  const live = createLogUpdate(streamOf(screen), { showCursor: true })
  let shown: { lines: readonly string[]; columns: number } | null = null
  const clear = () => {
    if (shown === null) return
    const columns = screen.columns()
    const rows = shown.lines.reduce((sum, line) => sum + rowsOf(line, columns).length, 0)
    live.clear()
    screen.write(ERASE_ROW_ABOVE.repeat(rows - shown.lines.length))
    shown = null
  }
  return {
    clear,
    show(lines) {
      const columns = screen.columns()
      if (lines.length === 0 || (shown !== null && shown.columns !== columns)) clear()
      if (lines.length === 0) return
      live(lines.join('\n'))
      shown = { lines, columns }
    },
  }
}

/** The part of a stream that the live lines need. */
function streamOf(screen: Screen): NodeJS.WriteStream {
  const stream = {
    isTTY: true,
    get columns() {
      return screen.columns()
    },
    rows: 24,
    write(text: string) {
      screen.write(text)
      return true
    },
  }
  return stream as unknown as NodeJS.WriteStream
}
