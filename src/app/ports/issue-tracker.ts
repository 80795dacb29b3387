import type { DriftIssue } from '../../core/history/drift-plan.ts'
import type { DriftText } from '../../core/report/drift-issue.ts'

export interface TrackedIssue extends DriftIssue {
  url: string
}

/** `reopened`: it is closed now. `over`, `duplicate`: it is closed, as done or as one too many. `kept`: open or closed as it is. */
export type IssueState = 'kept' | 'reopened' | 'over' | 'duplicate'

/** Whether what is to be written is still what should be. */
export type IsDue = () => Promise<boolean>

/**
 * Where drifts are told as issues. Only issues that this tool's own login wrote are seen and touched. Each method throws GateError
 * `issues_refused` where it cannot be done: its message is one line on why, and what to do. A limit can keep a write waiting for a minute:
 * ahead of each further try `isDue` is asked, and where it says no nothing is written and GateError `issue_outdated` thrown.
 */
export interface IssueTracker extends AsyncDisposable {
  /** Every issue of a drift, open and closed; what this tracker wrote before is in it as it was written. */
  list(): Promise<TrackedIssue[]>
  open(text: DriftText & { title: string }, isDue: IsDue): Promise<void>
  update(number: number, text: DriftText, state: IssueState, isDue: IsDue): Promise<void>
}
