import { environmentApprovers } from '../adapters/github/run-approvals.ts'
import type { Acceptance } from '../app/promote.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { ActionDesk } from './action-desk.ts'
import type { ActionInputs } from './action-inputs.ts'
import { TOOL_VERSION } from './version.ts'

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
  const branch = facts.ownDefaultBranch
  if (branch !== null) return { authority: 'default_branch', place: branch, approvedBy: [] }
  throw notAllowed(
    `this job runs for ${facts.name} on ${env['GITHUB_REF'] || 'no ref'}, which is not the default branch’s own`,
    'promote in a job on the default branch (push, schedule, workflow_dispatch), or name a reviewed environment in promote-environment',
  )
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
