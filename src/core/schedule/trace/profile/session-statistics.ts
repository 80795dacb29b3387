import { LogHistogram, type Spread } from './log-bins.ts'
import { SpatialSample, textKey } from './spatial-sample.ts'

/** Sessions that are watched at most; of a trace with more of them, a sample. */
const MOST_SESSIONS = 65_536

export interface SessionProfile {
  /** Requests that belong to a session. */
  requests: number
  sessions: number
  turns: Spread & { mean: number; max: number }
  /** From one turn's arrival to the next one's, seconds: the answer's own time is in it. */
  gapSeconds: Spread | null
  sampledOneIn: number
}

interface Session {
  turns: number
  lastUs: number
}

/** Turns of sessions and the gaps between them, in bounded memory. */
export class SessionStatistics {
  readonly #most: number
  readonly #sample = new SpatialSample()
  readonly #sessions = new Map<number, Session>()
  readonly #gapsMs = new LogHistogram(7)
  #requests = 0

  constructor(most: number = MOST_SESSIONS) {
    this.#most = most
  }

  get watched(): number {
    return this.#sessions.size
  }

  add(session: string, atUs: number): void {
    this.#requests++
    const key = textKey(session)
    if (!this.#sample.has(key)) return
    const known = this.#sessions.get(key)
    if (known === undefined) {
      this.#sessions.set(key, { turns: 1, lastUs: atUs })
      while (this.#sessions.size > this.#most) this.#thin()
      return
    }
    this.#gapsMs.add(Math.round((atUs - known.lastUs) / 1000), this.#sample.weight)
    known.turns++
    known.lastUs = atUs
  }

  #thin(): void {
    this.#sample.halve()
    for (const key of this.#sessions.keys()) if (!this.#sample.has(key)) this.#sessions.delete(key)
  }

  /** Null where no request belongs to a session. */
  profile(): SessionProfile | null {
    // Those that are watched at the end were watched from their first turn on.
    const turns = new LogHistogram(7)
    for (const session of this.#sessions.values()) turns.add(session.turns)
    const [mean, spread, gaps] = [turns.mean, turns.spread(), this.#gapsMs.spread()]
    if (mean === null || spread === null) return null
    return {
      requests: this.#requests,
      sessions: this.#sessions.size * this.#sample.weight,
      turns: { mean, ...spread, max: turns.largest },
      gapSeconds: gaps && { p50: gaps.p50 / 1000, p90: gaps.p90 / 1000, p99: gaps.p99 / 1000 },
      sampledOneIn: this.#sample.weight,
    }
  }
}
