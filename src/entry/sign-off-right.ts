import { environmentApprovers } from '../adapters/github/run-approvals.ts'
import { workflowRun } from '../adapters/github/workflow-run.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { Approval, SourceRun } from '../core/signoff/sign-off.ts'
import type { ActionDesk } from './action-desk.ts'
import type { ActionInputs } from './action-inputs.ts'
import { TOOL_VERSION } from './version.ts'

type Facts = Pick<ActionDesk, 'env' | 'facts'>
type Asked = Pick<ActionInputs, 'signOff' | 'token'>

/**
 * Who approved the environment of this job; null where none is named. An environment without required reviewers proves nothing, and GitHub
 * makes one of any name: so the reviews of this very run are asked for. Throws GateError `sign_off_not_approved`, exit 4.
 */
export async function approvalOf({ env, facts }: Facts, { signOff, token }: Asked): Promise<Approval | null> {
  const { environment } = signOff
  if (environment === '') return null
  const place = { owner: facts.owner, repo: facts.repo, runId: Number(env['GITHUB_RUN_ID'] ?? 0) }
  const by = await environmentApprovers(accessTo(facts, token), place, environment)
  if (by.length > 0) return { environment, by }
  throw new GateError({
    code: 'sign_off_not_approved',
    message: `no reviewer approved the environment ${environment.slice(0, 200)} in this run`,
    hint: 'give the job that environment, and the environment required reviewers',
    exitCode: EXIT.invalid,
  })
}

/** Events that run the repository's own reviewed code. A pull request's is a proposal's, and another workflow's run may follow one. */
const OWN_EVENTS = new Set(['push', 'schedule', 'workflow_dispatch', 'repository_dispatch', 'release', 'merge_group'])

/**
 * The run that the packs were taken from; null where none is named. A fork's run leaves its artifacts in this repository too, and a consistent
 * pack can be made up. Throws GateError `sign_off_run_foreign`, exit 4.
 */
export async function sourceRun({ facts }: Facts, { signOff, token }: Asked): Promise<SourceRun | null> {
  if (signOff.run === null) return null
  const place = { owner: facts.owner, repo: facts.repo, runId: signOff.run }
  const { isOwn, ...run } = await workflowRun(accessTo(facts, token), place)
  if (isOwn && OWN_EVENTS.has(run.event)) return run
  throw new GateError({
    code: 'sign_off_run_foreign',
    message: `run ${signOff.run} ran ${isOwn ? '' : 'a fork’s code, '}for ${run.event}: its packs prove nothing of what is released`,
    hint: 'measure the release in a run of this repository’s own branch or tag (push, schedule, workflow_dispatch, release, merge_group)',
    exitCode: EXIT.invalid,
  })
}

function accessTo({ apiUrl }: Facts['facts'], token: string) {
  return { token, apiUrl, toolVersion: TOOL_VERSION }
}
