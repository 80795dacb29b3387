import { EXIT, GateError } from '../kernel/errors.ts'
import { sha256Hex } from '../kernel/hash.ts'
import type { Cache } from '../kernel/point.ts'
import { MOST_REQUESTS } from '../manifest/rules/samples.ts'
import type { Manifest } from '../manifest/schema.ts'
import { nextGapUs } from './arrivals.ts'
import { type ClassShape, shuffledMix } from './class-mix.ts'
import { prefixDrawer, zipfWeights } from './popularity.ts'
import { DEFAULT_TOKEN_RANGE, WORD_RANGE } from './prompt.ts'
import { randomStream } from './random.ts'
import { freezeSchedule } from './schedule-bytes.ts'
import { requestId, type Schedule, type ScheduleHeader, type SchedulePrefix, type ScheduleRow } from './schedule.ts'
import { uniqueTokens } from './unique-tokens.ts'

function invalid(code: string, message: string, hint: string): GateError {
  return new GateError({ code, message, hint, exitCode: EXIT.invalid })
}

function classShapes(manifest: Manifest): ClassShape[] {
  const counts = manifest.client.class_schedule_counts
  const shapes = manifest.workload.map((workload) => ({
    name: workload.name,
    inputTokens: workload.input_tokens,
    outputTokens: workload.output_tokens,
    weight: Object.hasOwn(counts, workload.name) ? (counts[workload.name] ?? 0) : 0,
  }))
  const names = new Set(shapes.map((shape) => shape.name))
  const stranger = Object.keys(counts).find((name) => !names.has(name))
  const sum = shapes.reduce((total, shape) => total + shape.weight, 0)
  if (stranger !== undefined || names.size !== shapes.length || sum !== manifest.client.initial_scheduled_requests) {
    throw invalid(
      'schedule_counts',
      stranger === undefined
        ? `client.class_schedule_counts gives ${sum} requests, client.initial_scheduled_requests ${manifest.client.initial_scheduled_requests}`
        : `client.class_schedule_counts names the class ${stranger}, which the workload does not have`,
      'Give each class of the workload its count, so that the counts sum to client.initial_scheduled_requests.',
    )
  }
  return shapes
}

/** Every prompt needs tokens of its own beside its prefix: refused here, before anything is sent. */
function checkLengths(manifest: Manifest, prefixTokens: number): void {
  const isText = manifest.client.prompt === 'text'
  const own = uniqueTokens(isText ? WORD_RANGE : (manifest.model.prompt_token_ids ?? DEFAULT_TOKEN_RANGE))
  const short = manifest.workload.find((workload) => workload.input_tokens < prefixTokens + own)
  if (short) {
    throw invalid(
      'prompt_too_short',
      `class ${short.name} has ${short.input_tokens} input tokens: fewer than a prefix of ${prefixTokens} and ${own} of its own`,
      'Lengthen the class, or shorten cache.warm.tokens, which count inside input_tokens.',
    )
  }
}

function warmPrefixes(manifest: Manifest): SchedulePrefix[] {
  const warm = manifest.cache?.warm
  if (!warm) {
    throw invalid(
      'cache_state_not_declared',
      'a warm schedule was asked for, but the manifest has no cache.warm',
      'Declare cache.warm (prefix_set, count, tokens, hit_rate_min), or ask for the cold schedule.',
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
function sizes(manifest: Manifest, requests: number | undefined): Sizes {
  const { initial_scheduled_requests: initial, extension_requests: block, extension_blocks: blocks } = manifest.client
  if (requests === undefined) return { initial, extension: block * blocks, block }
  if (!Number.isSafeInteger(requests) || requests < 1) {
    throw new GateError({
      code: 'usage',
      message: `${requests} is no number of requests`,
      hint: 'Give a whole number from 1 on.',
      exitCode: EXIT.usage,
    })
  }
  const extension = Math.max(0, requests - initial)
  return { initial: Math.min(requests, initial), extension, block: extension === 0 ? 0 : block || extension }
}

/**
 * The frozen schedule of one cache state: exact class counts shuffled by the seed, arrivals at one request a second so that one
 * schedule serves every rate, and the committed extension blocks, each with its own exact counts. Cold and warm share classes and
 * arrivals; a warm row carries a prefix drawn by the popularity law. Rows that are there do not change when blocks are added.
 *
 * With `requests` there are exactly that many rows: up to the manifest's initial number, proportional counts; beyond, extension rows.
 *
 * @throws GateError `schedule_counts`, `cache_state_not_declared`, `prompt_too_short`, `zipf_exponent`, `too_many_requests` (exit 4)
 */
export function buildSchedule(
  manifest: Manifest,
  cache: Cache,
  options: { requests?: number } = {},
): { schedule: Schedule; bytes: Uint8Array } {
  const classes = classShapes(manifest)
  const seed = manifest.client.request_schedule_seed
  const { initial, extension, block } = sizes(manifest, options.requests)
  if (initial + extension > MOST_REQUESTS) {
    throw invalid('too_many_requests', `${initial + extension} requests are asked for`, `At most ${MOST_REQUESTS} fit.`)
  }
  const isWarm = cache === 'warm'
  const prefixes = isWarm ? warmPrefixes(manifest) : []
  checkLengths(manifest, prefixes[0]?.tokens ?? 0)
  const header: ScheduleHeader = {
    version: 1,
    cache,
    generator: manifest.client.arrival_pattern === 'constant' ? 'constant-1' : 'poisson-1',
    seed,
    initialRequests: initial,
    extensionRequests: extension,
    blockRequests: block,
    warmupSeed: Number.parseInt(sha256Hex(`schedule-1 warm-up of ${seed}`).slice(0, 8), 16),
    ...(isWarm && manifest.cache?.warm ? { prefixSet: manifest.cache.warm.prefix_set } : {}),
    prefixes,
  }
  const mix = shuffledMix(classes, initial, randomStream(`schedule-1 ${seed} classes 0`))
  for (let start = 0, number = 1; start < extension; start += block, number++) {
    const random = randomStream(`schedule-1 ${seed} classes ${number}`)
    for (const shape of shuffledMix(classes, Math.min(block, extension - start), random)) mix.push(shape)
  }
  return freezeSchedule(header, drawRows(mix, header, 'r', seed))
}

/** Rows for a sequence of classes: ids of one kind, arrivals and prefixes from the seed's own streams. */
export function drawRows(
  mix: readonly ClassShape[],
  header: ScheduleHeader,
  kind: string,
  seed: number,
): ScheduleRow[] {
  const arrivals = randomStream(`schedule-1 ${seed} arrivals`)
  const drawPrefix = prefixDrawer(header.prefixes, randomStream(`schedule-1 ${seed} prefixes`))
  let offsetUs = 0
  return mix.map(({ name, inputTokens, outputTokens }, index) => {
    offsetUs += nextGapUs(header.generator, arrivals)
    const prefix = drawPrefix()
    const row = { id: requestId(kind, index + 1), class: name, offsetUs, inputTokens, outputTokens }
    return prefix === undefined ? row : { ...row, prefix }
  })
}
