import { promptTokensOfTurn } from '../manifest/session-lengths.ts'
import type { ScheduleRow } from './schedule.ts'

/** Each session's rows, in the order of their turns: a turn's history is those before it. Rows without a session are in none. */
export function sessionHistory(rows: readonly ScheduleRow[]): Map<string, ScheduleRow[]> {
  const sessions = new Map<string, ScheduleRow[]>()
  for (const row of rows) {
    if (row.session === undefined) continue
    const turns = sessions.get(row.session)
    if (turns) turns.push(row)
    else sessions.set(row.session, [row])
  }
  return sessions
}

/** How a class's requests belong together. */
export interface SessionShape {
  turns: number
  concurrent: number
  thinkUs: number
}

/** What one arrival of the class is: which session of the class (from 1), which turn of it (from 0), and its whole prompt. */
interface Turn {
  number: number
  turn: number
  inputTokens: number
}

/**
 * Deals a class's arrivals out to its sessions. Arrival k goes to place k mod `concurrent`, so that a session's next turn comes
 * `concurrent` arrivals of the class later; when a session has had its turns the place gets a new one. The first sessions of the places lack
 * turns, by one more from place to place (of fewer places than turns, by as many more as spread them evenly): from then on the places are
 * spread over all turns, and prompts of every length come at any time. Were all in step, a class's prompts would grow and fall back
 * together, which looks like a queue that grows.
 */
export function turnDealer(
  { turns, concurrent }: Pick<SessionShape, 'turns' | 'concurrent'>,
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
): () => Turn {
  const places: { number: number; turn: number; turns: number }[] = []
  const lengths = { input_tokens: inputTokens, output_tokens: outputTokens }
  let arrivals = 0
  let sessions = 0
  return () => {
    const index = arrivals++ % concurrent
    let place = places[index]
    if (place === undefined || place.turn === place.turns) {
      const lacking = concurrent < turns ? Math.floor((index * turns) / concurrent) : index % turns
      place = { number: ++sessions, turn: 0, turns: place === undefined ? turns - lacking : turns }
      places[index] = place
    }
    const turn = place.turn++
    return { number: place.number, turn, inputTokens: promptTokensOfTurn(lengths, turn) }
  }
}
