import { FloatColumn, IntColumn, TextColumn } from './growing-column.ts'
import type { Cells } from './header.ts'
import { Header } from './header.ts'
import { unguardFormula } from './formula-guard.ts'
import type { KeptColumns } from './own-columns.ts'
import { OwnColumns } from './own-columns.ts'
import type { Status } from '../stream/error-codes.ts'
import { STATUSES } from '../stream/error-codes.ts'
import { refusal } from './refusal.ts'
import type { CohortTable } from './table.ts'
import { UniqueIds } from './unique-ids.ts'

const MAX_CLASSES = 1000
const CONVENTION_TOLERANCE_MS = 0.5
const OK: Status = 'ok'

/** Rows of cells → a table. Every rule that a row alone can break, or its id among the others, is held here. */
export class RowReader {
  readonly #header: Header
  readonly #own: OwnColumns
  readonly #at: { id: number; class: number; status: number; ttft: number; tpot: number; e2e: number; tokens: number }
  readonly #statusIndex = new Map<string, number>(STATUSES.map((status, index) => [status, index]))

  readonly #ids = new UniqueIds()
  readonly #lines = new IntColumn()
  readonly #classes = new TextColumn()
  readonly #status = new IntColumn()
  readonly #ttftMs = new FloatColumn()
  readonly #tpotMs = new FloatColumn()
  readonly #e2eMs = new FloatColumn()
  readonly #outputTokens = new IntColumn()

  /** @throws GateError `csv_header`. */
  constructor(names: Cells, file: string, kept: KeptColumns) {
    const header = new Header(names, file)
    this.#header = header
    this.#own = new OwnColumns(header, kept)
    this.#at = {
      id: header.at('request_id'),
      class: header.at('class'),
      status: header.at('status'),
      ttft: header.at('ttft_ms'),
      tpot: header.at('tpot_ms'),
      e2e: header.at('e2e_ms'),
      tokens: header.at('output_tokens'),
    }
  }

  /** @throws GateError whose code says which rule the row breaks; exit 4. */
  add(cells: Cells, line: number): void {
    const header = this.#header
    if (cells.length !== header.width) throw this.#wrongLength(cells, line)
    this.#addId(cells, line)
    const status = this.#statusIndex.get(cells[this.#at.status] ?? '')
    if (status === undefined) {
      return header.refuse('csv_status', line, 'status', cells, 'is no terminal status', `write ${STATUSES.join(', ')}`)
    }
    this.#lines.push(line)
    this.#status.push(status)
    this.#classes.push(cells[this.#at.class] ?? '')
    if (this.#classes.distinct > MAX_CLASSES) {
      header.refuse('csv_class', line, 'class', cells, 'is one class too many', `a workload has up to ${MAX_CLASSES}`)
    }
    const isOk = STATUSES[status] === OK
    const outputTokens = isOk ? this.#addMeasured(cells, line) : this.#addUnmeasured(cells, line)
    this.#own.read(cells, line, isOk, outputTokens)
  }

  table(): CohortTable {
    return {
      file: this.#header.file,
      rows: this.#ids.all.length,
      lines: this.#lines.values(),
      ids: this.#ids.all,
      classes: this.#classes.values(),
      status: this.#status.values(),
      ttftMs: this.#ttftMs.values(),
      tpotMs: this.#tpotMs.values(),
      e2eMs: this.#e2eMs.values(),
      outputTokens: this.#outputTokens.values(),
      ...this.#own.values(),
    }
  }

  #wrongLength(cells: Cells, line: number) {
    return refusal(this.#header.file, {
      code: 'csv_row_length',
      row: line,
      what: `${cells.length} cells where the header has ${this.#header.width}`,
      hint: 'write a cell for each column, quoted where it holds a comma',
    })
  }

  #addId(cells: Cells, line: number): void {
    const header = this.#header
    const cell = cells[this.#at.id] ?? ''
    if (cell === '') header.refuse('csv_id', line, 'request_id', cells, 'names no request', 'give every request an id')
    const id = this.#own.hasTimes ? unguardFormula(cell) : cell
    if (!this.#ids.add(id)) {
      header.refuse('csv_id', line, 'request_id', cells, 'stood before', 'write each scheduled request once')
    }
  }

  #addMeasured(cells: Cells, line: number): number {
    const header = this.#header
    const ttft = header.latency('ttft_ms', this.#at.ttft, cells, line)
    const tpot = header.latency('tpot_ms', this.#at.tpot, cells, line)
    const e2e = header.latency('e2e_ms', this.#at.e2e, cells, line)
    const tokens = header.count('output_tokens', this.#at.tokens, cells, line)
    if (Math.abs(e2e - (ttft + tpot * (tokens - 1))) > CONVENTION_TOLERANCE_MS) {
      const hint = 'TPOT is (E2E − TTFT)/(output tokens − 1), all of one clock'
      const what = 'is not TTFT + TPOT · (output tokens − 1) within 0.5 ms'
      header.refuse('csv_inconsistent', line, 'e2e_ms', cells, what, hint)
    }
    this.#ttftMs.push(ttft)
    this.#tpotMs.push(tpot)
    this.#e2eMs.push(e2e)
    this.#outputTokens.push(tokens)
    return tokens
  }

  #addUnmeasured(cells: Cells, line: number): number {
    this.#ttftMs.push(0)
    this.#tpotMs.push(0)
    this.#e2eMs.push(0)
    const tokens = this.#own.observedTokens(cells, line)
    this.#outputTokens.push(tokens)
    return tokens
  }
}
