import { repositoryUrl } from './context.ts'
import type { ReportContext } from './context.ts'
import { folded } from './details.ts'
import { headsLine } from './heads.ts'
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

function stateText(state: HeadState | null): string {
  if (state === null) return NONE
  return `${milliRps(state.before)} → ${state.bound ? '≥ ' : ''}${milliRps(state.after)}`
}

function linked(text: string, url: string | null): string {
  return url === null || url === '' ? text : `[${text}](${url})`
}
