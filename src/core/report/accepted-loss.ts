import { stringify } from 'yaml'
import { offeredEntries } from '../gate/accepted/offer.ts'
import { acceptedFileSchema } from '../gate/accepted/schema.ts'
import type { Verdict } from '../gate/verdict.ts'
import type { ReportInput } from './context.ts'
import type { Ink } from './escape.ts'
import { STATES_MAX } from './headline.ts'
import { milliRps } from './numbers.ts'

/** Where a repository keeps the losses that it accepts. */
export const ACCEPTED_LOSSES_PATH = '.capacity-gate/accepted.yaml'

const REASON_MAX = 500
const NAME_MAX = 100

/** The losses under which a verdict's states are held, a sentence each: what everybody must see first. */
export function acceptedLossLines({ states }: Verdict, ink: Ink): { head: string; text: string }[] {
  return states.slice(0, STATES_MAX).flatMap(({ cache, guardMilliRps, acceptedLoss: loss }) => {
    if (loss === undefined) return []
    const missed = `the guard rate of ${milliRps(guardMilliRps)} RPS is missed`
    const accepted = `a loss down to ${milliRps(loss.floorMilliRps)} RPS is accepted until ${ink.text(loss.expires, 10)}`
    const by = `${ink.text(loss.acceptedBy, NAME_MAX)}: ${ink.text(loss.reason, REASON_MAX)}`
    return [{ head: `Accepted loss, ${cache}:`, text: `${missed}; ${accepted} by ${by}` }]
  })
}

/** What was accepted and does not apply, where that asks for a change of the file. */
const STALE: ReadonlySet<string> = new Set([
  'accepted_loss_expired',
  'accepted_loss_outgrown',
  'accepted_loss_not_needed',
])

export function staleLossLines({ states }: Verdict, ink: Ink): string[] {
  return states
    .slice(0, STATES_MAX)
    .flatMap(({ cache, notes }) =>
      notes.flatMap(({ code, text }) => (STALE.has(code) ? [`${cache}: ${ink.text(text, REASON_MAX)}`] : [])),
    )
}

/** The content by which a regression's loss could be accepted, to be pasted but for who and why; null where none can. */
export function acceptedLossOffer({ verdict, record }: ReportInput): string | null {
  const offered = acceptedFileSchema.safeParse({ losses: offeredEntries(verdict, record) })
  return offered.success && offered.data.losses.length > 0 ? stringify(offered.data) : null
}
