import type { IsDue, IssueTracker, TrackedIssue } from '../../src/app/ports/issue-tracker.ts'
import { GateError } from '../../src/core/kernel/errors.ts'
import { readDriftMarker } from '../../src/core/report/drift-issue.ts'

interface KeptIssue {
  number: number
  title: string
  body: string
  isOpen: boolean
  closedOn: string | null
}

export interface FakeIssueTracker extends IssueTracker {
  readonly issues: KeptIssue[]
  /** The day on which what is closed now is closed. */
  today: string
  /** Set: the next write has to wait, and this happens meanwhile. */
  waits: (() => Promise<void>) | null
  /** Set: nothing can be read or written, for this reason. */
  refusal: string | null
}

/** Issues in memory. */
export function fakeIssueTracker(): FakeIssueTracker {
  const issues: KeptIssue[] = []
  const tracker: FakeIssueTracker = {
    issues,
    today: '2026-09-27',
    waits: null,
    refusal: null,
    async list() {
      requireAllowed(tracker)
      return issues.flatMap(tracked)
    },
    async open({ title, body }, isDue) {
      requireAllowed(tracker)
      await waited(tracker, isDue)
      issues.push({ number: issues.length + 1, title, body, isOpen: true, closedOn: null })
    },
    async update(number, { title, body }, state, isDue) {
      requireAllowed(tracker)
      await waited(tracker, isDue)
      const issue = issues.find((one) => one.number === number)
      if (issue === undefined) throw refused('there is no such issue')
      issue.title = title ?? issue.title
      issue.body = body
      if (state === 'reopened') [issue.isOpen, issue.closedOn] = [true, null]
      if (state === 'over' || state === 'duplicate') [issue.isOpen, issue.closedOn] = [false, tracker.today]
    },
    async [Symbol.asyncDispose]() {},
  }
  return tracker
}

function tracked({ number, body, closedOn }: KeptIssue): TrackedIssue[] {
  const marker = readDriftMarker(body)
  return marker === null ? [] : [{ number, url: `https://github.example/issues/${number}`, ...marker, closedOn }]
}

async function waited(tracker: FakeIssueTracker, isDue: IsDue): Promise<void> {
  const { waits } = tracker
  if (waits === null) return
  tracker.waits = null
  await waits()
  if (!(await isDue())) throw new GateError({ code: 'issue_outdated', message: 'it was overtaken', hint: 'none' })
}

function requireAllowed({ refusal }: FakeIssueTracker): void {
  if (refusal !== null) throw refused(refusal)
}

function refused(message: string): GateError {
  return new GateError({ code: 'issues_refused', message, hint: 'none' })
}
