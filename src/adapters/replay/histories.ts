import type { RequestShape } from '../../app/ports/replay.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import type { PromptContext } from '../../core/schedule/prompt.ts'
import type { ScheduleRow } from '../../core/schedule/schedule.ts'
import { sessionHistory } from '../../core/schedule/sessions.ts'
import type { Ending } from './ending.ts'

type Reply = Uint32Array | undefined

interface Session {
  turns: readonly ScheduleRow[]
  isLive: boolean
  replies: Reply[]
}

/** What each turn's prompt needs of its session: the turns before it and, where the history is live, what the engine answered to them. */
export class Histories {
  readonly #sessions: ReadonlyMap<string, Session>
  readonly #texts: readonly string[] | undefined
  #live = 0
  #synthetic = 0

  constructor({ manifest, texts }: RequestShape, rows: readonly ScheduleRow[]) {
    const { client, workload } = manifest
    // A reply is known by its ids: a prompt that is text has no place for them.
    const takesIds = client.endpoint === 'completions' && client.prompt === 'token_ids'
    const live = new Set(
      workload.filter(({ session }) => takesIds && session?.history === 'live').map(({ name }) => name),
    )
    const sessions = new Map<string, Session>()
    for (const [name, turns] of sessionHistory(rows)) {
      sessions.set(name, { turns, isLive: live.has(turns[0]?.class ?? ''), replies: [] })
    }
    this.#sessions = sessions
    this.#texts = texts
  }

  /** The reply to this row goes into a later prompt as it comes. */
  keepsReply({ session, turn = 0 }: ScheduleRow): boolean {
    const found = this.#sessions.get(session ?? '')
    return found !== undefined && found.isLive && turn + 1 < found.turns.length
  }

  /** The row's prompt cannot be made before the turn before it has ended. */
  isOpen({ session, turn = 0 }: ScheduleRow): boolean {
    return turn > 0 && this.#sessions.get(session ?? '')?.isLive === true
  }

  /** What the prompt is made of, beside the row. */
  contextOf({ session, turn = 0 }: ScheduleRow): PromptContext {
    const texts = this.#texts === undefined ? {} : { texts: this.#texts }
    const found = this.#sessions.get(session ?? '')
    if (!found || turn === 0) return texts
    return { ...texts, earlier: found.turns.slice(0, turn), replies: found.replies }
  }

  /** Keeps the reply of a request that ended. Only a whole one counts: the schedule's own stands for any other. */
  ended(row: ScheduleRow, { status, outputIds }: Pick<Ending, 'status' | 'outputIds'>, isCohort: boolean): void {
    const { session, turn = 0, outputTokens } = row
    const found = this.#sessions.get(session ?? '')
    if (!found || turn + 1 >= found.turns.length) return void (found && (found.replies = []))
    const isWhole = status === 'ok' && outputIds !== null && outputIds.length >= outputTokens
    const isTaken = found.isLive && isWhole && outputIds.every((id) => id >= 0)
    if (isTaken) found.replies[turn] = Uint32Array.from(outputIds)
    if (!isCohort) return
    if (isTaken) this.#live += 1
    else this.#synthetic += 1
  }

  /** `client.history`: what stood for the engine's replies. Nothing where there are no sessions. */
  evidence(): Evidence[] {
    if (this.#sessions.size === 0) return []
    const isLive = [...this.#sessions.values()].some((session) => session.isLive)
    const text =
      `${this.#live} replies in the histories were the engine’s own, ${this.#synthetic} the schedule’s` +
      (isLive ? '' : ', as the schedule has it')
    const shared = { probe: 'client.history', state: 'pass', required: false, blames: 'client' } as const
    return [{ ...shared, value: this.#live, unit: 'replies', text }]
  }
}
