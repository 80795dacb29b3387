import { dialectFor } from '../dialect/choose.ts'
import type { Load } from '../kernel/point.ts'
import type { Manifest, WorkloadClass } from '../manifest/schema.ts'
import { DEFAULT_TOKEN_RANGE } from '../schedule/prompt.ts'

export interface NeededClass {
  name: string
  /** Its share as an integer weight. */
  weight: number
  /** Tokens of its mean prompt, history included. */
  inputTokens: number
  outputTokens: number
}

/** What the client must carry: the bytes that it sends and reads are a function of this alone. */
export interface CalibrationNeed {
  dialect: string
  endpoint: 'completions' | 'chat'
  prompt: 'token_ids' | 'text'
  tokenRange: readonly [number, number]
  milliRps: number
  classes: readonly NeededClass[]
}

/** Of no manifest: prompts of 256 token ids, answers of 64 tokens. */
export const PLAIN_NEED: Omit<CalibrationNeed, 'milliRps'> = {
  dialect: 'vllm',
  endpoint: 'completions',
  prompt: 'token_ids',
  tokenRange: DEFAULT_TOKEN_RANGE,
  classes: [{ name: 'plain', weight: 1, inputTokens: 256, outputTokens: 64 }],
}

/** The load of a manifest at a rate, as the client meets it. */
export function calibrationNeed(manifest: Manifest, milliRps: number): CalibrationNeed {
  const { client, model } = manifest
  return {
    dialect: dialectFor(manifest).id,
    endpoint: client.endpoint,
    prompt: client.prompt,
    tokenRange: model.prompt_token_ids ?? DEFAULT_TOKEN_RANGE,
    milliRps,
    classes: neededClasses(manifest),
  }
}

/** By the schedule's counts; by their shares in a manifest that plans none. */
function neededClasses({ client, workload }: Pick<Manifest, 'client' | 'workload'>): NeededClass[] {
  const counts = client.class_schedule_counts
  const countOf = (name: string): number => (Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0)
  const isPlanned = workload.some(({ name }) => countOf(name) > 0)
  return workload
    .map((entry) => ({
      name: entry.name,
      weight: isPlanned ? countOf(entry.name) : Math.max(1, Math.round(entry.mix * 10_000)),
      inputTokens: meanInputTokens(entry),
      outputTokens: entry.output_tokens,
    }))
    .filter(({ weight }) => weight > 0)
}

/** Of a session the mean over its turns, each of which carries the ones before it. */
function meanInputTokens({ input_tokens: input, output_tokens: output, session }: WorkloadClass): number {
  return session === undefined ? input : Math.ceil((input * (session.turns + 1) + output * (session.turns - 1)) / 2)
}

/** Mean of a class's number over the requests. */
export function meanOver(classes: readonly NeededClass[], value: (entry: NeededClass) => number): number {
  const weights = classes.reduce((sum, { weight }) => sum + weight, 0)
  return classes.reduce((sum, entry) => sum + entry.weight * value(entry), 0) / Math.max(1, weights)
}

/** Token-bearing events a second: the rate times the mean output tokens. */
export function neededEventsPerSecond({ milliRps, classes }: CalibrationNeed): number {
  return (milliRps / 1000) * meanOver(classes, ({ outputTokens }) => outputTokens)
}

/** Rates are calibrated at the next of these steps, so that a calibration serves rates close to each other. */
const RATE_STEP = 1.25

/** The same need at the next higher step of rates. */
export function roundedNeed(need: CalibrationNeed): CalibrationNeed {
  let milliRps = 1
  while (milliRps < need.milliRps) milliRps = Math.ceil(milliRps * RATE_STEP)
  return { ...need, milliRps }
}

/** The need of one point. */
export function pointNeed(manifest: Manifest, load: Load): CalibrationNeed {
  const milliRps = 'openMilliRps' in load ? load.openMilliRps : closedLoopMilliRps(manifest, load.closedConcurrency)
  return calibrationNeed(manifest, milliRps)
}

/**
 * The rate of a closed loop, which has none of its own, in milli-requests a second: that of an engine which answers in half of what
 * the cutoffs allow.
 */
function closedLoopMilliRps(manifest: Manifest, concurrency: number): number {
  return Math.max(1, Math.ceil((concurrency * 1e6) / (Math.max(1, meanAdmissibleMs(manifest)) / 2)))
}

/** Of the schedule's requests the mean of the longest that each may take within its cutoffs. */
export function meanAdmissibleMs(manifest: Pick<Manifest, 'client' | 'workload'>): number {
  const allowedMs = new Map(manifest.workload.map((entry) => [entry.name, admissibleMs(entry)]))
  return meanOver(neededClasses(manifest), ({ name }) => allowedMs.get(name) ?? 0)
}

/** The longest that a request of a class may take within its cutoffs. */
export function admissibleMs(entry: WorkloadClass): number {
  const ms = entry.request_ttft_cutoff_ms + entry.request_tpot_cutoff_ms * (entry.output_tokens - 1)
  return Math.min(ms, entry.request_e2e_cutoff_ms ?? ms)
}
