import type { ChunkHistograms } from '../record/gaps.ts'
import { GapHistogram } from '../record/gaps.ts'
import type { RequestRecord } from '../record/record.ts'
import { timeWeightedMean } from './littles-law.ts'
import type { PointView } from './point-view.ts'
import { promptWork } from './prompt-work.ts'
import type { PromptWork } from './prompt-work.ts'
import { rounded } from './rounded.ts'
import { readMetric } from './series.ts'
import { fitStepCost } from './step-cost.ts'
import type { StepCost } from './step-cost.ts'
import { longestStepUs, standstillOf } from './standstill.ts'
import type { Standstill } from './standstill.ts'
import { decodeWindows, mostTogether } from './work-done.ts'
import type { DecodeWindow } from './work-done.ts'

/** What a point's engine did for its requests: what two points are compared by to say why one is slower. Null: not known. */
export interface EngineWork {
  replicas: number
  /** Inferred from the requests' own times. */
  cost: StepCost | null
  /** Sequences that were decoded together, and prompt tokens computed, between two tokens of an answer: means over the tokens. */
  batch: number | null
  prefillPerStep: number | null
  /** Who tells what came from a cache; null: nobody, and whole prompts stand for what was computed of them. */
  hitsTold: PromptWork['hitsTold']
  /** Prompt tokens that had to be computed, of a request of each class: the mean. */
  computedTokens: Record<string, number>
  /** The most requests that a replica was seen to run, by its gauge or by the answers that came at the same time: the mean over the replicas. */
  runningMax: number | null
  /** Little's law: requests that waited, by the engine's gauge, over the arrivals a second. */
  queueWaitMs: number | null
  standstill: Standstill | null
  /** Mean time from handing a request to a connection until its last byte was sent. */
  intakeMs: number | null
}

/** How the engine worked, from a point's rows, gaps and gauges alone. */
export function engineWork(view: PointView, gaps: ReadonlyMap<string, ChunkHistograms>): EngineWork {
  const { records, facts, manifest } = view
  const prompts = promptWork(view)
  const windows = decodeWindows(records, prompts.computed)
  const all = mergedGaps(gaps)
  const rough = fitStepCost(smootherHalf(windows), () => 0)
  const longestPrompt = records.reduce((most, record) => Math.max(most, prompts.computed(record) ?? 0), 0)
  const longestUs = longestStepUs(rough, windows, longestPrompt, all)
  const cost = fitStepCost(windows, ({ gapUs }) =>
    gapUs !== null && gapUs.max > longestUs ? gapUs.max - gapUs.p50 : 0,
  )
  const tokens = windows.reduce((sum, window) => sum + window.tokens, 0)
  const perToken = (of: (window: DecodeWindow) => number) =>
    tokens === 0 ? null : rounded(windows.reduce((sum, window) => sum + of(window), 0) / tokens)
  const of = (replica: number) => (facts.replicas === 1 ? records : records.filter((row) => row.replica === replica))
  const waiting = gaugeOf(view, 'waiting', (samples) => timeWeightedMean(samples, facts.arrivalUs))
  const running = gaugeOf(view, 'running', (samples, replica) =>
    // Looks are a second apart: of a short point they miss the most.
    samples.reduce<number | null>((most, { value }) => Math.max(most ?? mostTogether(of(replica)), value), null),
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
    hitsTold: prompts.hitsTold,
    computedTokens: Object.fromEntries(manifest.workload.flatMap(({ name }) => computedOf(name, records, prompts))),
    runningMax: running === null ? null : rounded(running / view.timeline.scrapes.length),
    queueWaitMs: waiting === null || perMs === 0 ? null : rounded(waiting / perMs),
    standstill: standstillOf(all, longestUs, {
      replicas: Array.from({ length: facts.replicas }, (_, n) => of(n)),
      untilUs: facts.arrivalUs,
    }),
    intakeMs: meanOf(
      records.flatMap(({ handedUs, sentUs }) => (handedUs === null || sentUs === null ? [] : [sentUs - handedUs])),
      1000,
    ),
  }
}

function meanOf(values: readonly number[], unit: number): number | null {
  return values.length === 0 ? null : rounded(values.reduce((sum, value) => sum + value, 0) / values.length / unit)
}

/** None for a class of which no answer says how long its prompt was. */
function computedOf(name: string, records: readonly RequestRecord[], prompts: PromptWork): [string, number][] {
  const tokens = records.flatMap((record) =>
    record.class === name && record.status === 'ok' ? (prompts.computed(record) ?? []) : [],
  )
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

type Sample = { atUs: number; value: number }

/** One number of each replica's gauge, added up; null where a replica does not tell. */
function gaugeOf(
  { dialect, timeline, facts }: PointView,
  name: 'running' | 'waiting',
  of: (samples: readonly Sample[], replica: number) => number | null,
): number | null {
  const source = dialect.metrics?.sources[name]
  if (!source || timeline.scrapes.length === 0) return null
  let sum = 0
  for (const [replica, scrapes] of timeline.scrapes.entries()) {
    const samples = scrapes
      .filter(({ atUs }) => atUs >= 0 && atUs <= facts.arrivalUs)
      .flatMap(({ atUs, values }) => {
        const value = readMetric(values, source)
        return value === null ? [] : [{ atUs, value }]
      })
    const value = of(samples, replica)
    if (value === null) return null
    sum += value
  }
  return sum
}
