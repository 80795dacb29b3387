import { isDecisive, openMilliRps } from '../../capacity/by-rate.ts'
import type { CapacityRecord, PointReport } from '../../capacity/record.ts'
import type { StateVerdict } from '../../gate/verdict.ts'
import type { Cache } from '../../kernel/point.ts'
import type { Basis, Figure, Root, Side } from './cause.ts'
import { consequenceRoots, limitRoots, queueFigure } from './limit-roots.ts'
import type { LossPart } from './loss.ts'
import { lossParts } from './loss.ts'
import { notKnown } from './not-known.ts'
import { workRoots } from './work-roots.ts'

/** A cause, and how much of the lost attainment it accounts for: shares of what was lost, 0 to 1. */
export interface Cause {
  id: string
  title: string
  basis: Basis
  share: number
  figures: Figure[]
}

/** Why the candidate's point is worse than the baseline's at the same rate. */
export interface Explanation {
  cache: Cache
  baseMilliRps: number
  nowMilliRps: number
  /** Requests that no longer meet their cutoffs or fail, as a share of all: beyond chance alone. */
  lostShare: number
  parts: LossPart[]
  /** The one that accounts for most first; empty where nothing stands out. */
  causes: Cause[]
  unexplainedShare: number
  /** What one of the two points does not tell, by what it is called. */
  notKnown: string[]
}

/** A cause that accounts for less of a loss does not stand out. */
const SHARE_MIN = 0.05
/** Causes that explain less of a latency's rise than this do not explain it. */
const COVER_MIN = 0.25

/** The two points that a state's deltas compare; null where no two are comparable. */
export function comparedSides(
  state: StateVerdict,
  record: CapacityRecord,
  baseline: CapacityRecord | null,
): { was: Side; is: Side } | null {
  const { deltaRates, cache } = state
  if (baseline === null || deltaRates === null) return null
  const was = sideAt(baseline, cache, deltaRates.baseMilliRps)
  const is = sideAt(record, cache, deltaRates.nowMilliRps)
  return was === null || is === null ? null : { was, is }
}

function sideAt(record: CapacityRecord, cache: Cache, rate: number): Side | null {
  const result = record.capacity.find((item) => item.cache === cache)
  const point = result?.points.findLast((item) => openMilliRps(item) === rate && isDecisive(item))
  if (point === undefined) return null
  return { point, boot: record.boots.find(({ deployId }) => deployId === point.deployId) }
}

/**
 * Shares the lost attainment out among what changed. Each class's loss by a latency goes to the causes in proportion to what each adds to
 * that latency: by itself, and by its share of the capacity that is gone for the rise that is left (a queue, a larger batch). Errors go to
 * their codes. Facts of the two points alone; it decides nothing.
 */
export function explain({ was, is }: { was: Side; is: Side }): Explanation {
  const parts = lossParts(was.point, is.point)
  const lostShare = parts.reduce((sum, { share }) => sum + share, 0)
  const ofWork = workRoots(was, is)
  const standsStill = ofWork.some(({ id }) => id === 'standstills')
  const found = [...ofWork, ...limitRoots(was, is, standsStill)]
  const roots = found.some(({ load }) => load > 0) ? found : [...found, ...consequenceRoots(was, is)]
  const shares = new Map<string, number>()
  const causes = new Map<string, Omit<Cause, 'share'>>()
  for (const part of parts) {
    const named = part.metric === 'errors' ? errorCauses(was.point, is.point) : latencyCauses(part, roots, was, is)
    for (const { share, ...cause } of named) {
      causes.set(cause.id, cause)
      shares.set(cause.id, (shares.get(cause.id) ?? 0) + (share * part.share) / lostShare)
    }
  }
  const ordered = [...causes.values()]
    .map((cause) => ({ ...cause, share: shares.get(cause.id) ?? 0 }))
    .filter(({ share }) => share >= SHARE_MIN)
    .toSorted((a, b) => b.share - a.share)
  return {
    cache: is.point.key.cache,
    baseMilliRps: openMilliRps(was.point) ?? 0,
    nowMilliRps: openMilliRps(is.point) ?? 0,
    lostShare,
    parts,
    causes: ordered,
    notKnown: notKnown(was, is),
    unexplainedShare: lostShare === 0 ? 0 : Math.max(0, 1 - ordered.reduce((sum, { share }) => sum + share, 0)),
  }
}

/** Each code that came more often, by how much. */
function errorCauses(was: PointReport, is: PointReport): Cause[] {
  const shareOf = ({ slo }: PointReport, code: string) =>
    (Object.hasOwn(slo.error_codes, code) ? (slo.error_codes[code] ?? 0) : 0) / Math.max(1, slo.attempted)
  const figures = Object.keys(is.slo.error_codes)
    // It is no error that the schedule asked for.
    .filter((code) => code !== 'planned_cancellation')
    .map((code) => ({ code, was: shareOf(was, code), is: shareOf(is, code) }))
    .filter((figure) => figure.is > figure.was)
  const risen = figures.reduce((sum, figure) => sum + figure.is - figure.was, 0)
  return figures.map((figure) => ({
    id: `errors.${figure.code}`,
    title: `more requests fail: ${figure.code}`,
    basis: 'seen',
    share: (figure.is - figure.was) / risen,
    figures: [{ title: 'of all requests, share', was: figure.was, is: figure.is }],
  }))
}

function latencyCauses({ class: name, metric }: LossPart, roots: readonly Root[], was: Side, is: Side): Cause[] {
  const rise = riseMs(name, was, is)
  const capacity = roots.reduce((sum, { load }) => sum + load, 0)
  const rests = {
    ttft: rest(Math.max(rise.queue, rise.ttft), roots, (root) => root.ttftMs(name)),
    tpot: rest(rise.tpot, roots, (root) => root.tpotMs),
  }
  const added = (root: Root, of: 'ttft' | 'tpot') =>
    (of === 'ttft' ? root.ttftMs(name) : root.tpotMs) + (capacity === 0 ? 0 : (rests[of] * root.load) / capacity)
  const effects = roots.map((root) => {
    const whole = metric === 'e2e' ? added(root, 'ttft') + rise.tokens * added(root, 'tpot') : 0
    return { root, ms: metric === 'e2e' ? whole : added(root, metric === 'ttft' ? 'ttft' : 'tpot') }
  })
  const sum = effects.reduce((total, { ms }) => total + ms, 0)
  const seen = metric === 'ttft' ? rise.ttft : metric === 'tpot' ? rise.tpot : rise.ttft + rise.tokens * rise.tpot
  if (sum <= 0 || sum < COVER_MIN * seen) return []
  return effects
    .filter(({ ms }) => ms > 0)
    .map(({ root: { id, title, basis, figures }, ms }) => {
      const isQueued =
        metric === 'ttft' && rests.ttft > 0 && !figures.some((figure) => figure.title.startsWith('queue'))
      const queue = isQueued ? [queueFigure(was, is)] : []
      // What the causes do not add is not theirs.
      return { id, title, basis, figures: [...figures, ...queue], share: ms / Math.max(sum, seen) }
    })
}

/** What of a rise the causes do not add by themselves. */
function rest(riseMs: number, roots: readonly Root[], of: (root: Root) => number): number {
  return Math.max(0, riseMs - roots.reduce((sum, root) => sum + of(root), 0))
}

/** How far a class's medians rose, the wait at the engine beside them, and the tokens of an answer after the first. */
function riseMs(name: string, was: Side, is: Side) {
  const [before, after] = [was.point.slo.classes[name], is.point.slo.classes[name]]
  const queue = queueFigure(was, is)
  const isFromDue = is.point.slo.latency_origin === 'due'
  const ttft = isFromDue ? 'ttft_from_due_ms' : 'ttft_ms'
  return {
    ttft: Math.max(0, (after?.[ttft].p50 ?? 0) - (before?.[ttft].p50 ?? 0)),
    tpot: Math.max(0, (after?.tpot_ms.p50 ?? 0) - (before?.tpot_ms.p50 ?? 0)),
    queue: Math.max(0, (queue.is ?? 0) - (queue.was ?? queue.is ?? 0)),
    tokens: Math.max(0, (after?.output_tokens ?? 0) / Math.max(1, after?.successful_count ?? 1) - 1),
  }
}
