/** The places of a closed loop that are empty, or will be: when each may be taken, the first one first. */
export class Slots {
  readonly #thinkUs: number
  readonly #freeUs: number[]

  /** All free from `freeUs` on. */
  constructor(count: number, freeUs: number, thinkUs: number) {
    this.#thinkUs = thinkUs
    this.#freeUs = Array.from({ length: count }, () => freeUs)
  }

  /** When the first one may be taken; Infinity while every request of every place runs. */
  get firstUs(): number {
    return this.#freeUs[0] ?? Infinity
  }

  take(): void {
    this.#freeUs.shift()
  }

  /** A place's request ended: it stays empty for the think time. */
  ended(endUs: number): void {
    const freeUs = endUs + this.#thinkUs
    let index = this.#freeUs.length
    while (index > 0 && (this.#freeUs[index - 1] ?? 0) > freeUs) index -= 1
    this.#freeUs.splice(index, 0, freeUs)
  }
}
