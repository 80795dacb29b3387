/** A class of requests, of the trace's own or suggested. */
export interface ClassProfile {
  name: string
  requests: number
  /** Of all requests. */
  share: number
  inputTokens: LengthRange
  outputTokens: LengthRange
}

export interface LengthRange {
  /** The mean, to the whole token: classes of that length carry the trace's load. */
  mean: number
  from: number
  to: number
}

/** More classes than a manifest would have. */
const MOST_NAMES = 32

interface Totals {
  requests: number
  input: { sum: number; from: number; to: number }
  output: { sum: number; from: number; to: number }
}

/** The classes that a trace itself names; none where a request has none, or where they are too many to be classes. */
export class NamedClasses {
  readonly #totals = new Map<string, Totals>()
  #isUsable = true

  add(name: string | null, inputTokens: number, outputTokens: number): void {
    if (!this.#isUsable) return
    if (name === null || (this.#totals.size === MOST_NAMES && !this.#totals.has(name))) {
      this.#isUsable = false
      this.#totals.clear()
      return
    }
    let totals = this.#totals.get(name)
    if (totals === undefined) {
      const empty = { sum: 0, from: Infinity, to: 0 }
      totals = { requests: 0, input: { ...empty }, output: { ...empty } }
      this.#totals.set(name, totals)
    }
    totals.requests++
    widen(totals.input, inputTokens)
    widen(totals.output, outputTokens)
  }

  /** The largest class first. */
  profiles(): ClassProfile[] {
    const all = [...this.#totals.values()].reduce((sum, { requests }) => sum + requests, 0)
    return [...this.#totals]
      .map(([name, { requests, input, output }]) => ({
        name,
        requests,
        share: requests / all,
        inputTokens: { mean: Math.round(input.sum / requests), from: input.from, to: input.to },
        outputTokens: { mean: Math.round(output.sum / requests), from: output.from, to: output.to },
      }))
      .sort((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1))
  }
}

function widen(range: Totals['input'], tokens: number): void {
  range.sum += tokens
  if (tokens < range.from) range.from = tokens
  if (tokens > range.to) range.to = tokens
}
