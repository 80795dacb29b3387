import { repositoryUrl } from './context.ts'
import type { ReportContext } from './context.ts'
import { folded } from './fold.ts'
import { earlierHeads, headsLine, parseHeads } from './heads.ts'
import type { HeadResult, HeadState } from './heads.ts'
import { milliRps, NONE, plural } from './numbers.ts'
import { columns, cut, table } from './table.ts'

/** The heads that a comment tells of: its own, and those before it on the same pull request. */
export interface Heads {
  current: HeadResult | null
  earlier: readonly HeadResult[]
}

/** A row a head, folded; and the hidden line by which the next comment knows them again. */
export function headsSection({ current, earlier }: Heads, context: ReportContext, max: number): string[] {
  const line = headsLine(current, earlier)
  if (earlier.length === 0) return [line]
  const url = repositoryUrl(context)
  const { shown, rest } = cut(earlier, max, 'heads')
  const rows = shown.map(({ head, outcome, cold, warm, run, at }) => [
    linked(`\`${head.slice(0, 10)}\``, url && `${url}/commit/${head}`),
    outcome,
    stateText(cold),
    stateText(warm),
    linked(at.slice(0, 16).replace('T', ' '), url && run && `${url}/actions/runs/${run}`),
  ])
  const heads = columns('head', 'verdict', 'cold RPS', 'warm RPS', 'measured (UTC)')
  const summary = `${plural(earlier.length, 'earlier head')} of this pull request`
  return [folded(summary, [table(heads, rows), rest]), line]
}

const SECTION =
  /(?:<details>\n<summary>(\d+) earlier heads? of this pull request<\/summary>\n\n[^]*?\n\n<\/details>\n\n)?<!-- capacity-gate-heads:1 \[.*\] -->/

/**
 * A comment of our own with one earlier head more, all else as it stands; null where it is about that very head, or holds no heads that
 * can be read. Where it would outgrow `maxBytes` the oldest heads go.
 */
export function withEarlierHead(
  body: string,
  mine: HeadResult,
  context: ReportContext,
  maxBytes: number,
): string | null {
  const text = body.replaceAll('\r\n', '\n')
  const rows = parseHeads([text])
  const found = SECTION.exec(text)
  if (rows.length === 0 || found === null) return null
  const current = rows.length > Number(found[1] ?? 0) ? (rows[0] ?? null) : null
  if (current?.head === mine.head) return null
  const earlier = earlierHeads(current, [...(current === null ? rows : rows.slice(1)), mine])
  for (let count = earlier.length; ; count -= 1) {
    const kept = headsSection({ current, earlier: earlier.slice(0, count) }, context, count)
    const made = text.replace(found[0], () => kept.filter((block) => block !== '').join('\n\n'))
    if (count === 0 || encoder.encode(made).length <= maxBytes) return made
  }
}

/** The head whose verdict a comment of our own shows; null where it shows none, only what earlier heads came to. */
export function currentHead(body: string): HeadResult | null {
  const text = body.replaceAll('\r\n', '\n')
  const rows = parseHeads([text])
  const found = SECTION.exec(text)
  return found !== null && rows.length > Number(found[1] ?? 0) ? (rows[0] ?? null) : null
}

const encoder = new TextEncoder()

function stateText(state: HeadState | null): string {
  if (state === null) return NONE
  return `${milliRps(state.before)} → ${state.bound ? '≥ ' : ''}${milliRps(state.after)}`
}

function linked(text: string, url: string | null): string {
  return url === null || url === '' ? text : `[${text}](${url})`
}
