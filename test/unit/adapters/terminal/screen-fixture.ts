import { Terminal } from '@xterm/headless'
import type { Screen } from '../../../../src/adapters/terminal/screen.ts'
import type { PointProgress } from '../../../../src/app/ports/progress.ts'

export const POINT: PointProgress = {
  point: 'cold-open-24000-r1',
  rateRps: 24,
  phase: 'arrivals',
  elapsedSeconds: 75.4,
  plannedSeconds: 914,
  sent: 1810,
  resolved: 1690,
  failed: 4,
  inFlight: 120,
  backlog: 0,
  attainment: { interactive: 0.982, long_context: 0.953, generation_heavy: null },
}

/** Where a log goes: what was written, as it was. */
export function logScreen(over: Partial<Screen> = {}): Screen & { text(): string } {
  const written: string[] = []
  return {
    isTerminal: false,
    hasColor: false,
    columns: () => 80,
    write: (text) => void written.push(text),
    ...over,
    text: () => written.join(''),
  }
}

export interface FakeTerminal extends Screen {
  resize(columns: number): void
  /** What stands on it, its scrolled lines included, as rows without blanks at their ends; none at the end. */
  rows(): Promise<string[]>
  cursor(): Promise<{ row: number; column: number; isHidden: boolean }>
  /** Everything that was written. */
  raw(): string
}

/** A terminal of that width without a window, which does with what is written what a real one does. */
export function fakeTerminal(columns: number, hasColor = false): FakeTerminal {
  const terminal = new Terminal({ cols: columns, rows: 24, scrollback: 1000, allowProposedApi: true })
  const written: string[] = []
  const settled = () => new Promise<void>((resolve) => terminal.write('', resolve))
  return {
    isTerminal: true,
    hasColor,
    columns: () => terminal.cols,
    write(text) {
      written.push(text)
      // What the terminal's driver makes of a line's end.
      terminal.write(text.replaceAll('\n', '\r\n'))
    },
    resize: (width) => terminal.resize(width, 24),
    async rows() {
      await settled()
      const { active } = terminal.buffer
      const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
      return rows.slice(0, rows.findLastIndex((row) => row !== '') + 1)
    },
    async cursor() {
      await settled()
      const { active } = terminal.buffer
      const last = written.join('').lastIndexOf('\u001B[?25')
      return {
        row: active.baseY + active.cursorY,
        column: active.cursorX,
        isHidden: last >= 0 && written.join('').startsWith('\u001B[?25l', last),
      }
    },
    raw: () => written.join(''),
  }
}
