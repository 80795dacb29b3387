import { styleText } from 'node:util'
import { createLogUpdate } from 'log-update'
import type { Progress } from '../../app/ports/progress.ts'
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
  let last = { point: '', elapsedSeconds: 0 }
  return {
    point(state) {
      const isSame = state.point === last.point
      if (isSame && state.elapsedSeconds - last.elapsedSeconds < PLAIN_INTERVAL_SECONDS) return
      last = { point: state.point, elapsedSeconds: state.elapsedSeconds }
      screen.write(`${pointLine(state)}\n`)
    },
    note: (text) => screen.write(`${plainText(text, NOTE_MAX)}\n`),
    warn: (text) => screen.write(`${warning(screen, text)}\n`),
    [Symbol.dispose]() {},
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
