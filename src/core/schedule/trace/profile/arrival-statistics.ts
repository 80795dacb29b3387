/** What arrivals are counted in, microseconds. */
const WINDOWS_US = [100_000, 1_000_000, 10_000_000, 60_000_000, 600_000_000, 3_600_000_000]
/** Below that many windows their variance says little. */
const FEWEST_WINDOWS = 10

interface WindowStatistics {
  seconds: number
  /** Whole windows from the first request on; the one that the trace ends in is not whole. */
  windows: number
  meanRequests: number
  /** Variance of the counts over their mean: 1 for a Poisson process of any rate. */
  indexOfDispersion: number
  /** The fullest window over the mean. */
  peakOverMean: number
}

export interface ArrivalProfile {
  requests: number
  spanSeconds: number
  /** n − 1 gaps over their span. Null where all came at once. */
  meanRps: number | null
  /** The gaps' standard deviation over their mean: 1 for a Poisson process. */
  gapCv: number | null
  /** (σ − μ)/(σ + μ) of the gaps (Goh and Barabási 2008): −1 even, 0 Poisson, 1 bursty. */
  burstiness: number | null
  /** Of the gamma law of the same mean and deviation: 1/CV². Null where the gaps do not vary. */
  gammaShape: number | null
  /** Share of requests that came at the very time of the one before. */
  simultaneousShare: number
  /** Where there are at least ten. */
  windows: WindowStatistics[]
}

interface Counter {
  us: number
  current: number
  count: number
  sum: number
  squares: number
  peak: number
}

/** How requests arrive, from their times alone, in constant memory. */
export class ArrivalStatistics {
  readonly #counters: Counter[] = WINDOWS_US.map((us) => ({ us, current: 0, count: 0, sum: 0, squares: 0, peak: 0 }))
  #requests = 0
  #lastUs = 0
  #simultaneous = 0
  #gapMean = 0
  #gapSquares = 0

  /** Times from the first request's, never back. */
  add(atUs: number): void {
    if (this.#requests > 0) this.#addGap(atUs - this.#lastUs)
    this.#requests++
    this.#lastUs = atUs
    for (const counter of this.#counters) {
      const window = Math.floor(atUs / counter.us)
      if (window > counter.current) close(counter, window)
      counter.count++
    }
  }

  /** Welford's running mean and sum of squares: no sum of large squares is ever taken. */
  #addGap(gapUs: number): void {
    const delta = gapUs - this.#gapMean
    this.#gapMean += delta / this.#requests
    this.#gapSquares += delta * (gapUs - this.#gapMean)
    if (gapUs === 0) this.#simultaneous++
  }

  profile(): ArrivalProfile {
    const gaps = this.#requests - 1
    const spanSeconds = this.#lastUs / 1_000_000
    const meanRps = spanSeconds > 0 ? gaps / spanSeconds : null
    const gapCv = meanRps === null ? null : Math.sqrt(this.#gapSquares / gaps) / this.#gapMean
    return {
      requests: this.#requests,
      spanSeconds,
      meanRps,
      gapCv,
      burstiness: gapCv === null ? null : (gapCv - 1) / (gapCv + 1),
      gammaShape: gapCv === null || gapCv === 0 ? null : 1 / (gapCv * gapCv),
      simultaneousShare: this.#requests === 0 ? 0 : this.#simultaneous / this.#requests,
      windows: this.#counters.flatMap(windowStatistics),
    }
  }
}

function close(counter: Counter, next: number): void {
  counter.sum += counter.count
  counter.squares += counter.count * counter.count
  counter.peak = Math.max(counter.peak, counter.count)
  counter.count = 0
  counter.current = next
}

function windowStatistics({ us, current, sum, squares, peak }: Counter): WindowStatistics[] {
  if (current < FEWEST_WINDOWS || sum === 0) return []
  const mean = sum / current
  return [
    {
      seconds: us / 1_000_000,
      windows: current,
      meanRequests: mean,
      indexOfDispersion: (squares / current - mean * mean) / mean,
      peakOverMean: peak / mean,
    },
  ]
}
