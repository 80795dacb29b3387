import { EXIT, GateError } from '../kernel/errors.ts'
import { sha256Hex } from '../kernel/hash.ts'
import type { Cache } from '../kernel/point.ts'
import { MOST_REQUESTS } from '../manifest/rules/samples.ts'
import type { Manifest } from '../manifest/schema.ts'
import { arrivalLaw } from './arrival-law.ts'
import { cohortOffsets } from './arrival-times.ts'
import { type ClassShape, shuffledMix } from './class-mix.ts'
import { type Dataset, textPools } from './dataset.ts'
import { drawRows } from './draw-rows.ts'
import { zipfWeights } from './popularity.ts'
import { DEFAULT_TOKEN_RANGE, WORD_RANGE } from './prompt.ts'
import { randomStream } from './random.ts'
import { freezeSchedule } from './schedule-bytes.ts'
import { requestId, type Schedule, type ScheduleHeader, type SchedulePrefix } from './schedule.ts'
import { requireTraceCounts, traceMix } from './trace-mix.ts'
import type { TraceRow } from './trace/trace-row.ts'
import { traceToUnitRate } from './trace/unit-rate.ts'
import { uniqueTokens } from './unique-tokens.ts'

function invalid(code: string, message: string, hint: string): GateError {
  return new GateError({ code, message, hint, exitCode: EXIT.invalid })
}

function classShapes(manifest: Manifest, dataset: Dataset | undefined): ClassShape[] {
  const counts = manifest.client.class_schedule_counts
  const poolOf = dataset && textPools(dataset)
  const shapes = manifest.workload.map(({ name, input_tokens, output_tokens, session }): ClassShape => {
    const { turns = 0, concurrent = 0, think_seconds = 0 } = session ?? {}
    return {
      name,
      inputTokens: input_tokens,
      outputTokens: output_tokens,
      weight: Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0,
      ...(session ? { session: { turns, concurrent, thinkUs: Math.round(think_seconds * 1e6) } } : {}),
      ...(poolOf ? { texts: poolOf(name) } : {}),
    }
  })
  const names = new Set(shapes.map((shape) => shape.name))
  const stranger = Object.keys(counts).find((name) => !names.has(name))
  const sum = shapes.reduce((total, shape) => total + shape.weight, 0)
  if (stranger !== undefined || names.size !== shapes.length || sum !== manifest.client.initial_scheduled_requests) {
    throw invalid(
      'schedule_counts',
      stranger === undefined
        ? `client.class_schedule_counts gives ${sum} requests, client.initial_scheduled_requests ${manifest.client.initial_scheduled_requests}`
        : `client.class_schedule_counts names the class ${stranger}, which the workload does not have`,
      'give each class of the workload its count, so that the counts sum to client.initial_scheduled_requests',
    )
  }
  return shapes
}

/** Every prompt needs tokens of its own beside its prefix: refused here, before anything is sent. */
function checkLengths(manifest: Manifest, shapes: readonly ClassShape[], prefixTokens: number): void {
  const isText = manifest.client.prompt === 'text'
  const own = uniqueTokens(isText ? WORD_RANGE : (manifest.model.prompt_token_ids ?? DEFAULT_TOKEN_RANGE))
  const short = shapes.find((shape) => shape.inputTokens < prefixTokens + own)
  if (short) {
    throw invalid(
      'prompt_too_short',
      `class ${short.name} has ${short.inputTokens} input tokens: fewer than a prefix of ${prefixTokens} and ${own} of its own`,
      'lengthen the class (of a trace: take such rows out), or shorten cache.warm.tokens, which count inside input_tokens',
    )
  }
}

function warmPrefixes(manifest: Manifest): SchedulePrefix[] {
  const warm = manifest.cache?.warm
  if (!warm) {
    throw invalid(
      'cache_state_not_declared',
      'a warm schedule was asked for, but the manifest has no cache.warm',
      'declare cache.warm (prefix_set, count, tokens, hit_rate_min), or ask for the cold schedule',
    )
  }
  const weights =
    warm.law === 'zipf' ? zipfWeights(warm.count, warm.exponent) : Array.from({ length: warm.count }, () => 1)
  return weights.map((weight, index) => ({ id: requestId('p', index + 1), tokens: warm.tokens, weight }))
}

interface Sizes {
  initial: number
  extension: number
  block: number
}

/** Without `requests`, what the manifest commits to. With it, that many rows in all: fewer initial ones, or extension rows. */
export function scheduleSizes(manifest: Manifest, requests: number | undefined): Sizes {
  const { initial_scheduled_requests: initial, extension_requests: block, extension_blocks: blocks } = manifest.client
  if (requests === undefined) return { initial, extension: block * blocks, block }
  if (!Number.isSafeInteger(requests) || requests < 1) {
    throw new GateError({
      code: 'usage',
      message: `${requests} is no number of requests`,
      hint: 'give a whole number from 1 on',
      exitCode: EXIT.usage,
    })
  }
  const extension = Math.max(0, requests - initial)
  return { initial: Math.min(requests, initial), extension, block: extension === 0 ? 0 : block || extension }
}

/** The rows of each segment: the initial ones, then each block, of which the last may be cut. */
function segmentsOf({ initial, extension, block }: Sizes): number[] {
  const segments = [initial]
  for (let start = 0; start < extension; start += block) segments.push(Math.min(block, extension - start))
  return segments
}

export interface ScheduleOptions {
  /** That many rows in all. */
  requests?: number
  /** The trace's rows, where arrivals are a trace's: at least as many as the schedule has. */
  trace?: readonly TraceRow[]
  /** The texts, where prompts are made of a dataset. */
  dataset?: Dataset
}

/**
 * The frozen schedule of one cache state: exact class counts shuffled by the seed, arrivals at one request a second so that one
 * schedule serves every rate, and the committed extension blocks, each with its own exact counts. Cold and warm share classes and
 * arrivals; a warm row carries a prefix drawn by the popularity law. Rows that are there do not change when blocks are added.
 *
 * With `requests` there are exactly that many rows: up to the manifest's initial number, proportional counts; beyond, extension rows.
 * A trace gives classes, lengths and arrivals by its first rows; the seed then draws the rest.
 *
 * @throws GateError `schedule_counts`, `cache_state_not_declared`, `prompt_too_short`, `zipf_exponent`, `too_many_requests`,
 * `arrival_pattern`, and of `traceMix` and `requireTraceCounts` (exit 4)
 */
export function buildSchedule(
  manifest: Manifest,
  cache: Cache,
  options: ScheduleOptions = {},
): { schedule: Schedule; bytes: Uint8Array } {
  const classes = classShapes(manifest, options.dataset)
  const sizes = scheduleSizes(manifest, options.requests)
  const { initial, extension } = sizes
  if (initial + extension > MOST_REQUESTS) {
    throw invalid(
      'too_many_requests',
      `${initial + extension} requests are asked for`,
      `ask for at most ${MOST_REQUESTS}`,
    )
  }
  const { requests, dataset } = options
  const header = scheduleHeader(manifest, cache, {
    ...(requests === undefined ? {} : { requests }),
    ...(dataset ? { texts: dataset.texts.length } : {}),
  })
  const { seed, prefixes } = header
  const { mix, offsetsUs } =
    header.generator === 'trace-1'
      ? traceArrivals(manifest, sizes, options)
      : seededArrivals(header, classes, segmentsOf(sizes))
  checkLengths(manifest, header.generator === 'trace-1' ? mix : classes, prefixes[0]?.tokens ?? 0)
  return freezeSchedule(header, drawRows({ header, kind: 'r', seed, mix, offsetsUs, cancellation: planned(manifest) }))
}

/** What a schedule's first line says: a function of the manifest and, of a dataset, of how many texts it has. */
export function scheduleHeader(
  manifest: Manifest,
  cache: Cache,
  { requests, texts }: { requests?: number; texts?: number } = {},
): ScheduleHeader {
  const { request_schedule_seed: seed, dataset } = manifest.client
  const { initial, extension, block } = scheduleSizes(manifest, requests)
  const isWarm = cache === 'warm'
  const prefixes = isWarm ? warmPrefixes(manifest) : []
  return {
    version: 1,
    cache,
    ...arrivalLaw(manifest),
    seed,
    initialRequests: initial,
    extensionRequests: extension,
    blockRequests: block,
    warmupSeed: Number.parseInt(sha256Hex(`schedule-1 warm-up of ${seed}`).slice(0, 8), 16),
    ...(isWarm && manifest.cache?.warm ? { prefixSet: manifest.cache.warm.prefix_set } : {}),
    prefixes,
    ...(dataset && texts !== undefined ? { dataset: { sha256: dataset.sha256, texts } } : {}),
  }
}

interface Arrivals {
  mix: ClassShape[]
  offsetsUs: number[]
}

function seededArrivals(header: ScheduleHeader, classes: readonly ClassShape[], segments: readonly number[]): Arrivals {
  const mix = segments.flatMap((rows, number) =>
    shuffledMix(classes, rows, randomStream(`schedule-1 ${header.seed} classes ${number}`)),
  )
  return { mix, offsetsUs: cohortOffsets(header, segments, randomStream(`schedule-1 ${header.seed} arrivals`)) }
}

function traceArrivals(manifest: Manifest, { initial, extension }: Sizes, options: ScheduleOptions): Arrivals {
  if (!options.trace) throw new Error('the schedule of a trace was asked for without its rows')
  const rows = options.trace.slice(0, initial + extension)
  const mix = traceMix(manifest, rows, initial + extension)
  // Fewer requests than the manifest commits to have no counts to hold to.
  if (initial === manifest.client.initial_scheduled_requests) requireTraceCounts(manifest, mix.slice(0, initial))
  return { mix, offsetsUs: traceToUnitRate(rows, initial) }
}

function planned({ client }: Manifest): { share: number; afterTokens: number } | null {
  if (client.cancellation === 'none') return null
  return { share: client.cancellation.share, afterTokens: client.cancellation.after_tokens }
}
