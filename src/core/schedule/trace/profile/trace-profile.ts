import type { TraceFormat, TraceRow } from '../trace-row.ts'
import { type ArrivalProfile, ArrivalStatistics } from './arrival-statistics.ts'
import { type ClassProfile, NamedClasses } from './class-profile.ts'
import { type FirstRequests, HeadOfTrace } from './first-requests.ts'
import { JointLengths } from './joint-lengths.ts'
import { type LengthTable, lengthTable } from './length-table.ts'
import type { LogHistogram } from './log-bins.ts'
import { ReuseDistance, type ReuseProfile } from './reuse-distance.ts'
import { type SessionProfile, SessionStatistics } from './session-statistics.ts'
import { suggestClasses } from './suggest-classes.ts'

/** Lengths in tokens. Quantiles are nearest rank: exact below 256, of bins of under 1 % above; the rest is exact. */
export interface LengthProfile {
  mean: number
  min: number
  p5: number
  p25: number
  p50: number
  p75: number
  p95: number
  p99: number
  max: number
}

/** What a trace is like: everything `profile` prints. */
export interface TraceProfile {
  version: 1
  format: TraceFormat
  requests: number
  /** Requests that had failed when the trace was recorded: not among the others. */
  failedRequests: number
  inputTokens: LengthProfile
  outputTokens: LengthProfile
  /** Spearman's, of the lengths' bins of 6 to 12 %. Null where one of them lies in one bin. */
  lengthCorrelation: number | null
  lengthTable: LengthTable
  arrivals: ArrivalProfile
  /** Null where the trace names no blocks. */
  reuse: ReuseProfile | null
  /** Null where it names no sessions. */
  sessions: SessionProfile | null
  /** Whether the classes are the trace's own, or suggested from the lengths. */
  classesFrom: 'trace' | 'lengths'
  classes: ClassProfile[]
  /** Of how many requests from its start on a schedule would be made, and of which classes they are. */
  firstRequests: FirstRequests
}

/** Rows in, what they are like out: one pass, and memory that does not grow with the trace. */
export class TraceProfiler {
  readonly #lengths = new JointLengths()
  readonly #arrivals = new ArrivalStatistics()
  readonly #reuse = new ReuseDistance()
  readonly #sessions = new SessionStatistics()
  readonly #named = new NamedClasses()
  readonly #head = new HeadOfTrace()

  add(row: TraceRow): void {
    this.#lengths.add(row.inputTokens, row.outputTokens)
    this.#arrivals.add(row.atUs)
    this.#named.add(row.class, row.inputTokens, row.outputTokens)
    this.#head.add(row.class, row.atUs, row.inputTokens, row.outputTokens)
    if (row.blocks !== null) this.#reuse.add(row.blocks, row.inputTokens)
    if (row.session !== null) this.#sessions.add(row.session, row.atUs)
  }

  /** Blocks and sessions that are kept: bounded, however long the trace is. */
  get watched(): number {
    return this.#reuse.watched + this.#sessions.watched
  }

  /** At least one row must have been added. `mostClasses` bounds the suggested classes. */
  profile(read: { format: TraceFormat; failed: number }, mostClasses: number): TraceProfile {
    const named = this.#named.profiles()
    const classesFrom = named.length > 0 ? 'trace' : 'lengths'
    const classes = named.length > 0 ? named : suggestClasses(this.#lengths, mostClasses)
    const arrivals = this.#arrivals.profile()
    return {
      version: 1,
      format: read.format,
      requests: arrivals.requests,
      failedRequests: read.failed,
      inputTokens: lengthProfile(this.#lengths.input),
      outputTokens: lengthProfile(this.#lengths.output),
      lengthCorrelation: this.#lengths.spearman(),
      lengthTable: lengthTable(this.#lengths),
      arrivals,
      reuse: this.#reuse.profile(),
      sessions: this.#sessions.profile(),
      classesFrom,
      classes,
      firstRequests: this.#head.among(classes, classesFrom),
    }
  }
}

function lengthProfile(lengths: LogHistogram): LengthProfile {
  const at = (probability: number) => lengths.quantile(probability) ?? 0
  return {
    mean: lengths.mean ?? 0,
    min: lengths.least,
    p5: at(0.05),
    p25: at(0.25),
    p50: at(0.5),
    p75: at(0.75),
    p95: at(0.95),
    p99: at(0.99),
    max: lengths.largest,
  }
}
