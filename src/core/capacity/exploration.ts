import type { Reason } from '../kernel/evidence.ts'
import type { Acceptance, Manifest } from '../manifest/schema.ts'
import { admissibleMs, meanAdmissibleMs } from '../telemetry/calibration-need.ts'
import type { StepPoint } from './by-rate.ts'
import { VOIDS_MAX } from './confirm.ts'
import type { StateHistory } from './measure.ts'
import { isSameLoad, measure, rpsText } from './measure.ts'
import { engineFaults } from './outcome.ts'
import type { Step } from './step-type.ts'
import { sweptRates } from './swept-rates.ts'

/** An engine is saturated where twice the requests in flight complete less than this much more. */
const RISE_MIN = 0.1
/** Arrivals of an exploration last so many times the slowest admissible request and the think time after it. */
const WINDOW_REQUESTS = 2
/** The schedule has so many requests at least for each place of a closed loop. */
const ROWS_A_PLACE = 4

/** What the closed loops came to: where to begin, never a capacity. */
export interface Saturation {
  /** The highest completed rate, and with how many in flight. */
  milliRps: number
  concurrency: number
  /** The highest completed rate of which the attained share met its cutoffs; null where none did. */
  goodMilliRps: number | null
}

/** What to measure next, or what the closed loops came to; `reasons` are for people. */
export type Explored =
  | { step: Step }
  | { step: null; saturation: Saturation; reasons: Reason[] }
  | { step: null; saturation: null; reasons: Reason[] }

/** How long the arrivals of an exploration may take: it looks for a throughput, and needs no tail. */
export function explorationSeconds({ client, workload }: Pick<Manifest, 'client' | 'workload'>): number {
  const turnSeconds = Math.max(...workload.map(admissibleMs)) / 1000 + client.closed_loop_think_seconds
  return Math.min(client.maximum_duration_seconds, WINDOW_REQUESTS * turnSeconds)
}

/** What ends an exploration before its time: too many errors. Missed cutoffs do not, and no class has a floor to be extended for. */
export function explorationAcceptance(acceptance: Acceptance): Acceptance {
  const { attempted_attainment_min: _, ...rest } = acceptance
  return { ...rest, class_slo_attainment_min: 0, min_successful_samples_per_class: 0 }
}

/**
 * The concurrencies that are tried, lowest first: those that are declared, else doubling ones. By Little's law a rate that an engine
 * carries within the cutoffs takes no more places than rate × the time that they allow and a place then thinks: from half of that at
 * the lowest rate that may be swept up to that at the highest.
 */
export function explorationConcurrencies(manifest: StateHistory['manifest']): number[] {
  const declared = manifest.sweep?.saturation_concurrency ?? []
  if (declared.length > 0) return [...new Set(declared)].toSorted((a, b) => a - b)
  const rates = sweptRates(manifest)
  const turnMs = meanAdmissibleMs(manifest) + manifest.client.closed_loop_think_seconds * 1000
  const places = (milliRps: number): number => (milliRps * turnMs) / 1e6
  const most = Math.max(1, Math.floor(manifest.client.initial_scheduled_requests / ROWS_A_PLACE))
  const highest = Math.min(most, Math.ceil(places(rates.at(-1) ?? 0)))
  const concurrencies = []
  for (let n = Math.ceil(places(rates[0] ?? 0) / 2); n < highest; n *= 2) concurrencies.push(n)
  return [...concurrencies, Math.max(1, highest)]
}

/**
 * The saturation test of `rates_rps: auto`: closed loops of ever more requests in flight until the completed rate stops rising, or the
 * highest rate that may be swept was completed within the cutoffs. A point that tells nothing is measured once more; after two the test
 * ends with what lower concurrencies told.
 */
export function explore(state: StateHistory): Explored {
  const isListed = (state.manifest.sweep?.saturation_concurrency ?? []).length > 0
  const highest = sweptRates(state.manifest).at(-1) ?? 0
  let best: Saturation | null = null
  for (const concurrency of explorationConcurrencies(state.manifest)) {
    const load = { closedConcurrency: concurrency }
    const tried = state.points.filter(({ key }) => isSameLoad(key.load, load))
    const telling = tried.find(isTelling)
    if (!telling && tried.length < VOIDS_MAX) {
      const again = tried.length > 0 ? `, once more: ${silence(tried.at(-1))}` : ''
      return { step: measure(state, load, 'same', `${concurrency} in flight: exploration, never capacity${again}`) }
    }
    if (!telling) {
      return ended(best, `${tried.length} points at ${concurrency} in flight tell nothing: ${silence(tried.at(-1))}`)
    }
    const before: Saturation | null = best
    best = higher(before, telling, concurrency, state.manifest.acceptance)
    const isRising = before === null || best.milliRps >= before.milliRps * (1 + RISE_MIN)
    const isGood = before === null || best.goodMilliRps !== before.goodMilliRps
    const isEnough = (best.goodMilliRps ?? 0) >= highest
    if (!isListed && (isEnough || !(isRising && isGood))) break
  }
  return ended(best, null)
}

function higher(
  before: Saturation | null,
  { ratesRps }: StepPoint,
  concurrency: number,
  acceptance: Acceptance,
): Saturation {
  const { completed, good } = ratesRps
  const milliRps = Math.max(1, Math.floor(completed * 1000))
  const isGood = good >= completed * acceptance.class_slo_attainment_min
  const known = before?.goodMilliRps ?? null
  const goodMilliRps = isGood ? Math.max(known ?? 0, milliRps) : known
  if (before !== null && before.milliRps >= milliRps) return { ...before, goodMilliRps }
  return { milliRps, concurrency, goodMilliRps }
}

/** Whether a closed-loop point says how much the engine completes: whoever missed cutoffs was completed too. */
function isTelling(point: StepPoint): boolean {
  const { outcome, stoppedEarly, slo, evidence } = point
  return outcome !== 'invalid' && !stoppedEarly && slo.successful > 0 && engineFaults(evidence).length === 0
}

function silence(point: StepPoint | undefined): string {
  if (point === undefined) return 'not measured'
  const [fault] = engineFaults(point.evidence)
  if (fault !== undefined) return fault.text ?? fault.probe
  if (point.outcome === 'invalid') return 'invalid'
  return point.slo.successful === 0 ? 'no request succeeded' : 'stopped early, for its errors'
}

function ended(best: Saturation | null, gap: string | null): Explored {
  const gaps: Reason[] = gap === null ? [] : [{ code: 'exploration_ended', text: gap }]
  if (best === null) {
    const text = 'no closed loop told what the engine completes: the rates to sweep cannot be found'
    return { step: null, saturation: null, reasons: [{ code: 'saturation_not_found', text }, ...gaps] }
  }
  const text = `${rpsText(best.milliRps)} completed with ${best.concurrency} in flight: where the sweep began, never a capacity`
  const reason: Reason = { code: 'saturation', text, value: best.milliRps / 1000 }
  return { step: null, saturation: best, reasons: [reason, ...gaps] }
}
