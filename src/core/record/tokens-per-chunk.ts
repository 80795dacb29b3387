/** Chunks of so many tokens or more stand in the last bin. */
const LARGEST = 1024

/** How often chunks came with each number of tokens: what a gap between chunks says of a token's time hangs on it. */
export class TokensPerChunk {
  /** By tokens; the first bin is the chunks whose engine did not say. */
  readonly #bins = new Float64Array(LARGEST + 1)
  #tokens = 0
  #max = 0

  /** Chunks whose tokens neither ids nor continuous usage tell: not one, and not none. */
  get unknown(): number {
    return this.#bins[0] ?? 0
  }

  /** Chunks whose tokens are known. */
  get known(): number {
    return this.#bins.subarray(1).reduce((sum, count) => sum + count, 0)
  }

  /** The tokens of the known chunks together: exact. */
  get tokens(): number {
    return this.#tokens
  }

  /** The most tokens of a chunk: exact; 0 where none is known. */
  get max(): number {
    return this.#max
  }

  /** One chunk's tokens; 0 where they are unknown. */
  add(tokens: number): void {
    const bin = Math.min(tokens, LARGEST)
    this.#bins[bin] = (this.#bins[bin] ?? 0) + 1
    this.#tokens += tokens
    if (tokens > this.#max) this.#max = tokens
  }

  /** Nearest rank over the known chunks, in tokens; null where there is none. */
  percentile(probability: number): number | null {
    const { known } = this
    if (known === 0) return null
    const rank = Math.max(1, Math.ceil(probability * known))
    let below = 0
    for (let tokens = 1; tokens < LARGEST; tokens++) {
      below += this.#bins[tokens] ?? 0
      if (below >= rank) return tokens
    }
    return this.#max
  }

  /** The known chunks' bins that hold something, as [tokens, chunks]; 1,024 stands for itself and more. */
  bins(): [tokens: number, chunks: number][] {
    const held: [number, number][] = []
    this.#bins.forEach((count, tokens) => {
      if (count > 0 && tokens > 0) held.push([tokens, count])
    })
    return held
  }

  /** What `bins` and the rest were read from; null where they do not fit together. */
  static from(stored: StoredTokensPerChunk): TokensPerChunk | null {
    const read = new TokensPerChunk()
    read.#bins[0] = stored.unknown
    let least = 0
    for (const [tokens, chunks] of stored.bins) {
      if (tokens < 1 || tokens > LARGEST) return null
      read.#bins[tokens] = (read.#bins[tokens] ?? 0) + chunks
      least += tokens * chunks
    }
    read.#tokens = stored.tokens
    read.#max = stored.max
    const top = stored.bins.reduce((most, [tokens, chunks]) => (chunks > 0 ? Math.max(most, tokens) : most), 0)
    const isExact = top < LARGEST
    if (Math.min(stored.max, LARGEST) !== top) return null
    return isExact ? (stored.tokens === least ? read : null) : stored.tokens >= least ? read : null
  }
}

export interface StoredTokensPerChunk {
  unknown: number
  tokens: number
  max: number
  bins: readonly (readonly [number, number])[]
}
