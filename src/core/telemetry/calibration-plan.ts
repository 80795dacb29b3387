import { exponentialGapUs, MEAN_GAP_US } from '../schedule/arrivals.ts'
import { shuffledMix } from '../schedule/class-mix.ts'
import { randomStream } from '../schedule/random.ts'
import type { ScheduleRow } from '../schedule/schedule.ts'
import { requestId } from '../schedule/schedule.ts'
import { NULL_STEP_MS } from './calibration.ts'
import type { CalibrationNeed } from './calibration-need.ts'
import { meanOver, neededEventsPerSecond } from './calibration-need.ts'

/** A stream of more tokens would outlast the calibration. Shorter ones of the same number of events a second cost more, not less. */
const MOST_TOKENS = 150
const LEAST_TOKENS = 4
/** So many requests a second are sent where fewer are needed, so that a P99 stands on some; less where their prompts are long. */
const WANTED_RPS = 100
const PROMPT_BYTES_PER_SECOND = 4e6
const BYTES_PER_TOKEN = 6
const WANTED_REQUESTS = 300
/** More is beyond any client of one process: it is not sent, and the judgement says how much was. */
const MOST_EVENTS = 100_000
const MOST_RPS = 10_000
/** The heavier phase: so many times the needed events, within these bounds. */
const HEAVIER = 4
const LEAST_HEAVY_EVENTS = 5_000
const MOST_HEAVY_EVENTS = 20_000
const HEAVY_SECONDS = 1.5
/** No closed loop of it sends more. */
const MOST_HEAVY_REQUESTS = 10_000

/** The paced phase: an open loop of rows at a rate, and what warms it up. */
export interface PacedPhase {
  milliRps: number
  warmupUs: number
  warmup: readonly ScheduleRow[]
  rows: readonly ScheduleRow[]
}

/** The heavier phase: so many streams at a time, for so long. */
export interface HeavyPhase {
  concurrency: number
  durationUs: number
  rows: readonly ScheduleRow[]
}

export interface CalibrationPlan {
  paced: PacedPhase
  heavy: HeavyPhase
}

/**
 * Two phases that take 15 seconds or less with their drains. The paced one has the needed events a second at least, in arrivals like a
 * schedule's; the prompts are of the needed lengths; answers longer than 150 tokens are cut, and more of them sent instead.
 */
export function calibrationPlan(need: CalibrationNeed): CalibrationPlan {
  const events = Math.min(MOST_EVENTS, neededEventsPerSecond(need))
  const { tokens, rps } = requestsFor(need, events)
  const rows = rowsOf(need, tokens)
  const streamSeconds = ((Math.min(tokens, longest(need)) + 2) * NULL_STEP_MS) / 1000
  const warmupSeconds = Math.max(0.5, streamSeconds)
  const seconds = Math.min(6, Math.max(3, WANTED_REQUESTS / rps))
  const heavyEvents = Math.min(MOST_HEAVY_EVENTS, Math.max(LEAST_HEAVY_EVENTS, HEAVIER * events))
  const concurrency = Math.ceil((heavyEvents * NULL_STEP_MS) / 1000)
  return {
    paced: {
      milliRps: Math.ceil(rps * 1000),
      warmupUs: Math.round(warmupSeconds * 1e6),
      warmup: rows('w', Math.ceil(rps * warmupSeconds), 'paced').filter(
        ({ offsetUs }) => offsetUs <= rps * warmupSeconds * 1e6,
      ),
      rows: rows('r', Math.ceil(rps * seconds), 'paced'),
    },
    heavy: {
      concurrency,
      durationUs: HEAVY_SECONDS * 1e6,
      rows: rows('h', MOST_HEAVY_REQUESTS, 'at_hand'),
    },
  }
}

/** How long the answers may be, and how many requests a second then give the needed events. */
function requestsFor(need: CalibrationNeed, events: number): { tokens: number; rps: number } {
  const promptBytes = BYTES_PER_TOKEN * meanOver(need.classes, ({ inputTokens }) => inputTokens)
  const wanted = Math.max(1, Math.min(WANTED_RPS, PROMPT_BYTES_PER_SECOND / promptBytes))
  for (let tokens = MOST_TOKENS; ; tokens -= 1) {
    const rps = events / meanOver(need.classes, ({ outputTokens }) => Math.min(outputTokens, tokens))
    if (rps >= wanted) return { tokens, rps: Math.min(MOST_RPS, rps) }
    if (tokens === LEAST_TOKENS) return { tokens, rps: wanted }
  }
}

function longest({ classes }: CalibrationNeed): number {
  return Math.max(...classes.map(({ outputTokens }) => outputTokens))
}

/** Rows in exactly the mix's proportions, the same each time; in arrivals with exponential gaps, or all of them at hand. */
function rowsOf({ classes }: CalibrationNeed, tokens: number) {
  return (kind: string, count: number, arrive: 'paced' | 'at_hand'): ScheduleRow[] => {
    const random = randomStream(`calibration ${kind}`)
    const shapes = classes.map((entry) => ({ ...entry, outputTokens: Math.min(entry.outputTokens, tokens) }))
    const mixed = shuffledMix(shapes, count, random)
    const offsets = arrive === 'paced' ? arrivalsOf(mixed.map(() => exponentialGapUs(random))) : []
    return mixed.map(({ name, inputTokens, outputTokens }, index) => {
      return { id: requestId(kind, index + 1), class: name, offsetUs: offsets[index] ?? 0, inputTokens, outputTokens }
    })
  }
}

/** Arrivals after these gaps, stretched so that their mean is the rate's: few gaps of one draw may be far off it, and the draw is always the same. */
function arrivalsOf(gapsUs: readonly number[]): number[] {
  const stretch = (gapsUs.length * MEAN_GAP_US) / gapsUs.reduce((sum, gapUs) => sum + gapUs, 0)
  let endUs = 0
  return gapsUs.map((gapUs) => Math.round((endUs += gapUs) * stretch))
}
