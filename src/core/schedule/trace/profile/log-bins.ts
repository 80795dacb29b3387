/** What a bin can hold at most: larger values fall into the last one. */
const LARGEST = 0x7fff_ffff

/**
 * The bin of a whole number from 0 up, where each doubling has 2^`bits` bins of equal width: below 2^(bits+1) a bin a number, above it
 * bins of at most 2^−bits of their floor. Shifts only, so that it is the same on every machine.
 */
export function logBin(value: number, bits: number): number {
  const held = Math.min(value, LARGEST)
  const shift = Math.max(0, 31 - Math.clz32(held) - bits)
  return (shift << bits) + (held >> shift)
}

/** The lowest number of a bin. */
export function binFloor(bin: number, bits: number): number {
  const shift = Math.max(0, (bin >> bits) - 1)
  return (bin - (shift << bits)) * (1 << shift)
}

export interface Spread {
  p50: number
  p90: number
  p99: number
}

/** Quantiles of whole numbers in a fixed number of bins, with their exact number, sum, least and largest. */
export class LogHistogram {
  readonly #bits: number
  readonly #bins: Float64Array
  #weight = 0
  #sum = 0
  #least = Infinity
  #largest = 0

  /** `bits` 7: exact below 256, bins of under 1 % above. */
  constructor(bits: number) {
    this.#bits = bits
    this.#bins = new Float64Array(logBin(LARGEST, bits) + 1)
  }

  add(value: number, weight: number = 1): void {
    const bin = logBin(value, this.#bits)
    this.#bins[bin] = (this.#bins[bin] ?? 0) + weight
    this.#weight += weight
    this.#sum += value * weight
    if (value < this.#least) this.#least = value
    if (value > this.#largest) this.#largest = value
  }

  get weight(): number {
    return this.#weight
  }

  /** Null where there is nothing. */
  get mean(): number | null {
    return this.#weight === 0 ? null : this.#sum / this.#weight
  }

  get least(): number {
    return this.#least
  }

  get largest(): number {
    return this.#largest
  }

  /** What lies below `limit`, which must be a bin's floor: exact. */
  weightBelow(limit: number): number {
    const end = logBin(limit, this.#bits)
    let weight = 0
    for (let bin = 0; bin < end; bin++) weight += this.#bins[bin] ?? 0
    return weight
  }

  /** Nearest rank: the middle of the bin that holds it, within what there is. Null where there is nothing. */
  quantile(probability: number): number | null {
    if (this.#weight === 0) return null
    const rank = Math.max(Number.MIN_VALUE, probability * this.#weight)
    let below = 0
    for (let bin = 0; bin < this.#bins.length; bin++) {
      below += this.#bins[bin] ?? 0
      if (below >= rank) return this.#middle(bin)
    }
    return this.#largest
  }

  /** The usual three. Null where there is nothing. */
  spread(): Spread | null {
    const at = (probability: number) => this.quantile(probability) ?? 0
    return this.#weight === 0 ? null : { p50: at(0.5), p90: at(0.9), p99: at(0.99) }
  }

  #middle(bin: number): number {
    const [from, next] = [binFloor(bin, this.#bits), binFloor(bin + 1, this.#bits)]
    return Math.min(this.#largest, Math.max(this.#least, Math.floor((from + next - 1) / 2)))
  }
}
