import { warmupOffsets } from './arrival-times.ts'
import { type ClassShape, shuffledMix } from './class-mix.ts'
import { type Cancellation, drawRows } from './draw-rows.ts'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { randomStream } from './random.ts'
import type { Schedule, ScheduleRow } from './schedule.ts'
import { type SessionShape, sessionHistory } from './sessions.ts'

/** The classes of the initial rows, each with its number of them as the weight, in order of first appearance. */
function mixOf(rows: readonly ScheduleRow[]): ClassShape[] {
  const byClass = new Map<string, ScheduleRow[]>()
  for (const row of rows) {
    const others = byClass.get(row.class)
    if (others) others.push(row)
    else byClass.set(row.class, [row])
  }
  return [...byClass].map(([name, [first, ...others]]) => {
    if (!first) throw new Error(`the class ${name} has no rows`)
    const all = [first, ...others]
    const session = sessionShape(all)
    const texts = new Set(all.flatMap(({ text }) => (text === undefined ? [] : [text])))
    return {
      name,
      inputTokens: first.inputTokens,
      outputTokens: first.outputTokens,
      weight: all.length,
      ...(session ? { session } : {}),
      ...(texts.size > 0 ? { texts: [...texts] } : {}),
    }
  })
}

/** Read off a class's rows: none where no session of them comes to a second turn. */
function sessionShape(rows: readonly ScheduleRow[]): SessionShape | null {
  const second = rows.findIndex(({ turn }) => turn === 1)
  const next = rows[second]
  if (!next) return null
  const concurrent = second - rows.findIndex(({ session }) => session === next.session)
  const longest = [...sessionHistory(rows).values()].reduce((most, turns) => Math.max(most, turns.length), 0)
  return { turns: longest, concurrent, thinkUs: next.thinkUs ?? 0 }
}

function cancellationOf(rows: readonly ScheduleRow[]): Cancellation | null {
  const afterTokens = rows.find((row) => row.cancelAfterTokens !== undefined)?.cancelAfterTokens
  if (afterTokens === undefined) return null
  const eligible = rows.filter((row) => row.outputTokens > afterTokens)
  const cancelled = eligible.filter((row) => row.cancelAfterTokens !== undefined)
  return { share: cancelled.length / eligible.length, afterTokens }
}

/**
 * The rows that warm an engine up at a rate (integer milli-requests a second) for some seconds: the measured mix in exact
 * proportions, the same arrival process and prefix law, drawn from the header's `warmupSeed`; sessions, texts and cancellations as the
 * initial rows have them. Offsets are at one request a second from the warm-up's start, at most `warmupOffsetUs(milliRps, seconds)`,
 * where the measured cohort starts: since a cohort's first row comes one gap after its start, the arrivals flow on without a seam
 * (`warmupOffsets`). Ids are `w-…`, so that no prompt is a measured one's.
 *
 * A trace's warm-up are its own initial rows in their order, with their gaps: those that end at a place drawn from the seed, over the
 * trace's start again where it does not reach back far enough.
 */
export function warmupRows(schedule: Schedule, milliRps: number, seconds: number): ScheduleRow[] {
  const { header } = schedule
  const endUs = warmupOffsetUs(milliRps, seconds)
  if (endUs <= 0) return []
  const seed = header.warmupSeed
  const initial = schedule.rows.slice(0, header.initialRequests)
  const order = { header, kind: 'w', seed, cancellation: cancellationOf(initial) } as const
  if (header.generator === 'trace-1') return drawRows({ ...order, ...traceBackward(initial, endUs, seed) })
  const offsetsUs = warmupOffsets(header, endUs, randomStream(`schedule-1 ${seed} arrivals`))
  const random = randomStream(`schedule-1 ${seed} classes 0`)
  return drawRows({ ...order, offsetsUs, mix: shuffledMix(mixOf(initial), offsetsUs.length, random) })
}

/** A trace's rows backward from the warm-up's end, each one's own gap before it. */
function traceBackward(
  rows: readonly ScheduleRow[],
  endUs: number,
  seed: number,
): { mix: ClassShape[]; offsetsUs: number[] } {
  const mix: ClassShape[] = []
  const offsetsUs: number[] = []
  let index = uniformInt(randomStream(`schedule-1 ${seed} place`), 0, rows.length - 1)
  for (let leftUs = endUs; leftUs >= 0; index = (index === 0 ? rows.length : index) - 1) {
    const row = rows[index]
    if (!row) break
    const { class: name, inputTokens, outputTokens } = row
    mix.push({ name, inputTokens, outputTokens, weight: 1 })
    offsetsUs.push(leftUs)
    leftUs -= row.offsetUs - (rows[index - 1]?.offsetUs ?? 0)
  }
  return { mix: mix.reverse(), offsetsUs: offsetsUs.reverse() }
}

/** The warm-up's length on the schedule's scale of one request a second, integer microseconds. */
export function warmupOffsetUs(milliRps: number, seconds: number): number {
  return Math.round(seconds * 1000) * milliRps
}
