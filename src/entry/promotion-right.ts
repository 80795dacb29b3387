import { readFile } from 'node:fs/promises'
import { environmentApprovers } from '../adapters/github/run-approvals.ts'
import type { Acceptance } from '../app/promote.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { ActionDesk } from './action-desk.ts'
import type { ActionInputs } from './action-inputs.ts'
import { asRecord } from './event-facts.ts'
import { TOOL_VERSION } from './version.ts'

/** Events whose commit is on the branch that they name; those of a pull request run the proposal's code, or under another's name. */
const BRANCH_EVENTS = new Set(['push', 'workflow_dispatch', 'repository_dispatch', 'schedule'])

type Facts = Pick<ActionDesk, 'env' | 'facts'>

/**
 * By what right this job accepts a baseline: it runs on the default branch, or reviewers approved its environment in this very run. Throws
 * GateError `promotion_not_allowed`, exit 4, for any other job.
 */
export async function workflowAcceptance(desk: Facts, inputs: ActionInputs): Promise<Acceptance> {
  const { env, facts } = desk
  const right = await rightOf(desk, inputs)
  return {
    acceptedAt: new Date().toISOString(),
    acceptedBy: env['GITHUB_TRIGGERING_ACTOR'] || env['GITHUB_ACTOR'] || 'unknown',
    ...right,
    run: facts.runUrl,
    reason: inputs.promoteReason === '' ? defaultReason(desk, right.place) : inputs.promoteReason,
    toolVersion: TOOL_VERSION,
  }
}

type Right = Pick<Acceptance, 'authority' | 'place' | 'approvedBy'>

async function rightOf(desk: Facts, inputs: ActionInputs): Promise<Right> {
  const { env, facts } = desk
  const environment = inputs.promoteEnvironment
  if (environment !== '') {
    const access = { token: inputs.token, apiUrl: facts.apiUrl, toolVersion: TOOL_VERSION }
    const place = { owner: facts.owner, repo: facts.repo, runId: Number(env['GITHUB_RUN_ID'] ?? 0) }
    const approvedBy = await environmentApprovers(access, place, environment)
    if (approvedBy.length > 0) return { authority: 'environment', place: environment, approvedBy }
    throw notAllowed(
      `no reviewer approved the environment ${environment.slice(0, 200)} in this run`,
      'give the job that environment, and the environment required reviewers',
    )
  }
  const branch = defaultBranchOf(desk, await readEvent(env['GITHUB_EVENT_PATH']))
  if (branch !== null) return { authority: 'default_branch', place: branch, approvedBy: [] }
  throw notAllowed(
    `this job runs for ${facts.name} on ${env['GITHUB_REF'] || 'no ref'}, which is not the default branch’s own`,
    'promote in a job on the default branch (push, schedule, workflow_dispatch), or name a reviewed environment in promote-environment',
  )
}

/** The default branch's name where the job's code and data are its own, else null. */
function defaultBranchOf({ env, facts }: Facts, event: Record<string, unknown>): string | null {
  const branch = /^refs\/heads\/(.+)$/s.exec(env['GITHUB_REF'] ?? '')?.[1]
  if (branch === undefined) return null
  // GitHub runs schedules on the default branch only, and does not always name it in their events.
  if (facts.name === 'schedule') return branch
  if (asRecord(event['repository'])['default_branch'] !== branch) return null
  if (BRANCH_EVENTS.has(facts.name)) return branch
  return facts.name === 'workflow_run' && isOwn(facts, asRecord(event['workflow_run']), branch) ? branch : null
}

/** Such a job runs on the default branch whatever it follows; what it accepts is of the run before it. */
function isOwn({ owner, repo }: Facts['facts'], before: Record<string, unknown>, branch: string): boolean {
  const name = asRecord(before['head_repository'])['full_name']
  return (
    typeof name === 'string' &&
    name.toLowerCase() === `${owner}/${repo}`.toLowerCase() &&
    before['head_branch'] === branch &&
    typeof before['event'] === 'string' &&
    BRANCH_EVENTS.has(before['event'])
  )
}

async function readEvent(path: string | undefined): Promise<Record<string, unknown>> {
  try {
    return path === undefined ? {} : asRecord(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    // What cannot be read names no branch.
    return {}
  }
}

function defaultReason({ facts }: Facts, place: string): string {
  return `${facts.name} in ${place}${facts.headSha === null ? '' : ` at ${facts.headSha}`}`
}

function notAllowed(message: string, hint: string): GateError {
  return new GateError({
    code: 'promotion_not_allowed',
    message: `no baseline is accepted here: ${message}`,
    hint,
    exitCode: EXIT.invalid,
  })
}
