import { promotionObstacles } from '../gate/promotion.ts'
import { allReasons } from '../gate/verdict.ts'
import { ACCEPTED_LOSSES_PATH, acceptedLossOffer } from './accepted-loss.ts'
import { baselineInCommand, packInCommand } from './context.ts'
import type { ReportInput } from './context.ts'
import { SWEPT, packSweep } from './pack-sweep.ts'

/** How this result becomes the accepted one: a sentence, and commands to copy; null where there is nothing to accept. */
export interface Acceptance {
  text: string
  commands: string[]
}

/** What a new sweep mends: a loss that is meant, a changed experiment or machine, no baseline. */
const SWEPT_ANEW: ReadonlySet<string> = new Set([
  'below_baseline',
  'loss_accepted',
  'baseline_missing',
  'baseline_state_missing',
  'experiment_differs',
  'hardware_differs',
  'host_changed',
  'host_unproven',
  'host_misses_baseline',
])

/** The exact commands by which a reader accepts what a report shows, in a change that is reviewed like any other. */
export function acceptance(input: ReportInput): Acceptance | null {
  const { verdict, record, context } = input
  const pack = packInCommand(context.packPath)
  const gained = verdict.states.some(({ outcome }) => outcome === 'improved' || outcome === 'recorded')
  if (gained && ['held', 'improved', 'recorded'].includes(verdict.outcome)) {
    if (promotionObstacles(record).length === 0)
      return { text: 'Accept this record as the baseline:', commands: [promote(pack, input)] }
    return {
      text: 'This record cannot be promoted as it is; a sweep with a bracket no wider than the tolerance can:',
      commands: [packSweep(pack, context), promote(SWEPT, input)],
    }
  }
  const codes = allReasons(verdict).map(({ code }) => code)
  if (verdict.outcome === 'invalid' || !codes.some((code) => SWEPT_ANEW.has(code))) return null
  return {
    text: 'If this change is meant: find the capacity that it has, and accept that in a reviewed change.',
    commands: [packSweep(pack, context), promote(SWEPT, input, codes.includes('experiment_differs'))],
  }
}

function promote(pack: string, { context }: ReportInput, isNewExperiment = false): string {
  const to = baselineInCommand(context.baselineRef)
  const experiment = isNewExperiment ? ' --new-experiment' : ''
  return `capacity-gate promote --candidate ${pack}/capacity.json --to ${to}${experiment} --reason "WHY"`
}

/** The same as a block of a comment. */
export function acceptSection(input: ReportInput): string[] {
  const found = acceptance(input)
  const loss = acceptedLossOffer(input)
  const blocks = [
    ...(found === null ? [] : [`${found.text}\n\n\`\`\`sh\n${found.commands.join('\n')}\n\`\`\``]),
    ...(loss === null ? [] : [`${LOSS_TEXT} \`${ACCEPTED_LOSSES_PATH}\`:\n\n\`\`\`yaml\n${loss}\`\`\``]),
  ]
  return blocks.length === 0 ? [] : ['### How to accept this', ...blocks]
}

/** How a loss is accepted before a new baseline is, up to the file's name. */
export const LOSS_TEXT =
  'To accept the loss for this revision alone and for a time, write who and why beside it in this pull request, in'
