/** 32 well-mixed bits of a number below 2⁵³ (the finaliser of MurmurHash3 over both halves). */
export function mixNumber(value: number): number {
  const high = Math.floor(value / 0x1_0000_0000)
  // Without the constants 0, the block that every prompt shares, would hash to 0 and be in every sample.
  return finish(finish(value ^ 0x9e37_79b9) ^ Math.imul(high ^ 0x85eb_ca6b, 0x9e37_79b9))
}

/** 53 bits of a text, as a key that holds on to none of it: two of FNV-1a's hashes, mixed. */
export function textKey(text: string): number {
  let [low, high] = [0x811c_9dc5, 0x0100_0193]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    low = Math.imul(low ^ code, 0x0100_0193)
    high = Math.imul(high ^ code, 0x0101_0145)
  }
  return (finish(high) >>> 11) * 0x1_0000_0000 + (finish(low) >>> 0)
}

function finish(value: number): number {
  let mixed = value ^ (value >>> 16)
  mixed = Math.imul(mixed, 0x85eb_ca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2_ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/**
 * Which keys are watched, so that what is kept of them has a bound: all at first, then one in 2, 4, 8 …, by a hash of the key, so that a
 * key is watched in all of its occurrences or in none (SHARDS: Waldspurger and others, FAST 2015). The same on every machine.
 */
export class SpatialSample {
  #halvings = 0
  #weight = 1

  /** How many keys each watched one stands for. */
  get weight(): number {
    return this.#weight
  }

  has(key: number): boolean {
    if (this.#halvings === 0) return true
    // Keys made to share a hash must not be thinned for ever.
    return (
      this.#halvings <= 32 && (this.#halvings === 32 ? mixNumber(key) : mixNumber(key) >>> (32 - this.#halvings)) === 0
    )
  }

  halve(): void {
    this.#halvings++
    this.#weight *= 2
  }
}
