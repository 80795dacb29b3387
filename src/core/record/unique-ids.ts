/**
 * The ids of a cohort, each once. While they ascend, the last one is all that has to be looked at: a set of a million strings costs as
 * much time as half the parsing. Ascending means by length, then by text, so that counters do, padded or not.
 */
export class UniqueIds {
  readonly all: string[] = []
  #last = ''
  #seen: Set<string> | null = null

  /** Whether the id is new; only then is it taken. */
  add(id: string): boolean {
    if (this.#seen === null && this.all.length > 0 && !isAfter(id, this.#last)) this.#seen = new Set(this.all)
    if (this.#seen?.has(id)) return false
    this.#seen?.add(id)
    this.all.push(id)
    this.#last = id
    return true
  }
}

function isAfter(id: string, last: string): boolean {
  return id.length === last.length ? id > last : id.length > last.length
}
