import { z } from 'zod'
import { EXIT, GateError } from '../kernel/errors.ts'
import { TokensPerChunk } from './tokens-per-chunk.ts'

/** One hour: every longer gap falls in the last bin. */
const LARGEST_US = 3_600_000_000
const DIRECT_US = 65_536

/**
 * The lowest gap of each bin, in microseconds, ascending from 0: bins of 1 µs below 100 µs, above them of at most 1 % of their lowest
 * gap. Whole numbers only, so that the table is the same everywhere.
 */
const binFloors: readonly number[] = makeFloors()

function makeFloors(): number[] {
  const floors = [0]
  for (let floor = 1; floor < LARGEST_US; floor = Math.max(floor + 1, Math.floor((floor * 101) / 100)))
    floors.push(floor)
  floors.push(LARGEST_US)
  return floors
}

/** The bin of each gap below 65,536 µs, looked up instead of searched for: nearly all gaps between tokens are that short. */
const directBins: Uint16Array = makeDirectBins()

function makeDirectBins(): Uint16Array {
  const bins = new Uint16Array(DIRECT_US)
  let bin = 0
  for (let us = 0; us < DIRECT_US; us++) {
    if (us >= (binFloors[bin + 1] ?? Number.POSITIVE_INFINITY)) bin++
    bins[us] = bin
  }
  return bins
}

function binOf(gapUs: number): number {
  if (gapUs < DIRECT_US) return directBins[gapUs] ?? 0
  let low = 0
  let high = binFloors.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((binFloors[middle] ?? 0) <= gapUs) low = middle
    else high = middle - 1
  }
  return low
}

/** How often gaps of each length came, in bins of 1 %: what inter-token latency's percentiles come from. */
export class GapHistogram {
  readonly #bins = new Float64Array(binFloors.length)
  #count = 0
  #sumUs = 0
  #maxUs = 0

  get count(): number {
    return this.#count
  }

  /** The sum of all gaps: exact. */
  get sumUs(): number {
    return this.#sumUs
  }

  /** The largest gap: exact; 0 where there is none. */
  get maxUs(): number {
    return this.#maxUs
  }

  /** One gap between two token-bearing chunks, in whole microseconds; a fraction is dropped, a negative gap is 0. */
  add(gapUs: number): void {
    const us = Math.max(0, Math.floor(gapUs))
    const bin = binOf(us)
    this.#bins[bin] = (this.#bins[bin] ?? 0) + 1
    this.#count++
    this.#sumUs += us
    if (us > this.#maxUs) this.#maxUs = us
  }

  addAll(gapsUs: readonly number[]): void {
    for (const gapUs of gapsUs) this.add(gapUs)
  }

  merge(other: GapHistogram): void {
    other.#bins.forEach((count, bin) => {
      this.#bins[bin] = (this.#bins[bin] ?? 0) + count
    })
    this.#count += other.#count
    this.#sumUs += other.#sumUs
    if (other.#maxUs > this.#maxUs) this.#maxUs = other.#maxUs
  }

  /** Nearest rank: the middle of the bin that holds it, off by half a percent at most, and never above the largest gap. */
  percentileUs(probability: number): number | null {
    if (this.#count === 0) return null
    const rank = Math.max(1, Math.ceil(probability * this.#count))
    let below = 0
    for (let bin = 0; bin < binFloors.length; bin++) {
      below += this.#bins[bin] ?? 0
      if (below >= rank) return Math.min(this.#maxUs, middleOf(bin))
    }
    return this.#maxUs
  }

  /** The bins that hold something, as [lowest gap of the bin in µs, how many]. */
  bins(): [floorUs: number, count: number][] {
    const held: [number, number][] = []
    this.#bins.forEach((count, bin) => {
      if (count > 0) held.push([binFloors[bin] ?? 0, count])
    })
    return held
  }

  static from(stored: { sumUs: number; maxUs: number; bins: readonly (readonly [number, number])[] }): GapHistogram {
    const histogram = new GapHistogram()
    for (const [floorUs, count] of stored.bins) {
      const bin = binOf(floorUs)
      if (binFloors[bin] !== floorUs) throw damaged(`${floorUs} µs starts no bin`)
      histogram.#bins[bin] = (histogram.#bins[bin] ?? 0) + count
      histogram.#count += count
    }
    histogram.#sumUs = stored.sumUs
    histogram.#maxUs = stored.maxUs
    const top = stored.bins.findLast(([, count]) => count > 0)
    if (binOf(stored.maxUs) !== binOf(top?.[0] ?? 0)) throw damaged('the largest gap lies outside the last bin')
    return histogram
  }
}

function middleOf(bin: number): number {
  const floor = binFloors[bin] ?? 0
  const next = binFloors[bin + 1] ?? floor + 1
  return (floor + next - 1) / 2
}

/** What was observed of an answer's token-bearing chunks: one gap fewer than chunks, in microseconds; 0 tokens where they are unknown. */
export interface ChunkSeries {
  gapsUs: readonly number[]
  tokensPerChunk: readonly number[]
}

/** A class's token-bearing chunks: the gaps between them, and the tokens of each. */
export class ChunkHistograms {
  readonly gaps: GapHistogram
  readonly tokens: TokensPerChunk

  constructor(gaps = new GapHistogram(), tokens = new TokensPerChunk()) {
    this.gaps = gaps
    this.tokens = tokens
  }

  add({ gapsUs, tokensPerChunk }: ChunkSeries): void {
    this.gaps.addAll(gapsUs)
    for (const tokens of tokensPerChunk) this.tokens.add(tokens)
  }
}

/** One request's line of gaps.jsonl.gz, without its LF: every gap and the tokens of every chunk. */
export function encodeRawGaps(id: string, { gapsUs, tokensPerChunk }: ChunkSeries): string {
  return JSON.stringify({ id, gapsUs, tokensPerChunk })
}

const whole = z.int().min(0)
const bins = z.array(z.tuple([whole, whole]))

const gapsSchema = z.strictObject({
  schema: z.literal(1),
  unit: z.literal('us'),
  classes: z.record(
    z.string(),
    z.strictObject({
      count: whole,
      sumUs: whole,
      maxUs: whole,
      bins,
      tokensPerChunk: z.strictObject({ unknown: whole, tokens: whole, max: whole, bins }),
    }),
  ),
})

/**
 * gaps.json: the histograms of each class. A bin of gaps is its lowest gap in microseconds and how many it holds; one of chunks the tokens
 * of each and how many there are.
 */
export function encodeGaps(histograms: ReadonlyMap<string, ChunkHistograms>): string {
  const entries = [...histograms].sort(([a], [b]) => (a < b ? -1 : 1))
  const classes = Object.fromEntries(
    entries.map(([name, { gaps, tokens }]) => {
      const tokensPerChunk = { unknown: tokens.unknown, tokens: tokens.tokens, max: tokens.max, bins: tokens.bins() }
      return [name, { count: gaps.count, sumUs: gaps.sumUs, maxUs: gaps.maxUs, bins: gaps.bins(), tokensPerChunk }]
    }),
  )
  return `${JSON.stringify({ schema: 1, unit: 'us', classes })}\n`
}

/** @throws GateError `gaps_damaged`, exit 4, for anything that `encodeGaps` did not write. */
export function decodeGaps(text: string): Map<string, ChunkHistograms> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw damaged('it is no JSON', cause)
  }
  const parsed = gapsSchema.safeParse(json)
  if (!parsed.success) throw damaged(z.prettifyError(parsed.error).replaceAll('\n', ' '))
  return new Map(
    Object.entries(parsed.data.classes).map(([name, stored]) => {
      const gaps = GapHistogram.from(stored)
      const tokens = TokensPerChunk.from(stored.tokensPerChunk)
      if (tokens === null || gaps.count !== stored.count)
        throw damaged(`the bins of ${JSON.stringify(name)} do not add up`)
      return [name, new ChunkHistograms(gaps, tokens)]
    }),
  )
}

function damaged(what: string, cause?: unknown): GateError {
  return new GateError({
    code: 'gaps_damaged',
    message: `gaps.json: ${what}`,
    hint: 'take the file from the run that wrote it',
    exitCode: EXIT.invalid,
    ...(cause === undefined ? {} : { cause }),
  })
}
