import type { PointProgress } from '../../app/ports/progress.ts'
import { plainText } from '../../core/report/escape.ts'

/** More classes than a line has room for are cut with it. */
const LINE_MAX = 500

/** How a point stands, on one line; what matters most comes first, since a narrow terminal cuts the end. */
export function pointLine(state: PointProgress): string {
  const attainment = Object.entries(state.attainment).map(([name, share]) => `${name} ${percent(share)}`)
  const parts = [
    state.point,
    state.rateRps === null ? 'closed loop' : `${Number(state.rateRps.toFixed(3))} RPS`,
    `${clock(state.elapsedSeconds)}${state.remainingSeconds === null ? '' : `, ${clock(state.remainingSeconds)} left`}`,
    `in flight ${state.inFlight}`,
    `queue ${state.backlog}`,
    ...(attainment.length === 0 ? [] : [`attainment ${attainment.join(', ')}`]),
    `done ${state.resolved} of ${state.sent} sent`,
  ]
  return plainText(parts.join(' · '), LINE_MAX)
}

/** A line that ends before the terminal's edge, so that it never wraps. */
export function fitted(line: string, columns: number): string {
  const room = Math.max(1, columns - 1)
  const points = Array.from(line)
  return points.length <= room ? line : `${points.slice(0, room - 1).join('')}…`
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`
}

/** Seconds as m:ss; before the cohort's start 0:00. */
function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
