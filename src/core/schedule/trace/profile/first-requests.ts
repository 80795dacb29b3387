import type { ClassProfile } from './class-profile.ts'

/** As many as a schedule usually starts with: a quarter of an hour at 24 requests a second. */
const MOST = 22_000

export interface FirstRequests {
  requests: number
  /** How many of them each class has, in the order of the classes. */
  byClass: number[]
  /** From the first of them to the last: a schedule cannot be scaled to a rate where it is 0. */
  spanSeconds: number
  leastInputTokens: number
}

/** The lengths, classes and span of a trace's first requests: those that a schedule is made of. */
export class HeadOfTrace {
  readonly #inputTokens = new Float64Array(MOST)
  readonly #outputTokens = new Float64Array(MOST)
  readonly #classes: (string | null)[] = []

  #lastUs = 0
  #leastInputTokens = Infinity

  /** Times from the first request's, never back. */
  add(name: string | null, atUs: number, inputTokens: number, outputTokens: number): void {
    const at = this.#classes.length
    if (at === MOST) return
    this.#lastUs = atUs
    if (inputTokens < this.#leastInputTokens) this.#leastInputTokens = inputTokens
    this.#inputTokens[at] = inputTokens
    this.#outputTokens[at] = outputTokens
    this.#classes.push(name)
  }

  /** By the classes' names where they are the trace's own; else each request's is the first whose upper ends hold both lengths. */
  among(classes: readonly ClassProfile[], from: 'trace' | 'lengths'): FirstRequests {
    const byClass = classes.map(() => 0)
    for (const [at, name] of this.#classes.entries()) {
      const [input, output] = [this.#inputTokens[at] ?? 0, this.#outputTokens[at] ?? 0]
      const index = classes.findIndex((shape) =>
        from === 'trace' ? shape.name === name : input <= shape.inputTokens.to && output <= shape.outputTokens.to,
      )
      byClass[index] = (byClass[index] ?? 0) + 1
    }
    const [spanSeconds, leastInputTokens] = [this.#lastUs / 1_000_000, this.#leastInputTokens]
    return { requests: this.#classes.length, byClass, spanSeconds, leastInputTokens }
  }
}
