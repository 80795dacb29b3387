import type { ClassShape } from './class-mix.ts'
import { prefixDrawer } from './popularity.ts'
import { type RandomGenerator, randomStream, shuffle } from './random.ts'
import { requestId, type ScheduleHeader, type ScheduleRow, sessionId } from './schedule.ts'
import { turnDealer } from './sessions.ts'

/** Planned abandonment: which share of the requests, after how many output tokens. */
export interface Cancellation {
  share: number
  afterTokens: number
}

/** Everything that rows are drawn from: the class and the time of each, and the seed for the rest. */
export interface RowsOrder {
  header: ScheduleHeader
  /** Of the ids: `r` measured, `w` warm-up. */
  kind: 'r' | 'w'
  seed: number
  mix: readonly ClassShape[]
  offsetsUs: readonly number[]
  cancellation: Cancellation | null
}

/** One row for each class of the mix, in order: prefixes, sessions, texts and cancellations from the seed's own streams. */
export function drawRows({ header, kind, seed, mix, offsetsUs, cancellation }: RowsOrder): ScheduleRow[] {
  const drawPrefix = prefixDrawer(header.prefixes, randomStream(`schedule-1 ${seed} prefixes`))
  const drawCancellation = cancellation && cancelDrawer(cancellation, randomStream(`schedule-1 ${seed} cancellations`))
  const nextTurn = sessionDrawer(kind)
  const drawText = textDrawer(randomStream(`schedule-1 ${seed} texts`))
  return mix.map((shape, index) => {
    const { name, outputTokens } = shape
    const id = requestId(kind, index + 1)
    const row: ScheduleRow = {
      id,
      class: name,
      offsetUs: offsetsUs[index] ?? 0,
      inputTokens: shape.inputTokens,
      outputTokens,
    }
    const prefix = drawPrefix()
    if (prefix !== undefined) row.prefix = prefix
    if (shape.session) nextTurn(row, shape)
    const cancelAfterTokens = drawCancellation?.(outputTokens)
    if (cancelAfterTokens !== undefined) row.cancelAfterTokens = cancelAfterTokens
    if (shape.texts) row.text = drawText(shape.texts)
    return row
  })
}

/** After how many tokens the next row is left: drawn for every row, so that no row's lot depends on another's length. */
function cancelDrawer(
  { share, afterTokens }: Cancellation,
  random: RandomGenerator,
): (outputTokens: number) => number | undefined {
  return (outputTokens) =>
    (random.next() >>> 0) / 0x1_0000_0000 < share && afterTokens < outputTokens ? afterTokens : undefined
}

/** Makes a row the next turn of one of its class's sessions, with the prefix of the session's first. */
function sessionDrawer(kind: 'r' | 'w'): (row: ScheduleRow, shape: ClassShape) => void {
  const dealers = new Map<string, ReturnType<typeof turnDealer>>()
  const prefixes = new Map<string, string>()
  return (row, shape) => {
    if (!shape.session) return
    const { name, session: sessionShape } = shape
    const dealer = dealers.get(name) ?? turnDealer(sessionShape, shape)
    dealers.set(name, dealer)
    const { number, turn, inputTokens } = dealer()
    row.session = sessionId(name, number, kind)
    row.turn = turn
    row.inputTokens = inputTokens
    if (turn > 0) row.thinkUs = sessionShape.thinkUs
    if (row.prefix === undefined) return
    if (turn === 0) prefixes.set(row.session, row.prefix)
    else row.prefix = prefixes.get(row.session) ?? row.prefix
  }
}

/** Draws from a pool of texts: each of them once, in an order of the seed's, before any comes again. */
function textDrawer(random: RandomGenerator): (pool: readonly number[]) => number {
  const left = new Map<readonly number[], number[]>()
  return (pool) => {
    let rest = left.get(pool) ?? []
    if (rest.length === 0) rest = shuffle([...pool], random)
    left.set(pool, rest)
    return rest.pop() ?? 0
  }
}
