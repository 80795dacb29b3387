import type { Figure } from './figure.ts'
import { NO_FLOOR } from './figure.ts'
import type { PacedRate, PacedRound } from './paced.ts'
import { TOKENS } from './paced.ts'
import type { Spread } from './spread.ts'
import { median, overRounds } from './spread.ts'

const HEAPED = 'void: the machine was too busy'
const MOST_P50_ABOVE_MS = 0.4
const MOST_P99_RATIO = 1.5
const MOST_LAG_P99_ABOVE_MS = 1
const MOST_CPU_US = 25
const MOST_CPU_RATIO = 3
const LEAST_EVENTS_PER_CORE = 40_000
/** Where half of the answers begin so much late, one read brings events that were sent apart: then CPU an event says nothing. */
const HEAPED_MS = 5
/** The goals of CPU begin at so many events a second: below, waiting for due times costs more than reading. */
const CPU_GOAL_EVENTS = 6000

/** Error in TTFT and E2E. */
export function errorFigures(rates: readonly PacedRate[]): Figure[] {
  return rates.flatMap((rate) =>
    (['ttft', 'e2e'] as const).map((metric): Figure => {
      const of = (round: PacedRound) => (metric === 'ttft' ? round.ttftErrorMs : round.e2eErrorMs)
      const { ours, floor } = spreads(rate, of)
      const above = median(paired(ours, floor, (a, b) => a.p50 - b.p50))
      const ratio = median(paired(ours, floor, (a, b) => a.p99 / b.p99))
      return {
        what: `${metric.toUpperCase()} error at ${rate.rateRps}/s, p50 / p99, ms`,
        ours: showSpreads(ours),
        reference: floor.length === 0 ? NO_FLOOR : showSpreads(floor),
        compared: floor.length === 0 ? '' : `p50 ${signed(above)} ms, p99 × ${ratio.toFixed(2)}`,
        goal: `p50 ≤ +${MOST_P50_ABOVE_MS} ms, p99 ≤ × ${MOST_P99_RATIO}`,
        isMet: floor.length === 0 ? null : above <= MOST_P50_ABOVE_MS && ratio <= MOST_P99_RATIO,
      }
    }),
  )
}

/** How long after its due time a request is sent. */
export function lagFigures(rates: readonly PacedRate[]): Figure[] {
  return rates.map((rate): Figure => {
    const { ours, floor } = spreads(rate, (round) => round.sendLagMs)
    const above = median(paired(ours, floor, (a, b) => a.p99 - b.p99))
    return {
      what: `send lag at ${rate.rateRps}/s, p50 / p99, ms`,
      ours: showSpreads(ours),
      reference: floor.length === 0 ? NO_FLOOR : showSpreads(floor),
      compared: floor.length === 0 ? '' : `p99 ${signed(above)} ms`,
      goal: `p99 ≤ +${MOST_LAG_P99_ABOVE_MS} ms`,
      isMet: floor.length === 0 ? null : above <= MOST_LAG_P99_ABOVE_MS,
    }
  })
}

/** CPU of a streamed event, waiting and sending included; and the events that one core would carry, at the highest rate. */
export function cpuFigures(rates: readonly PacedRate[]): Figure[] {
  const figures = rates.map((rate): Figure => {
    const ours = rate.ours.map(({ cpuUsPerEvent }) => cpuUsPerEvent)
    const floor = rate.floor.map(({ cpuUsPerEvent }) => cpuUsPerEvent)
    const ratio = median(paired(ours, floor, (a, b) => a / b))
    const hasGoal = rate.rateRps * TOKENS >= CPU_GOAL_EVENTS && !isHeaped(rate)
    const isMet = median(ours) <= MOST_CPU_US && ratio <= MOST_CPU_RATIO
    return {
      what: `CPU an event at ${rate.rateRps}/s (${thousands(rate.rateRps * TOKENS)} events/s), µs`,
      ours: overRounds(ours, 1),
      reference: floor.length === 0 ? NO_FLOOR : overRounds(floor, 1),
      compared: isHeaped(rate) ? HEAPED : floor.length === 0 ? '' : `× ${ratio.toFixed(2)}`,
      goal: hasGoal ? `≤ ${MOST_CPU_US} µs, ≤ × ${MOST_CPU_RATIO}` : '',
      isMet: hasGoal && floor.length > 0 ? isMet : null,
    }
  })
  const busiest = rates.toSorted((a, b) => b.rateRps - a.rateRps)[0]
  if (!busiest) return figures
  const perCore = (rounds: readonly PacedRound[]) => rounds.map(({ cpuUsPerEvent }) => 1e6 / cpuUsPerEvent)
  const [ours, floor] = [perCore(busiest.ours), perCore(busiest.floor)]
  const carried: Figure = {
    what: `paced events a second of one core's time, at ${busiest.rateRps}/s`,
    ours: overRounds(ours, 0),
    reference: floor.length === 0 ? NO_FLOOR : overRounds(floor, 0),
    compared: isHeaped(busiest)
      ? HEAPED
      : floor.length === 0
        ? ''
        : `× ${median(paired(ours, floor, (a, b) => a / b)).toFixed(2)}`,
    goal: `≥ ${thousands(LEAST_EVENTS_PER_CORE)}`,
    isMet: isHeaped(busiest) ? null : median(ours) >= LEAST_EVENTS_PER_CORE,
  }
  return [...figures, carried]
}

function isHeaped({ ours, floor }: PacedRate): boolean {
  return [ours, floor].some((rounds) => median(rounds.map(({ ttftErrorMs }) => ttftErrorMs.p50)) > HEAPED_MS)
}

function spreads(rate: PacedRate, of: (round: PacedRound) => Spread) {
  return { ours: rate.ours.map(of), floor: rate.floor.map(of) }
}

/** Ours against the floor of the same round. */
function paired<T>(ours: readonly T[], floor: readonly T[], compare: (ours: T, floor: T) => number): number[] {
  return ours.flatMap((mine, round) => {
    const theirs = floor[round]
    return theirs === undefined ? [] : [compare(mine, theirs)]
  })
}

function showSpreads(rounds: readonly Spread[]): string {
  const half = (of: (spread: Spread) => number) => overRounds(rounds.map(of), 3)
  return `${half(({ p50 }) => p50)} / ${half(({ p99 }) => p99)}`
}

const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`
const thousands = (value: number) => value.toLocaleString('en')
