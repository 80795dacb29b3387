import { countOf, type Json } from './wire-shape.ts'

/** What an answer's chunks tell of its output tokens: by their ids, and by usage that rises with them. */
export class TokenCount {
  readonly #risesFromZero: boolean
  readonly #keepsIds: boolean
  /** Completion tokens last reported on a chunk of that choice. */
  readonly #reported: (number | undefined)[] = []
  #reportedTotal = 0
  /** A chunk bore a token without usage: usage is not continuous, and a later number is no news of a token. */
  #hasUnreportedToken = false
  #ids: number | null = null
  #outputIds: number[] | null = null

  constructor(risesFromZero: boolean, keepsIds: boolean) {
    this.#risesFromZero = risesFromZero
    this.#keepsIds = keepsIds
  }

  /** How many output token ids came; null where the engine sent none. */
  get ids(): number | null {
    return this.#ids
  }

  /** The ids as they came, where they are kept; one that is no whole number from 0 to 2³¹ − 1 holds its place as −1. */
  get outputIds(): number[] | null {
    return this.#outputIds
  }

  /** Tokens so far: by ids, else by continuous usage, else one for each of the token-bearing chunks. */
  soFar(chunks: number): number {
    if (this.#ids !== null) return this.#ids
    const isTold = this.#reportedTotal > 0 && !this.#hasUnreportedToken
    return isTold ? this.#reportedTotal : Math.max(this.#reportedTotal, chunks)
  }

  /** Takes a part's output token ids (`token_ids`), and returns how many there are. */
  addIds(choice: Json): number {
    const ids = choice['token_ids']
    if (!Array.isArray(ids) || ids.length === 0) return 0
    this.#ids = (this.#ids ?? 0) + ids.length
    if (this.#keepsIds) {
      this.#outputIds ??= []
      for (const id of ids) this.#outputIds.push(countOf(id) ?? -1)
    }
    return ids.length
  }

  /** By how many tokens continuous usage rose with a chunk: from zero where it was asked for, else from the number before. */
  rise(completion: number | null, index: number): number {
    if (completion === null || this.#hasUnreportedToken) return 0
    const before = this.#reported[index]
    this.#reported[index] = completion
    this.#reportedTotal += completion - (before ?? 0)
    return Math.max(0, completion - (before ?? (this.#risesFromZero ? 0 : completion)))
  }

  /** A chunk that bore a token carried no usage. */
  noteUnreported(): void {
    this.#hasUnreportedToken = true
  }
}
