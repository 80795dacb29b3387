import type { ChunkHistograms } from '../record/gaps.ts'
import { GapHistogram } from '../record/gaps.ts'
import type { RequestRecord } from '../record/record.ts'
import { timeWeightedMean } from './littles-law.ts'
import type { PointView } from './point-view.ts'
import { readMetric } from './series.ts'
import { fitStepCost } from './step-cost.ts'
import type { StepCost } from './step-cost.ts'
import { computedTokens, decodeWindows } from './work-done.ts'
import type { DecodeWindow } from './work-done.ts'

/** What a point's engine did for its requests: what two points are compared by to say why one is slower. Null: not known. */
export interface EngineWork {
  replicas: number
  /** Inferred from the requests' own times. */
  cost: StepCost | null
  /** Sequences that were decoded together, and prompt tokens computed, between two tokens of an answer: means over the tokens. */
  batch: number | null
  prefillPerStep: number | null
  /** Prompt tokens that had to be computed, of a request of each class: the mean. */
  computedTokens: Record<string, number>
  /** The most requests that a replica was seen to run: the mean over the replicas. */
  runningMax: number | null
  /** Little's law: requests that waited, by the engine's gauge, over the arrivals a second. */
  queueWaitMs: number | null
  /** Gaps far longer than any step explains: their share of the time of all gaps, and how long a request that comes must expect to wait for one. */
  standstill: { share: number; waitMs: number } | null
  /** Mean time from handing a request to a connection until its last byte was sent. */
  intakeMs: number | null
}

/** How the engine worked, from a point's rows, gaps and gauges alone. */
export function engineWork(view: PointView, gaps: ReadonlyMap<string, ChunkHistograms>): EngineWork {
  const { records, facts, manifest } = view
  const windows = decodeWindows(records)
  const all = mergedGaps(gaps)
  const rough = fitStepCost(smootherHalf(windows), () => 0)
  const longestUs = longestStepUs(rough, windows, records, all)
  const cost = fitStepCost(windows, ({ gapUs }) =>
    gapUs !== null && gapUs.max > longestUs ? gapUs.max - gapUs.p50 : 0,
  )
  const tokens = windows.reduce((sum, window) => sum + window.tokens, 0)
  const perToken = (of: (window: DecodeWindow) => number) =>
    tokens === 0 ? null : rounded(windows.reduce((sum, window) => sum + of(window), 0) / tokens)
  const waiting = gaugeOf(view, 'waiting', (samples) => timeWeightedMean(samples, facts.arrivalUs))
  const running = gaugeOf(view, 'running', (samples) =>
    samples.reduce<number | null>((most, { value }) => Math.max(most ?? 0, value), null),
  )
  const perMs = records.length / Math.max(1, facts.arrivalUs / 1000)
  return {
    replicas: facts.replicas,
    cost: cost && {
      stepUs: rounded(cost.stepUs),
      sequenceUs: rounded(cost.sequenceUs),
      prefillTokenUs: rounded(cost.prefillTokenUs),
    },
    batch: perToken(({ batchTokens }) => batchTokens),
    prefillPerStep: perToken(({ prefillTokens }) => prefillTokens),
    computedTokens: Object.fromEntries(manifest.workload.flatMap(({ name }) => computedOf(name, records))),
    runningMax: running === null ? null : rounded(running / view.timeline.scrapes.length),
    queueWaitMs: waiting === null || perMs === 0 ? null : rounded(waiting / perMs),
    standstill: standstillOf(all, longestUs),
    intakeMs: meanOf(
      records.flatMap(({ handedUs, sentUs }) => (handedUs === null || sentUs === null ? [] : [sentUs - handedUs])),
      1000,
    ),
  }
}

/** Six digits are more than is known, and the same wherever they are computed again. */
function rounded(value: number): number {
  return Number(value.toPrecision(6))
}

function meanOf(values: readonly number[], unit: number): number | null {
  return values.length === 0 ? null : rounded(values.reduce((sum, value) => sum + value, 0) / values.length / unit)
}

/** Null for a class of which no request says how much of its prompt was computed. */
function computedOf(name: string, records: readonly RequestRecord[]): [string, number][] {
  const tokens = records
    .filter((record) => record.class === name && record.cachedTokens !== null)
    .flatMap((record) => computedTokens(record) ?? [])
  const mean = meanOf(tokens, 1)
  return mean === null ? [] : [[name, mean]]
}

function mergedGaps(gaps: ReadonlyMap<string, ChunkHistograms>): GapHistogram {
  const all = new GapHistogram()
  for (const { gaps: own } of gaps.values()) all.merge(own)
  return all
}

/** The answers whose longest gap is not above the median's: few of them saw the engine stand still. */
function smootherHalf(windows: readonly DecodeWindow[]): DecodeWindow[] {
  const longest = windows.flatMap(({ gapUs }) => (gapUs === null ? [] : [gapUs.max])).toSorted((a, b) => a - b)
  const medianUs = longest[Math.ceil(longest.length / 2) - 1] ?? Infinity
  return windows.filter(({ gapUs }) => gapUs === null || gapUs.max <= medianUs)
}

/** No step takes as long: three times the gaps' P95, or twice a step that computes the longest prompt at once. */
function longestStepUs(
  cost: StepCost | null,
  windows: readonly DecodeWindow[],
  records: readonly RequestRecord[],
  gaps: GapHistogram,
): number {
  const prompt = records.reduce((most, record) => Math.max(most, computedTokens(record) ?? 0), 0)
  const batch = windows.reduce((most, { batchTokens, tokens }) => Math.max(most, batchTokens / tokens), 0)
  const stepUs = cost === null ? 0 : cost.stepUs + cost.sequenceUs * batch + cost.prefillTokenUs * prompt
  return Math.max(3 * (gaps.percentileUs(0.95) ?? 0), 2 * stepUs)
}

/** What comes at any time falls into a gap by its length, and half of it is still to come: Σ gap² / 2 Σ gap. */
function standstillOf(gaps: GapHistogram, longestUs: number): EngineWork['standstill'] {
  if (gaps.count === 0 || gaps.sumUs === 0) return null
  const usualUs = gaps.percentileUs(0.5) ?? 0
  let [idleUs, squares] = [0, 0]
  for (const [gapUs, count] of gaps.bins()) {
    if (gapUs <= longestUs) continue
    idleUs += count * (gapUs - usualUs)
    squares += count * gapUs * gapUs
  }
  return { share: rounded(idleUs / gaps.sumUs), waitMs: rounded(squares / (2 * gaps.sumUs) / 1000) }
}

type Sample = { atUs: number; value: number }

/** One number of each replica's gauge, added up; null where a replica does not tell. */
function gaugeOf(
  { dialect, timeline, facts }: PointView,
  name: 'running' | 'waiting',
  of: (samples: readonly Sample[]) => number | null,
): number | null {
  const source = dialect.metrics?.sources[name]
  if (!source || timeline.scrapes.length === 0) return null
  let sum = 0
  for (const scrapes of timeline.scrapes) {
    const samples = scrapes
      .filter(({ atUs }) => atUs >= 0 && atUs <= facts.arrivalUs)
      .flatMap(({ atUs, values }) => {
        const value = readMetric(values, source)
        return value === null ? [] : [{ atUs, value }]
      })
    const value = of(samples)
    if (value === null) return null
    sum += value
  }
  return sum
}
