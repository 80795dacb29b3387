import type { StabilityCounter } from '../dialect/dialect.ts'
import type { Evidence } from '../kernel/evidence.ts'
import type { PointView } from './point-view.ts'
import { cohortWindows, counterRise, readMetric, totalRise } from './series.ts'
import type { SeriesChoice } from './series.ts'

/**
 * Whether the engine stayed what it was: `stability.<kind>` for each thing that happened to it, `stability.restarts` (its counters never
 * went backwards on any replica), `stability.<counter>` for each of the dialect's (its rise; unknown where the engine does not show it,
 * never zero) and `stability.kv_usage` (the highest share seen). Only the restarts must be known: which other counters an engine shows
 * is its own affair.
 */
export function stabilityEvidence(view: PointView): Evidence[] {
  return [...eventEvidence(view), restartEvidence(view), ...counterEvidence(view), ...kvEvidence(view)]
}

function eventEvidence({ timeline }: PointView): Evidence[] {
  return timeline.events.map(({ kind, blames, text, replica, atUs }) => ({
    probe: `stability.${kind}`,
    state: 'fail',
    required: true,
    blames,
    text: `${replica === null ? 'engine' : `replica ${replica}`}, ${(atUs / 1e6).toFixed(1)} s into the cohort: ${text}`,
  }))
}

function restartEvidence({ dialect, facts, timeline }: PointView): Evidence {
  const shared = { probe: 'stability.restarts', required: true, blames: 'engine' } as const
  const { generationTokens, promptTokens } = dialect.metrics?.sources ?? {}
  const counters = [generationTokens, promptTokens].filter((source) => source !== null && source !== undefined)
  let compared = 0
  for (const [replica, scrapes] of timeline.scrapes.entries()) {
    let known = false
    for (const [index, after] of scrapes.entries()) {
      const before = scrapes[index - 1]
      const rises = before ? counters.map((counter) => counterRise(before, after, counter)) : []
      if (rises.some(({ state }) => state === 'backwards')) {
        const text = `replica ${replica} counts anew from ${(after.atUs / 1e6).toFixed(1)} s on: it was restarted`
        return { ...shared, state: 'fail', text }
      }
      known ||= after.atUs >= facts.cohortUs - 1_500_000 && rises.some(({ state }) => state === 'risen')
    }
    if (known) compared += 1
  }
  const replicas = timeline.scrapes.length
  if (compared < replicas || replicas === 0) {
    return {
      ...shared,
      state: 'unknown',
      text: `counters to the end of the cohort are known of ${compared} of ${replicas} replicas`,
    }
  }
  return { ...shared, state: 'pass', text: `no counter of ${replicas} replicas went backwards` }
}

/** From this share in use on a cache is full: what comes next waits, or pushes something out. */
const FULL = 0.99

function counterEvidence(view: PointView): Evidence[] {
  const { dialect, facts, timeline } = view
  const windows = cohortWindows(timeline.scrapes, facts.cohortUs)
  return dialect.stability.map((counter): Evidence => {
    const shared = {
      probe: `stability.${counter.id}`,
      required: false,
      blames: counter.blames,
      unit: 'events',
    } as const
    const rise = totalRise(windows, choiceOf(counter))
    if (rise.state !== 'risen')
      return { ...shared, state: 'unknown', text: `${counter.title}: the engine does not show them` }
    if (counter.countsLate && rise.by === 0 && mayBeUncounted(view)) {
      const text = `${counter.title}: none is counted, but the KV cache was full and requests were left before they ended`
      return { ...shared, state: 'unknown', text }
    }
    const failed = counter.onRise === 'fail' && rise.by > 0
    return { ...shared, state: failed ? 'fail' : 'pass', value: rise.by, text: `${counter.title}: ${rise.by}` }
  })
}

function choiceOf({ names, labels }: StabilityCounter): SeriesChoice {
  return { names, labels }
}

/** Whether a request can have been struck and left before the engine counted it. */
function mayBeUncounted(view: PointView): boolean {
  const wereLeft = view.records.some(({ status }) => status === 'timeout' || status === 'cancelled')
  return wereLeft && (highestUsage(view) ?? 1) >= FULL
}

function highestUsage({ dialect, timeline }: PointView): number | null {
  const source = dialect.metrics?.sources.kvUsage
  let highest: number | null = null
  for (const { values } of source ? timeline.scrapes.flat() : []) {
    const usage = source ? readMetric(values, source) : null
    if (usage !== null && usage > (highest ?? -1)) highest = usage
  }
  return highest
}

function kvEvidence(view: PointView): Evidence[] {
  if (!view.dialect.metrics?.sources.kvUsage) return []
  const highest = highestUsage(view)
  const shared = { probe: 'stability.kv_usage', required: false, blames: 'engine', unit: 'share' } as const
  if (highest === null) return [{ ...shared, state: 'unknown', text: 'the engine does not show its KV usage' }]
  return [{ ...shared, state: 'pass', value: highest, text: `KV cache at most ${Math.round(highest * 100)} % in use` }]
}
