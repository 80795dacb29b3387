import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { EventContext } from './event-context.ts'

/** What a workflow's event says, as far as it matters here. */
export interface EventFacts {
  name: string
  owner: string
  repo: string
  apiUrl: string
  runUrl: string
  /** The commit that a pull request or a finished workflow is about; else the event's own. */
  headSha: string | null
  /** Whether that is a pull request's head: it can move on while it is measured. */
  isPullHead: boolean
  baseSha: string | null
  pullRequest: number | null
  /** The pull request whose number stands in a merge queue's branch. */
  queuedPullRequest: number | null
  /** The branch of the commit, where the event is about another workflow's run. */
  branch: { owner: string; name: string } | null
  /** Whether the head's code comes from another repository. */
  isFork: boolean
  /** The default branch, where the job's code and what it is about are that branch's own; null for any other event. */
  ownDefaultBranch: string | null
}

/** Reads the event's payload, which for a fork's pull request is in part the fork's own text. Nothing in it is trusted to be there. */
export function eventFacts(context: EventContext): EventFacts {
  const { owner, repo } = context.repo
  const payload = asRecord(context.payload)
  const pull = asRecord(payload['pull_request'])
  const workflow = asRecord(payload['workflow_run'])
  const isPull = Object.keys(pull).length > 0
  const isWorkflow = Object.keys(workflow).length > 0
  const [head, base] = [asRecord(pull['head']), asRecord(pull['base'])]
  const own = `${owner}/${repo}`
  const headName = isPull ? fullName(head['repo']) : isWorkflow ? fullName(workflow['head_repository']) : own
  const headSha = sha(isPull ? head['sha'] : isWorkflow ? headOfWorkflow(workflow) : context.sha)
  return {
    name: context.eventName,
    owner,
    repo,
    apiUrl: context.apiUrl,
    // Of a workflow that measured, and not of the one that tells of it.
    runUrl: `${context.serverUrl}/${own}/actions/runs/${whole(workflow['id']) ?? context.runId}`,
    headSha,
    isPullHead: isPull || isOfPull(workflow),
    baseSha: sha(isPull ? base['sha'] : (asRecord(payload['merge_group'])['base_sha'] ?? payload['before'])),
    pullRequest: isPull
      ? whole(pull['number'])
      : pullOfWorkflow(workflow, headSha, asRecord(payload['repository'])['id']),
    queuedPullRequest: queuedPull(asRecord(payload['merge_group'])['head_ref']),
    branch: isWorkflow ? branchOf(workflow) : null,
    // A fork that was deleted has no name any more, and is one all the same.
    isFork: headName?.toLowerCase() !== own.toLowerCase(),
    ownDefaultBranch: ownDefaultBranch(context, payload),
  }
}

/** Events whose commit is on the branch that they name; those of a pull request run the proposal's code, or under another's name. */
const BRANCH_EVENTS: ReadonlySet<unknown> = new Set(['push', 'workflow_dispatch', 'repository_dispatch', 'schedule'])

function ownDefaultBranch({ eventName, ref, repo }: EventContext, payload: Record<string, unknown>): string | null {
  const branch = /^refs\/heads\/(.+)$/s.exec(ref)?.[1]
  if (branch === undefined) return null
  // GitHub runs schedules on the default branch only, and does not always name it in their events.
  if (eventName === 'schedule') return branch
  if (asRecord(payload['repository'])['default_branch'] !== branch) return null
  if (BRANCH_EVENTS.has(eventName)) return branch
  // Such a job runs on the default branch whatever it follows; what it accepts is of the run before it.
  const before = asRecord(payload['workflow_run'])
  const isOwn = fullName(before['head_repository'])?.toLowerCase() === `${repo.owner}/${repo.repo}`.toLowerCase()
  const isAfterIt = isOwn && before['head_branch'] === branch && BRANCH_EVENTS.has(before['event'])
  return eventName === 'workflow_run' && isAfterIt ? branch : null
}

/** Throws GateError `fork_not_approved` (exit 4) where a fork's code would be deployed that nobody approved at this very commit. */
export function requireApproved(facts: EventFacts, approvedSha: string | null): void {
  if (!facts.isFork || (approvedSha !== null && approvedSha === facts.headSha)) return
  const what = approvedSha === null ? 'no commit was approved' : `approved is ${approvedSha}`
  throw new GateError({
    code: 'fork_not_approved',
    message: `nothing is deployed for a fork: its head is ${facts.headSha ?? 'unknown'}, and ${what}`,
    hint: 'review the change, then run with approved-sha set to that commit',
    exitCode: EXIT.invalid,
  })
}

/** A run of `pull_request_target` has the default branch's commit for its own; the pull request's is the commit that it tells of. */
function headOfWorkflow(workflow: Record<string, unknown>): unknown {
  return workflow['event'] === 'pull_request_target' ? asRecord(workflow['head_commit'])['id'] : workflow['head_sha']
}

function isOfPull({ event }: Record<string, unknown>): boolean {
  return event === 'pull_request' || event === 'pull_request_target'
}

/** A finished workflow's pull request, where it has exactly one of this repository at that very head. A fork's has none. */
function pullOfWorkflow(workflow: Record<string, unknown>, head: string | null, repository: unknown): number | null {
  const { pull_requests: listed } = workflow
  const own = (Array.isArray(listed) ? listed : []).map(asRecord).filter((pull) => {
    const isHead = head !== null && asRecord(pull['head'])['sha'] === head
    return isHead && repository !== undefined && asRecord(asRecord(pull['base'])['repo'])['id'] === repository
  })
  return own.length === 1 ? whole(own[0]?.['number']) : null
}

/** GitHub names a merge queue's branch by the pull request at its end and the commit that it is merged onto. */
function queuedPull(ref: unknown): number | null {
  const found =
    typeof ref === 'string' ? /^refs\/heads\/gh-readonly-queue\/.+\/pr-([1-9]\d{0,9})-[0-9a-f]{40}$/.exec(ref) : null
  return found === null ? null : Number(found[1])
}

function branchOf(workflow: Record<string, unknown>): EventFacts['branch'] {
  const owner = asRecord(asRecord(workflow['head_repository'])['owner'])['login']
  const name = workflow['head_branch']
  return typeof owner === 'string' && typeof name === 'string' && owner !== '' && name !== '' ? { owner, name } : null
}

function whole(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null
}

/** A part of a payload; empty for what is no mapping. */
function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function fullName(value: unknown): string | null {
  const name = asRecord(value)['full_name']
  return typeof name === 'string' ? name : null
}

function sha(value: unknown): string | null {
  return typeof value === 'string' && /^[0-9a-f]{40}$/.test(value) && !/^0+$/.test(value) ? value : null
}
