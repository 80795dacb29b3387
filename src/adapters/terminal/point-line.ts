import type { Outlook, PointProgress } from '../../app/ports/progress.ts'
import { plainText } from '../../core/report/escape.ts'

/** More classes than a line has room for are cut with it. */
const LINE_MAX = 500
const BAR_CELLS = 20

/** How a point stands, as a block of a terminal: what and how far, its requests, its classes. */
export function pointLines(state: PointProgress): string[] {
  const bar = barOf(state)
  return [
    joined([...headOf(state), ...(bar === '' ? [] : [bar])]),
    `  ${joined(countsOf(state))}`,
    ...attainmentOf(state).map((text) => `  ${joined([text])}`),
  ]
}

/** The same on one line, for a log. */
export function pointLine(state: PointProgress): string {
  return joined([...headOf(state), ...countsOf(state), ...attainmentOf(state)])
}

/** Which point of how many, and how long the run may still take, so long after that was told. */
export function outlookText(outlook: Outlook, secondsSince: number): string {
  const left = Math.max(outlook.secondsAfterPoint, outlook.secondsLeft - secondsSince)
  return `point ${outlook.point} of about ${outlook.ofAbout} · ${aboutText(left)} left`
}

/** As coarse as it is uncertain. */
function aboutText(seconds: number): string {
  if (seconds < 90) return `about ${Math.max(10, Math.ceil(seconds / 10) * 10)} s`
  return seconds < 7200 ? `about ${Math.ceil(seconds / 60)} min` : `about ${(seconds / 3600).toFixed(1)} h`
}

function headOf({ point, rateRps, phase, elapsedSeconds, plannedSeconds }: PointProgress): string[] {
  const planned = plannedSeconds === null ? '' : ` of ${clockText(plannedSeconds)}`
  const rate = rateRps === null ? 'closed loop' : `${Number(rateRps.toFixed(3))} RPS`
  return [point, rate, `${phase} ${phase === 'warm-up' ? '' : `${clockText(elapsedSeconds)}${planned}`}`.trim()]
}

function countsOf({ sent, resolved, failed, inFlight, backlog }: PointProgress): string[] {
  return [
    `sent ${sent}`,
    `ended ${resolved}`,
    `errors ${failed}`,
    `in flight ${inFlight}`,
    ...(backlog === 0 ? [] : [`late ${backlog}`]),
  ]
}

/** The class that is nearest to its limit first: a narrow terminal cuts the end. */
function attainmentOf({ attainment }: PointProgress): string[] {
  const classes = Object.entries(attainment).toSorted(([, a], [, b]) => (a ?? 2) - (b ?? 2))
  if (classes.length === 0) return []
  return [`attained ${classes.map(([name, share]) => `${plainText(name, 60)} ${percent(share)}`).join(', ')}`]
}

/** How much of the arrivals is done; empty where that is not known. */
function barOf({ elapsedSeconds, plannedSeconds, phase }: PointProgress): string {
  if (plannedSeconds === null || plannedSeconds <= 0 || phase === 'warm-up') return ''
  const done = Math.min(BAR_CELLS, Math.floor((elapsedSeconds / plannedSeconds) * BAR_CELLS))
  return `${'━'.repeat(done)}${'─'.repeat(BAR_CELLS - done)}`
}

function joined(parts: readonly string[]): string {
  return plainText(parts.join(' · '), LINE_MAX)
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`
}

/** Seconds as m:ss; before a cohort's start 0:00. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
