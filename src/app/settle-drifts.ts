import type { DriftAction, PlannedDrift } from '../core/history/drift-plan.ts'
import { planDrifts } from '../core/history/drift-plan.ts'
import type { Trend } from '../core/history/trend.ts'
import { GateError } from '../core/kernel/errors.ts'
import { driftText, duplicateText } from '../core/report/drift-issue.ts'
import type { ToldDrift } from '../core/report/drift-summary.ts'
import type { IsDue, IssueState, IssueTracker, TrackedIssue } from './ports/issue-tracker.ts'

export interface SettledDrifts {
  drifts: ToldDrift[]
  /** One line on what could not be done; null where all was. */
  refused: string | null
}

/** Each round acts on what stands; a second one finds nothing to do, but where another job acts at the same time. */
const ROUNDS = 5

/**
 * Makes the issues say what the trends say, one open issue a series. After each writing it looks again: where another job opened one at the same
 * time, both jobs see two, and both keep the first and close the other. What had to wait before it could be written is decided anew, by
 * the issues and by the trends that `again` reads. What a tracker refuses comes back as a line and changes nothing else.
 */
export async function settleDrifts(
  tracker: IssueTracker,
  found: readonly Trend[],
  again: () => Promise<readonly Trend[]>,
): Promise<SettledDrifts> {
  const done = new Map<string, DriftAction>()
  let trends = found
  let issues: TrackedIssue[] = []
  let refused: string | null = null
  const look = async () => {
    issues = await tracker.list()
    return planDrifts(trends, issues)
  }
  const stillDue = (planned: PlannedDrift) => async () => {
    trends = await again()
    return (await look()).some((now) => isSame(now, planned))
  }
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      if (!(await writeDue(tracker, await look(), done, stillDue))) break
    }
  } catch (error) {
    if (!(error instanceof GateError)) throw error
    refused = error.message
  }
  return { drifts: planDrifts(trends, issues).map((planned) => settled(planned, issues, done)), refused }
}

const STATES = { update: 'kept', reopen: 'reopened', close: 'over' } as const satisfies Partial<
  Record<DriftAction, IssueState>
>

/** Of one series the same is to be done to the same issues, which say the same. */
function isSame(one: PlannedDrift, other: PlannedDrift): boolean {
  const told = ({ key, action, facts, issue, duplicates }: PlannedDrift) =>
    JSON.stringify([key, action, facts, issue, duplicates])
  return told(one) === told(other)
}

/** Whether there was anything to write, or something that was overtaken. */
async function writeDue(...order: Parameters<typeof write>): Promise<boolean> {
  try {
    return await write(...order)
  } catch (error) {
    if (error instanceof GateError && error.code === 'issue_outdated') return true
    throw error
  }
}

async function write(
  tracker: IssueTracker,
  plan: readonly PlannedDrift[],
  done: Map<string, DriftAction>,
  stillDue: (planned: PlannedDrift) => IsDue,
): Promise<boolean> {
  let isWritten = false
  for (const planned of plan) {
    const { action, key, issue, duplicates } = planned
    const text = driftText(planned)
    const isDue = stillDue(planned)
    if (action === 'open' && done.has(key)) throw unseen()
    if (text !== null) {
      if (text.title !== null && action === 'open') await tracker.open({ ...text, title: text.title }, isDue)
      else if (issue !== null && action in STATES)
        await tracker.update(issue.number, text, STATES[action as keyof typeof STATES], isDue)
      if (!done.has(key)) done.set(key, action)
    }
    for (const { number } of duplicates)
      await tracker.update(number, duplicateText(key, issue?.number ?? 0), 'duplicate', isDue)
    isWritten ||= text !== null || duplicates.length > 0
  }
  return isWritten
}

/** One a night is enough of what cannot be found again. */
function unseen(): GateError {
  return new GateError({
    code: 'issues_refused',
    message:
      'the issue that was opened is not found again: its label was dropped, and the next night would open another one; let the token’s owner set labels',
    hint: 'give the token the right to set labels',
  })
}

function settled(
  { action, key, trend, issue }: PlannedDrift,
  issues: readonly TrackedIssue[],
  done: ReadonlyMap<string, DriftAction>,
): ToldDrift {
  const found = issues.find(({ number }) => number === issue?.number)
  const isIdle = action === 'keep' || action === 'leave' || action === 'none'
  return {
    trend,
    action: done.get(key) ?? (isIdle ? action : null),
    issue: found ? { number: found.number, url: found.url } : null,
  }
}
