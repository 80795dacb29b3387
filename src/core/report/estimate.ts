import type { ManifestEstimate, PlanCost } from '../capacity/plan-costs.ts'
import type { Plan } from '../capacity/record.ts'
import type { Finding } from '../manifest/finding.ts'
import type { CommentText } from './comment.ts'
import { safeUrl, shortSha } from './context.ts'
import type { ReportContext } from './context.ts'
import { markdownCode, markdownText } from './escape.ts'
import { estimateMarker, isMarked } from './marker.ts'
import { milliRps, NONE, plural } from './numbers.ts'
import { columns, cut, table } from './table.ts'

/** What is known of a manifest before anything is deployed. */
export interface EstimateReport {
  /** From the repository's root. */
  manifestPath: string
  findings: readonly Finding[]
  /** Null where the manifest is not fit to be run. */
  found: { gateId: string; estimate: ManifestEstimate } | null
  /** The plan that the workflow asks for. */
  plan: Plan
  context: ReportContext
}

const FINDINGS_MAX = 20
const GUESS =
  'An estimate: boots, drains and preparation are guesses, and extensions of a schedule are not counted. For points of a few seconds it is up to twice the truth.'

/** Seconds as a person says them: `41 s`, `74 min`, `10.2 h`. */
function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}

/** A row a plan and cache state, and a plan's sum; `asked` is marked. */
function estimateTable({ plans, pricePerGpuHour, gpus }: ManifestEstimate, asked: Plan | null = null): string {
  const gpuMinutes = (seconds: number) => (gpus === 0 ? NONE : String(Math.ceil((seconds / 60) * gpus)))
  const price = (seconds: number) => ((seconds / 3600) * gpus * (pricePerGpuHour ?? 0)).toFixed(2)
  const cells = (points: number, boots: number, seconds: number) => [
    String(points),
    String(boots),
    duration(seconds),
    gpuMinutes(seconds),
    ...(pricePerGpuHour === null ? [] : [price(seconds)]),
  ]
  const rows = plans.flatMap((plan) => {
    const name = plan.plan === asked ? `${plan.plan}, as asked` : plan.plan
    const states = plan.states.map(({ cache, points, boots, seconds }) => [
      name,
      cache,
      ...cells(points, boots, seconds),
    ])
    const boots = plan.states.reduce((total, state) => total + state.boots, 0)
    return states.length === 1 ? states : [...states, [name, 'all', ...cells(plan.points, boots, plan.seconds)]]
  })
  const heads = columns('plan', 'cache', 'points:', 'boots:', 'time:', 'GPU-minutes:')
  return table(pricePerGpuHour === null ? heads : [...heads, ...columns('cost:')], rows)
}

/** What the numbers rest on, a sentence a line; nothing in them is from outside. */
function estimateSentences({ plans, carries, pricePerGpuHour }: ManifestEstimate): string[] {
  const listed = (assumed: boolean) =>
    carries.filter(({ isAssumed }) => isAssumed === assumed).map((one) => `${one.cache} ${milliRps(one.milliRps)} RPS`)
  const [accepted, assumed] = [listed(false), listed(true)]
  return [
    `Should the revision carry a tenth less: ${plans.map(ifLess).join(', ')}.`,
    ...(accepted.length === 0 ? [] : [`Led by what is accepted: ${accepted.join(', ')}.`]),
    ...(assumed.length === 0 ? [] : [`Nothing is accepted yet: it is taken to carry ${assumed.join(', ')}.`]),
    ...plans.flatMap(({ plan, admittedSeconds }) =>
      admittedSeconds === null ? [] : [admitted(plan, admittedSeconds)],
    ),
    ...(pricePerGpuHour === null ? [] : [`The cost is at ${pricePerGpuHour} a GPU-hour.`]),
    GUESS,
  ]
}

function ifLess({ plan, ifLessSeconds }: PlanCost): string {
  return `${plan} ${duration(ifLessSeconds)}`
}

function admitted(plan: Plan, [least, most]: readonly [number, number]): string {
  return `The ${plan} finds its rates itself: over the capacities that the manifest admits it takes ${duration(least)} to ${duration(most)}.`
}

/** The same for a terminal, which can be put into a page as it is. */
export function estimateText(estimate: ManifestEstimate): string {
  const where = estimate.gpus === 0 ? 'without GPUs' : `on ${plural(estimate.gpus, 'GPU')}`
  return [`ESTIMATE ${where}`, estimateTable(estimate), estimateSentences(estimate).join('\n')].join('\n\n')
}

/** The estimate as a comment of its own, beside the gate's: it never takes up or touches that one. */
export function estimateComment(report: EstimateReport): CommentText {
  const marker = estimateMarker(report.manifestPath, report.context.commentKey)
  return {
    marker,
    body: () => `${marker}\n${estimateMarkdown(report)}`,
    // Whatever it says: of two jobs at once either is right about its own head, and the heads are named.
    isIn: (body) => isMarked(body, marker),
  }
}

/** The estimate with the manifest's findings: of the comment, and of the summary. */
export function estimateMarkdown({ manifestPath, findings, found, plan, context }: EstimateReport): string {
  const head = found === null ? '❌ The manifest cannot be run' : `Estimate of ${markdownCode(found.gateId)}`
  const { shown, rest } = cut(findings, FINDINGS_MAX, 'findings: see the log')
  const blocks = [
    `## ${head}`,
    `${markdownCode(manifestPath)}: ${counts(findings)}.`,
    shown.map(findingLine).join('\n'),
    rest,
    ...(found === null ? ['Nothing is deployed before it is mended.'] : estimateBlocks(found.estimate, plan)),
    footer(context),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function estimateBlocks(estimate: ManifestEstimate, plan: Plan): string[] {
  return [estimateTable(estimate, plan), estimateSentences(estimate).join(' ')]
}

function counts(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  const parts = [errors > 0 ? plural(errors, 'error') : '', warnings > 0 ? plural(warnings, 'warning') : '']
  return parts.filter((part) => part !== '').join(', ') || 'no findings'
}

function findingLine({ severity, rule, path, line, message, hint }: Finding): string {
  const where = path === '' ? '' : `${markdownText(path)}: `
  return `- ${severity} on line ${line}: ${where}${markdownText(message, 500)} (${markdownCode(rule)}). ${markdownText(hint, 500)}`
}

function footer({ headSha, runUrl, toolVersion }: ReportContext): string {
  const [sha, url] = [shortSha(headSha), safeUrl(runUrl)]
  const parts = [
    sha === null ? '' : `at \`${sha}\``,
    url === null ? '' : `[run](${url})`,
    `Capacity Gate ${markdownCode(toolVersion, 40)}`,
  ]
  return `<sub>${parts.filter((part) => part !== '').join(' · ')}</sub>`
}
