import { z } from 'zod'
import type { StateVerdict } from '../gate/verdict.ts'
import { repositoryUrl } from './context.ts'
import type { ReportInput } from './context.ts'
import { STATES_MAX } from './headline.ts'

/** What one cache state said, in milli-requests a second. */
export interface HeadState {
  before: number | null
  after: number | null
  /** `after` is a lower bound: a confirmation that held. */
  bound: boolean
}

/** What was found at one head of a pull request: one row of the comment's history. */
export interface HeadResult {
  /** The whole commit. */
  head: string
  outcome: string
  cold: HeadState | null
  warm: HeadState | null
  /** The workflow run's number. */
  run: string | null
  /** When it was measured. */
  at: string
  /** The record's digest, shortened. */
  record: string
}

/** The current head and this many before it are kept. */
export const HEADS_MAX = 20

const milliRps = z.int().min(0).max(1_000_000_000).nullable()
const state = z.strictObject({ before: milliRps, after: milliRps, bound: z.boolean() }).nullable()
const headsSchema = z
  .array(
    z.strictObject({
      head: z.string().regex(/^[0-9a-f]{40,64}$/),
      outcome: z.enum(['held', 'improved', 'regressed', 'inconclusive', 'invalid', 'recorded']),
      cold: state,
      warm: state,
      run: z
        .string()
        .regex(/^\d{1,20}$/)
        .nullable(),
      at: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/),
      record: z.string().regex(/^[0-9a-f]{12}$/),
    }),
  )
  .max(HEADS_MAX) satisfies z.ZodType<HeadResult[]>

const LINE = /^<!-- capacity-gate-heads:1 (\[.{0,12000}\]) -->$/gm

/** This report as a row of the history; null where the head, the time or the digest is not one that can be told again. */
export function headResult({ verdict, record, context }: ReportInput): HeadResult | null {
  const stateOf = (cache: string) => verdict.states.slice(0, STATES_MAX).find((item) => item.cache === cache) ?? null
  const made = {
    head: context.headSha ?? record.commit,
    outcome: verdict.outcome,
    cold: headState(stateOf('cold')),
    warm: headState(stateOf('warm')),
    run: repositoryUrl(context) === null ? null : (/\/(\d{1,20})$/.exec(context.runUrl ?? '')?.[1] ?? null),
    at: record.createdAt,
    record: verdict.candidateSha256.slice(0, 12),
  }
  const parsed = headsSchema.safeParse([made])
  return parsed.success ? (parsed.data[0] ?? null) : null
}

function headState(found: StateVerdict | null): HeadState | null {
  if (found === null) return null
  const { baselineMilliRps: before, candidateMilliRps: after, changeShare, outcome } = found
  return { before, after, bound: changeShare === null && outcome === 'held' && after !== null }
}

/**
 * The rows that earlier comments of our own hold, the current head's among them. A comment can be edited by whoever may write to the
 * repository: one that does not hold exactly one line of the very form that we write has none.
 */
export function parseHeads(bodies: readonly string[]): HeadResult[] {
  return bodies.flatMap((body) => {
    const lines = [...body.replaceAll('\r\n', '\n').matchAll(LINE)]
    if (lines.length !== 1) return []
    try {
      return headsSchema.parse(JSON.parse(lines[0]?.[1] ?? ''))
    } catch {
      return []
    }
  })
}

/** The heads before the current one, each once with its latest result, the latest first, as many as are kept. */
export function earlierHeads(current: HeadResult | null, rows: readonly HeadResult[]): HeadResult[] {
  const latest = new Map<string, HeadResult>()
  for (const row of rows) {
    if (row.head === current?.head) continue
    const known = latest.get(row.head)
    if (known === undefined || known.at < row.at) latest.set(row.head, row)
  }
  const byTime = [...latest.values()].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  return byTime.slice(0, HEADS_MAX - 1)
}

/** Whether a comment tells this result, or a later one of the same head. */
export function tellsHead(body: string, mine: HeadResult): boolean {
  return parseHeads([body]).some(
    ({ head, at, record }) => head === mine.head && (record === mine.record || at > mine.at),
  )
}

/** The line that `parseHeads` reads: hidden, and of characters that cannot end it early. */
export function headsLine(current: HeadResult | null, earlier: readonly HeadResult[]): string {
  const rows = current === null ? earlier : [current, ...earlier]
  return rows.length === 0 ? '' : `<!-- capacity-gate-heads:1 ${JSON.stringify(rows)} -->`
}
