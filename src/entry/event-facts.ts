import type { context } from '@actions/github'
import { EXIT, GateError } from '../core/kernel/errors.ts'

/** What a workflow's event says, as far as it matters here. */
export interface EventFacts {
  name: string
  owner: string
  repo: string
  apiUrl: string
  runUrl: string
  /** The commit that a pull request or a finished workflow is about; else the event's own. */
  headSha: string | null
  baseSha: string | null
  pullRequest: number | null
  /** Whether the head's code comes from another repository. */
  isFork: boolean
}

type Context = typeof context

/** Reads the event's payload, which for a fork's pull request is in part the fork's own text. Nothing in it is trusted to be there. */
export function eventFacts(context: Context): EventFacts {
  const { owner, repo } = context.repo
  const payload = asRecord(context.payload)
  const pull = asRecord(payload['pull_request'])
  const workflow = asRecord(payload['workflow_run'])
  const isPull = Object.keys(pull).length > 0
  const isWorkflow = Object.keys(workflow).length > 0
  const [head, base] = [asRecord(pull['head']), asRecord(pull['base'])]
  const own = `${owner}/${repo}`
  const headName = isPull ? fullName(head['repo']) : isWorkflow ? fullName(workflow['head_repository']) : own
  return {
    name: context.eventName,
    owner,
    repo,
    apiUrl: context.apiUrl,
    runUrl: `${context.serverUrl}/${own}/actions/runs/${context.runId}`,
    headSha: sha(isPull ? head['sha'] : isWorkflow ? workflow['head_sha'] : context.sha),
    baseSha: sha(base['sha']),
    pullRequest: isPull && Number.isSafeInteger(pull['number']) ? (pull['number'] as number) : null,
    // A fork that was deleted has no name any more, and is one all the same.
    isFork: headName?.toLowerCase() !== own.toLowerCase(),
  }
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

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function fullName(value: unknown): string | null {
  const name = asRecord(value)['full_name']
  return typeof name === 'string' ? name : null
}

function sha(value: unknown): string | null {
  return typeof value === 'string' && /^[0-9a-f]{40}$/.test(value) ? value : null
}
