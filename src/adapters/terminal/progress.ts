import { styleText } from 'node:util'
import { createLogUpdate } from 'log-update'
import type { PointProgress, Progress } from '../../app/ports/progress.ts'
import { plainText } from '../../core/report/escape.ts'
import { fitted, pointLine } from './point-line.ts'
import type { Screen } from './screen.ts'

/** Off a terminal a point says how it stands at most this often: a log of a run of hours stays readable. */
const PLAIN_INTERVAL_SECONDS = 10
const NOTE_MAX = 1000

/** Shows a run to whoever watches: a live line on a terminal, plain lines elsewhere. Disposing it leaves the screen clean. */
export function terminalProgress(screen: Screen): Progress & Disposable {
  return screen.isTerminal ? liveProgress(screen) : plainProgress(screen)
}

function plainProgress(screen: Screen): Progress & Disposable {
  let shown: PointProgress | null = null
  let latest: PointProgress | null = null
  const show = (state: PointProgress) => {
    shown = state
    screen.write(`${pointLine(state)}\n`)
  }
  /** How a point stood last, before anything else is said: its end, where it is over. */
  const catchUp = () => {
    if (latest !== null && latest !== shown) show(latest)
    latest = null
  }
  const persist = (text: string) => {
    catchUp()
    screen.write(`${text}\n`)
  }
  return {
    point(state) {
      const isSame = state.point === shown?.point
      if (!isSame) catchUp()
      latest = state
      if (!isSame || state.elapsedSeconds - (shown?.elapsedSeconds ?? 0) >= PLAIN_INTERVAL_SECONDS) show(state)
    },
    note: (text) => persist(plainText(text, NOTE_MAX)),
    warn: (text) => persist(warning(screen, text)),
    [Symbol.dispose]: catchUp,
  }
}

function liveProgress(screen: Screen): Progress & Disposable {
  const live = createLogUpdate(streamOf(screen), { showCursor: true })
  const persist = (text: string) => {
    live.clear()
    screen.write(`${text}\n`)
  }
  return {
    point: (state) => live(fitted(pointLine(state), screen.columns())),
    note: (text) => persist(plainText(text, NOTE_MAX)),
    warn: (text) => persist(warning(screen, text)),
    [Symbol.dispose]: () => live.clear(),
  }
}

function warning(screen: Screen, text: string): string {
  const word = screen.hasColor ? styleText('yellow', 'warning:', { validateStream: false }) : 'warning:'
  return `${word} ${plainText(text, NOTE_MAX)}`
}

/** The part of a stream that the live line needs. */
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
