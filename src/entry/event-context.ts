import { readFileSync, statSync } from 'node:fs'
import { EXIT, GateError } from '../core/kernel/errors.ts'

/** What a runner says of the workflow's event: the environment that it sets, and the payload as the event's own file holds it. */
export interface EventContext {
  eventName: string
  sha: string
  ref: string
  runId: number
  apiUrl: string
  serverUrl: string
  repo: { owner: string; repo: string }
  /** From outside; empty where the runner names no file. */
  payload: unknown
}

/** In bytes. GitHub's payloads have at most 25 MB. */
const LARGEST_PAYLOAD = 64 * 1024 * 1024

/**
 * Reads the event from the environment. Throws GateError, exit 4: `event_unreadable` for a payload that is not there or no JSON (whose
 * code a fork's is stands in it: without it nothing is assumed), `repository_unknown` where no repository is named.
 */
export function readEventContext(env: Readonly<Record<string, string | undefined>>): EventContext {
  const [owner = '', repo = '', ...rest] = (env['GITHUB_REPOSITORY'] ?? '').split('/')
  if (owner === '' || repo === '' || rest.length > 0) {
    throw new GateError({
      code: 'repository_unknown',
      message: 'GITHUB_REPOSITORY names no repository as OWNER/NAME',
      hint: 'let the runner start the step, or set it as a runner does; at a terminal use the command line',
      exitCode: EXIT.invalid,
    })
  }
  const path = env['GITHUB_EVENT_PATH'] ?? ''
  return {
    eventName: env['GITHUB_EVENT_NAME'] ?? '',
    sha: env['GITHUB_SHA'] ?? '',
    ref: env['GITHUB_REF'] ?? '',
    runId: Number.parseInt(env['GITHUB_RUN_ID'] ?? '', 10),
    apiUrl: env['GITHUB_API_URL'] ?? 'https://api.github.com',
    serverUrl: env['GITHUB_SERVER_URL'] ?? 'https://github.com',
    repo: { owner, repo },
    payload: path === '' ? {} : readPayload(path),
  }
}

function readPayload(path: string): unknown {
  try {
    if (statSync(path).size > LARGEST_PAYLOAD) throw new Error(`it has more than ${LARGEST_PAYLOAD} bytes`)
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new GateError({
      code: 'event_unreadable',
      message: `cannot read the workflow's event ${path} (GITHUB_EVENT_PATH): ${why}`,
      hint: 'run the step again; if it stays so, look at the disk of the runner',
      exitCode: EXIT.invalid,
      cause,
    })
  }
}
