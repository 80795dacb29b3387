import { LogHistogram, type Spread } from './log-bins.ts'
import { SpatialSample } from './spatial-sample.ts'

/** Blocks that are watched at most; of a trace with more of them, a sample. */
const MOST_BLOCKS = 262_144
/** Places in the order of use before it is renumbered. */
const PLACES_A_BLOCK = 4

interface CacheSize {
  blocks: number
  /** Share of all blocks of prompts that a cache of that size, least recently used blocks evicted first, would have held. */
  hitShare: number
}

export interface ReuseProfile {
  /** Requests that name blocks. */
  requests: number
  /** Blocks of all their prompts. */
  blocks: number
  distinctBlocks: number
  meanTokensPerBlock: number
  /** The share that a cache without end would have held: the most that prefix reuse can give. */
  unlimitedHitShare: number
  cacheSizes: CacheSize[]
  /** Other blocks used since the same one's last use, of blocks that were used before. */
  distance: Spread | null
  /** One block in so many was watched: 1 is an exact count. */
  sampledOneIn: number
}

/**
 * LRU stack distances over the blocks of prompts, in one pass and bounded memory. All of a request's blocks are looked up before any is
 * touched, and touched from the last to the first, as engines free them: so a block is never evicted before those that build on it, and
 * what a cache holds of a prompt is always a prefix of it.
 */
export class ReuseDistance {
  readonly #most: number
  readonly #sample = new SpatialSample()
  readonly #placeOf = new Map<number, number>()
  readonly #distances = new LogHistogram(3)
  #order: RecencyOrder | null = null
  #requests = 0
  #blocks = 0
  #tokens = 0
  #firstUses = 0
  #distinct = 0
  #watchedUses = 0

  constructor(most: number = MOST_BLOCKS) {
    this.#most = most
  }

  /** Blocks that are kept: never more than the bound. */
  get watched(): number {
    return this.#placeOf.size
  }

  add(blocks: readonly number[], inputTokens: number): void {
    this.#requests++
    this.#blocks += blocks.length
    this.#tokens += inputTokens
    const watched = blocks.filter((block) => this.#sample.has(block))
    for (const block of watched) this.#lookUp(block)
    for (const block of watched.toReversed()) this.#touch(block)
  }

  #lookUp(block: number): void {
    const { weight } = this.#sample
    this.#watchedUses += weight
    const place = this.#placeOf.get(block)
    if (place === undefined) this.#firstUses += weight
    else this.#distances.add((this.#order?.after(place) ?? 0) * weight, weight)
  }

  #touch(block: number): void {
    // Halved since it was chosen.
    if (!this.#sample.has(block)) return
    this.#order ??= new RecencyOrder(this.#most * PLACES_A_BLOCK)
    const place = this.#placeOf.get(block)
    if (place !== undefined) this.#order.leave(place)
    else this.#distinct += this.#sample.weight
    if (this.#order.isFull) this.#renumber(this.#order)
    this.#placeOf.set(block, this.#order.take(block))
    while (this.#placeOf.size > this.#most) this.#thin(this.#order)
  }

  #renumber(order: RecencyOrder): void {
    const blocks = order.restart()
    for (const block of blocks) this.#placeOf.set(block, order.take(block))
  }

  #thin(order: RecencyOrder): void {
    this.#sample.halve()
    for (const [block, place] of this.#placeOf) {
      if (this.#sample.has(block)) continue
      order.leave(place)
      this.#placeOf.delete(block)
    }
  }

  /** Null where no request names blocks. */
  profile(): ReuseProfile | null {
    if (this.#blocks === 0) return null
    // A sample holds too many or too few of the blocks that all prompts share: what it misses or doubles is theirs, at the shortest
    // distances (SHARDS-adj).
    const missed = this.#blocks - this.#watchedUses
    const share = (hits: number) => Math.min(1, Math.max(0, hits + missed) / this.#blocks)
    const distinct = this.#distinct
    return {
      requests: this.#requests,
      blocks: this.#blocks,
      distinctBlocks: distinct,
      meanTokensPerBlock: this.#tokens / this.#blocks,
      unlimitedHitShare: share(this.#watchedUses - this.#firstUses),
      cacheSizes: cacheSizes(distinct, this.#sample.weight).map((blocks) => ({
        blocks,
        hitShare: share(this.#distances.weightBelow(blocks)),
      })),
      distance: this.#distances.spread(),
      sampledOneIn: this.#sample.weight,
    }
  }
}

/** Powers of four, from what a sample still tells up to what holds all blocks: at most eight, the largest of them. */
function cacheSizes(distinct: number, sampledOneIn: number): number[] {
  const sizes: number[] = []
  for (let size = 64; size < distinct; size *= 4) if (size >= 64 * sampledOneIn) sizes.push(size)
  return sizes.slice(-8)
}

/** Places in the order of last use, and how many of those after one are taken: a Fenwick tree. */
class RecencyOrder {
  readonly #blocks: Float64Array
  readonly #tree: Int32Array
  #next = 0
  #taken = 0

  constructor(places: number) {
    this.#blocks = new Float64Array(places).fill(-1)
    this.#tree = new Int32Array(places + 1)
  }

  get isFull(): boolean {
    return this.#next === this.#blocks.length
  }

  take(block: number): number {
    const place = this.#next++
    this.#blocks[place] = block
    this.#change(place, 1)
    return place
  }

  leave(place: number): void {
    this.#blocks[place] = -1
    this.#change(place, -1)
  }

  /** Taken places after one. */
  after(place: number): number {
    let upTo = 0
    for (let node = place + 1; node > 0; node -= node & -node) upTo += this.#tree[node] ?? 0
    return this.#taken - upTo
  }

  /** Empties it; the blocks that were in it, in order. */
  restart(): Float64Array {
    const blocks = this.#blocks.filter((block) => block >= 0)
    this.#blocks.fill(-1)
    this.#tree.fill(0)
    this.#next = 0
    this.#taken = 0
    return blocks
  }

  #change(place: number, by: number): void {
    this.#taken += by
    for (let node = place + 1; node < this.#tree.length; node += node & -node) {
      this.#tree[node] = (this.#tree[node] ?? 0) + by
    }
  }
}
