import { quoted, refusal } from '../refusal.ts'

/** A JSON object of another tool's file, read field by field; whatever is not of the kind that the format has is refused by its place. */
export class SourceObject {
  readonly file: string
  readonly place: string
  readonly #value: Readonly<Record<string, unknown>>

  /** @throws GateError `import_shape` where the value is no object. */
  constructor(file: string, place: string, value: unknown) {
    this.file = file
    this.place = place
    if (!isObject(value)) throw this.refuse('import_shape', 'is no JSON object')
    this.#value = value
  }

  has(name: string): boolean {
    return this.#get(name) !== null
  }

  /** A part that is an object; null where it is missing or null. */
  part(name: string): SourceObject | null {
    const value = this.#get(name)
    return value === null ? null : new SourceObject(this.file, `${this.place}, ${name}`, value)
  }

  text(name: string): string | null {
    const value = this.#get(name)
    if (value === null || typeof value === 'string') return value
    throw this.#wrong(name, value, 'is no text')
  }

  flag(name: string): boolean | null {
    const value = this.#get(name)
    if (value === null || typeof value === 'boolean') return value
    throw this.#wrong(name, value, 'is neither true nor false')
  }

  /** A finite number; what JSON cannot say (NaN, Infinity) was read as null. */
  number(name: string): number | null {
    const value = this.#get(name)
    if (value === null || (typeof value === 'number' && Number.isFinite(value))) return value
    throw this.#wrong(name, value, 'is no number')
  }

  /** A whole number from 0 up: tokens, chunks. A number like 128.0 is one. */
  count(name: string): number | null {
    return asCount(this.number(name), (value) => this.#wrong(name, value, 'is no whole number from 0 up'))
  }

  list(name: string): readonly unknown[] | null {
    const value = this.#get(name)
    if (value === null || Array.isArray(value)) return value
    throw this.#wrong(name, value, 'is no list')
  }

  refuse(code: string, what: string, hint = 'hand in the file as the tool wrote it') {
    return refusal(this.file, { code, what: `${this.place} ${what}`, hint })
  }

  #get(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? (this.#value[name] ?? null) : null
  }

  #wrong(name: string, value: unknown, what: string) {
    return this.refuse('import_shape', `has a ${name} that ${what}: ${shown(value)}`)
  }
}

/** A whole number from 0 up, or null. */
export function asCount(value: number | null, refuse: (value: number) => Error): number | null {
  if (value === null || (Number.isInteger(value) && value >= 0 && value <= 0x7fff_ffff)) return value
  throw refuse(value)
}

/** A JSON object, no list and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value of a hostile file for a message: a list or an object only by its kind, since one may be nested deeper than a stack goes. */
export function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return quoted(String(value))
  return Array.isArray(value) ? 'a list' : 'an object'
}
