import { parseDecimal } from './decimal.ts'
import { unguardFormula } from './formula-guard.ts'
import { FloatColumn, IntColumn, TextColumn } from './growing-column.ts'
import type { Cells, Header, ReferenceColumn } from './header.ts'
import { tpotNs } from './latency.ts'
import type { CohortTable } from './table.ts'

const requiredTimes = ['due_us', 'sent_us', 'first_token_us', 'last_token_us', 'end_us'] as const
const times = [...requiredTimes, 'first_content_us', 'handed_us'] as const
const counts = ['input_tokens', 'cached_tokens', 'chunks', 'http_status', 'replica', 'turn'] as const
const gaps = ['gap_p50_ms', 'gap_p95_ms', 'gap_max_ms'] as const
const texts = ['finish_reason', 'error_code', 'session'] as const
const neverEmpty: ReadonlySet<string> = new Set(['due_us', 'end_us', 'chunks'])
const ORIGIN = /^[A-Za-z0-9._+-]+(\/[A-Za-z0-9._+-]+)?$/

const columnsOf = <Name extends string, Column>(names: readonly Name[], make: () => Column) =>
  Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, Column>

/** Columns that no figure of the analyzer comes from. */
const notAnalyzed: ReadonlySet<string> = new Set([
  'first_content_us',
  'handed_us',
  'chunks',
  'replica',
  'turn',
  ...gaps,
  'finish_reason',
  'session',
])

/** Which columns stay in memory; every cell is read and held to its grammar all the same. */
export type KeptColumns = 'all' | 'analyzed'

/** The columns beyond the reference's seven. A file has them where it has the five of microseconds; without, they stay empty. */
export class OwnColumns {
  readonly hasTimes: boolean
  /** Of the first row; null where the file has no such column. */
  #origin: string | null = null
  readonly #originAt: number
  readonly #header: Header
  readonly #kept: KeptColumns
  readonly #times = columnsOf(times, () => new FloatColumn())
  readonly #counts = columnsOf(counts, () => new IntColumn())
  readonly #gaps = columnsOf(gaps, () => new FloatColumn())
  readonly #texts = columnsOf(texts, () => new TextColumn())
  /** One for each of our columns that the file has: reads a row's cell into it. */
  readonly #readers: readonly ((cells: Cells, line: number) => void)[]
  readonly #observedAt: number
  readonly #derived: readonly (readonly [name: string, at: number])[]

  constructor(header: Header, kept: KeptColumns) {
    this.#header = header
    this.#kept = kept
    this.hasTimes = requiredTimes.every((name) => header.at(name) >= 0)
    this.#readers = this.hasTimes ? this.#makeReaders() : []
    this.#observedAt = header.at('observed_output_tokens')
    this.#originAt = header.at('origin')
    this.#derived = derivedColumns.map((name) => [name, header.at(name)] as const)
  }

  /** @throws GateError for a cell that its column's grammar does not take, or one that the microseconds contradict. */
  read(cells: Cells, line: number, isOk: boolean, outputTokens: number): void {
    if (this.#isImported) this.#readOrigin(cells, line)
    for (const read of this.#readers) read(cells, line)
    if (this.hasTimes) this.#compare(cells, line, isOk, outputTokens)
  }

  /** The output tokens that a row which is not ok got to, or −1. */
  observedTokens(cells: Cells, line: number): number {
    const at = this.#observedAt
    if (!this.hasTimes || at < 0 || cells[at] === '') return -1
    return this.#header.count('observed_output_tokens', at, cells, line)
  }

  values() {
    const dueUs = this.#times.due_us.values()
    return {
      origin: this.#origin,
      hasTimes: this.hasTimes,
      hasDue: this.hasTimes && !(this.#isImported && dueUs.some(Number.isNaN)),
      dueUs,
      handedUs: this.#times.handed_us.values(),
      sentUs: this.#times.sent_us.values(),
      firstTokenUs: this.#times.first_token_us.values(),
      firstContentUs: this.#times.first_content_us.values(),
      lastTokenUs: this.#times.last_token_us.values(),
      endUs: this.#times.end_us.values(),
      inputTokens: this.#counts.input_tokens.values(),
      cachedTokens: this.#counts.cached_tokens.values(),
      chunks: this.#counts.chunks.values(),
      gapP50Us: this.#gaps.gap_p50_ms.values(),
      gapP95Us: this.#gaps.gap_p95_ms.values(),
      gapMaxUs: this.#gaps.gap_max_ms.values(),
      httpStatus: this.#counts.http_status.values(),
      finishReason: this.#texts.finish_reason.values(),
      errorCode: this.#texts.error_code.values(),
      replica: this.#counts.replica.values(),
      session: this.#texts.session.values(),
      turn: this.#counts.turn.values(),
    } satisfies Partial<CohortTable>
  }

  get #isImported(): boolean {
    return this.#originAt >= 0
  }

  /** One file holds one tool's requests: ours and another's are never one cohort. */
  #readOrigin(cells: Cells, line: number): void {
    const cell = cells[this.#originAt] ?? ''
    if (cell === this.#origin) return
    const hint = 'hand in the file as `import` wrote it'
    if (this.#origin !== null) this.#header.refuse('csv_origin', line, 'origin', cells, `is not ${this.#origin}`, hint)
    if (cell.length > 80 || !ORIGIN.test(cell)) {
      this.#header.refuse('csv_origin', line, 'origin', cells, 'names no tool', hint)
    }
    this.#origin = cell
  }

  #makeReaders(): ((cells: Cells, line: number) => void)[] {
    const header = this.#header
    const readers: ((cells: Cells, line: number) => void)[] = []
    const forPresent = <Name extends string>(names: readonly Name[], add: (name: Name, at: number) => void) => {
      for (const name of names) if (header.at(name) >= 0) add(name, header.at(name))
    }
    const isKept = (name: string) => this.#kept === 'all' || !notAnalyzed.has(name)
    const isNothing = (name: string, cell: string | undefined) =>
      cell === '' && (this.#isImported || !neverEmpty.has(name))
    forPresent(times, (name, at) => {
      const column = this.#times[name]
      const keeps = isKept(name)
      const max = Number.MAX_SAFE_INTEGER
      readers.push((cells, line) => {
        const value = isNothing(name, cells[at]) ? Number.NaN : header.count(name, at, cells, line, max)
        if (keeps) column.push(value)
      })
    })
    forPresent(counts, (name, at) => {
      const column = this.#counts[name]
      const keeps = isKept(name)
      readers.push((cells, line) => {
        const value = isNothing(name, cells[at]) ? -1 : header.count(name, at, cells, line)
        if (keeps) column.push(value)
      })
    })
    forPresent(gaps, (name, at) => {
      const column = this.#gaps[name]
      const keeps = isKept(name)
      readers.push((cells, line) => {
        const value = cells[at] === '' ? Number.NaN : header.microseconds(name, at, cells, line)
        if (keeps) column.push(value)
      })
    })
    forPresent(texts, (name, at) => {
      const column = this.#texts[name]
      if (!isKept(name)) return
      readers.push((cells) => column.push(cells[at] ? unguardFormula(cells[at]) : null))
    })
    return readers
  }

  /** What is written in milliseconds must be what the microseconds say, to the last digit. */
  #compare(cells: Cells, line: number, isOk: boolean, outputTokens: number): void {
    const due = this.#times.due_us.last
    const sent = this.#times.sent_us.last
    const first = this.#times.first_token_us.last
    const last = this.#times.last_token_us.last
    const expected: Record<DerivedColumn, number> = {
      ttft_ms: isOk ? (first - sent) / 1000 : 0,
      tpot_ms: isOk ? tpotNs(last - first, outputTokens) / 1_000_000 : 0,
      e2e_ms: isOk ? (last - sent) / 1000 : 0,
      output_tokens: isOk ? outputTokens : 0,
      send_lag_ms: (sent - due) / 1000,
      ttft_from_due_ms: (first - due) / 1000,
      e2e_from_due_ms: (last - due) / 1000,
    }
    for (const [name, at] of this.#derived) {
      const value = expected[name as DerivedColumn]
      // Another tool may tell spans and no moments: then the reference's columns stand alone.
      if (at < 0 || (this.#isImported && Number.isNaN(value) && isReference(name))) continue
      if (!agrees(name, cells[at] ?? '', value)) this.#disagree(name, cells, line)
    }
    const observed = this.#observedAt
    if (isOk && observed >= 0 && this.observedTokens(cells, line) !== outputTokens) {
      this.#disagree('observed_output_tokens', cells, line)
    }
  }

  #disagree(name: string, cells: Cells, line: number): never {
    const hint = 'write milliseconds as they follow from the microseconds, or leave our columns out'
    return this.#header.refuse('csv_times_disagree', line, name, cells, 'disagrees with the row’s microseconds', hint)
  }
}

const referenceDerived: readonly ReferenceColumn[] = ['ttft_ms', 'tpot_ms', 'e2e_ms', 'output_tokens']
const derivedColumns = [
  'ttft_ms',
  'tpot_ms',
  'e2e_ms',
  'output_tokens',
  'send_lag_ms',
  'ttft_from_due_ms',
  'e2e_from_due_ms',
] as const
type DerivedColumn = (typeof derivedColumns)[number]

function isReference(name: string): boolean {
  return referenceDerived.includes(name as ReferenceColumn)
}

/** An empty cell says that there was nothing to measure; the reference's own columns cannot say so. */
function agrees(name: string, cell: string, expected: number): boolean {
  if (cell === '') return Number.isNaN(expected) && !isReference(name)
  return parseDecimal(cell) === expected
}
