import type { TextValues } from './table.ts'

/** Growing doubles it by `transfer`, which frees the old memory at once instead of at the next collection. */
const FIRST_CAPACITY = 1024

/** Doubles, appended one by one: eight bytes a row. */
export class FloatColumn {
  /** The value appended last. */
  last = Number.NaN
  #data = new Float64Array(FIRST_CAPACITY)
  #length = 0

  push(value: number): void {
    if (this.#length === this.#data.length) {
      this.#data = new Float64Array(this.#data.buffer.transfer(this.#data.byteLength * 2))
    }
    this.#data[this.#length++] = value
    this.last = value
  }

  values(): Float64Array {
    return this.#data.subarray(0, this.#length)
  }
}

/** 32-bit integers, appended one by one. */
export class IntColumn {
  #data = new Int32Array(FIRST_CAPACITY)
  #length = 0

  push(value: number): void {
    if (this.#length === this.#data.length) {
      this.#data = new Int32Array(this.#data.buffer.transfer(this.#data.byteLength * 2))
    }
    this.#data[this.#length++] = value
  }

  values(): Int32Array {
    return this.#data.subarray(0, this.#length)
  }
}

/** Texts, each kept once. */
export class TextColumn {
  readonly #index = new IntColumn()
  readonly #seen = new Map<string, number>()
  readonly #texts: string[] = []

  /** How many differ. */
  get distinct(): number {
    return this.#texts.length
  }

  push(text: string | null): void {
    if (text === null) {
      this.#index.push(-1)
      return
    }
    let at = this.#seen.get(text)
    if (at === undefined) {
      at = this.#texts.length
      this.#texts.push(text)
      this.#seen.set(text, at)
    }
    this.#index.push(at)
  }

  values(): TextValues {
    return { index: this.#index.values(), texts: this.#texts }
  }
}
