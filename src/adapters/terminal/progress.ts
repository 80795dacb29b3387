import type { Clock } from '../../app/ports/clock.ts'
import type { Outlook, PointProgress, Progress } from '../../app/ports/progress.ts'
import { plainText } from '../../core/report/escape.ts'
import { liveLines } from './live-lines.ts'
import { clockText, outlookText, pointLine, pointLines } from './point-line.ts'
import type { Screen } from './screen.ts'
import { fitted, painter, wrapped } from './typeset.ts'

/** Off a terminal a run says that it lives at most this often: a log of hours stays readable. */
const PLAIN_INTERVAL_SECONDS = 60
const TICK_MS = 1000
const NOTE_MAX = 1000

/**
 * Shows a run to whoever watches: live lines on a terminal, plain lines elsewhere. Nothing moves the cursor there. Disposing it leaves the screen
 * clean, and ends its ticking.
 */
export function terminalProgress(screen: Screen, clock: Clock): Progress & Disposable {
  const ticking = new AbortController()
  const progress = screen.isTerminal ? liveProgress(screen, clock) : plainProgress(screen, clock)
  void tick(clock, ticking.signal, progress.tick)
  return {
    ...progress,
    [Symbol.dispose]() {
      ticking.abort()
      progress.end()
    },
  }
}

type Ticked = Progress & { tick(): void; end(): void }

async function tick(clock: Clock, signal: AbortSignal, onTick: () => void): Promise<void> {
  try {
    while (!signal.aborted) {
      await clock.sleep(TICK_MS, signal)
      onTick()
    }
  } catch {
    // Aborted: nobody watches any more.
  }
}

/** An outlook grows old by the second. */
class Outlooks {
  readonly #clock: Clock
  #told: { outlook: Outlook; atUs: number } | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  tell(outlook: Outlook | null): void {
    this.#told = outlook === null ? null : { outlook, atUs: this.#clock.nowUs() }
  }

  /** As a part of a line; none while nothing is known. */
  texts(): string[] {
    const told = this.#told
    return told === null ? [] : [outlookText(told.outlook, (this.#clock.nowUs() - told.atUs) / 1e6)]
  }
}

function plainProgress(screen: Screen, clock: Clock): Ticked {
  const outlooks = new Outlooks(clock)
  let shown: PointProgress | null = null
  let latest: PointProgress | null = null
  let last = { text: '', atUs: clock.nowUs(), saidUs: clock.nowUs() }
  const write = (parts: readonly string[]) => {
    last.saidUs = clock.nowUs()
    screen.write(`${parts.join(' · ')}\n`)
  }
  const show = (state: PointProgress) => {
    shown = state
    write([pointLine(state), ...outlooks.texts()])
  }
  /** How a point stood last, before anything else is said: its end, where it is over. */
  const catchUp = () => {
    if (latest !== null && latest !== shown) show(latest)
    latest = null
  }
  const persist = (text: string) => {
    catchUp()
    const atUs = clock.nowUs()
    last = { text, atUs, saidUs: atUs }
    screen.write(`${text}\n`)
  }
  return {
    point(state) {
      const isSame = state.point === shown?.point
      if (!isSame) catchUp()
      latest = state
      last.saidUs = clock.nowUs()
      if (!isSame || state.elapsedSeconds - (shown?.elapsedSeconds ?? 0) >= PLAIN_INTERVAL_SECONDS) show(state)
    },
    outlook: (outlook) => outlooks.tell(outlook),
    note: (text) => persist(plainText(text, NOTE_MAX)),
    warn: (text) => persist(warning(screen, text)),
    tick() {
      if (last.text === '' || (clock.nowUs() - last.saidUs) / 1e6 < PLAIN_INTERVAL_SECONDS) return
      catchUp()
      write([`still running, ${clockText((clock.nowUs() - last.atUs) / 1e6)} after: ${last.text}`, ...outlooks.texts()])
    },
    end: catchUp,
  }
}

function liveProgress(screen: Screen, clock: Clock): Ticked {
  const outlooks = new Outlooks(clock)
  const live = liveLines(screen)
  const paint = painter(screen.hasColor)
  let isPoint = false
  let notedUs: number | null = null
  const draw = ([first = '', ...more]: readonly string[]) => {
    const fit = (line: string) => fitted(line, screen.columns())
    const left = outlooks.texts().map((text) => paint('faint', fit(`  ${text}`)))
    live.show([paint('strong', fit(first)), ...more.map(fit), ...left])
  }
  const persist = (text: string) => {
    live.clear()
    isPoint = false
    notedUs = clock.nowUs()
    screen.write(`${wrapped(text, screen.columns())}\n`)
  }
  return {
    point(state) {
      isPoint = true
      draw(pointLines(state))
    },
    outlook: (outlook) => outlooks.tell(outlook),
    note: (text) => persist(plainText(text, NOTE_MAX)),
    warn: (text) => persist(warning(screen, text)),
    // What takes long and is no point shows that it goes on.
    tick: () => {
      if (!isPoint && notedUs !== null) draw([`… ${clockText((clock.nowUs() - notedUs) / 1e6)}`])
    },
    // What is said next is no part of it.
    end() {
      live.clear()
      if (notedUs !== null) screen.write('\n')
    },
  }
}

function warning(screen: Screen, text: string): string {
  return `${painter(screen.hasColor)('doubtful', 'warning:')} ${plainText(text, NOTE_MAX)}`
}
