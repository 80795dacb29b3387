import { GateError } from '../../core/kernel/errors.ts'
import { printableLine } from '../system/bounded-http.ts'
import type { GitEnd } from './git-program.ts'

/**
 * How a command that speaks to a server ended. `conflict`: another writer was first. `transient`: the same may succeed in a moment.
 * `refused`: it will not.
 */
export type ServerAnswer =
  | { kind: 'done' }
  | { kind: 'branch_missing' }
  | { kind: 'conflict'; error: GateError }
  | { kind: 'transient'; error: GateError }
  | { kind: 'refused'; error: GateError }

interface Refusal {
  pattern: RegExp
  kind: 'transient' | 'refused'
  code: string
  what: string
  hint: string
}

const KEPT = 'nothing was lost: what was measured is still in its pack'

/** The first that fits what git said, in the C locale, counts. */
const REFUSALS: readonly Refusal[] = [
  {
    pattern: /returned error: 401|authentication failed|could not read (username|password)|terminal prompts disabled/i,
    kind: 'refused',
    code: 'store_login_refused',
    what: 'it does not accept the login',
    hint: 'give the step github-token; at a terminal sign in with git, or set GITHUB_TOKEN',
  },
  {
    pattern: /returned error: 403|write access to repository not granted|permission to .* denied|permission denied/i,
    kind: 'refused',
    code: 'store_forbidden',
    what: 'the login may not do this there',
    hint: 'give the job the permission contents: read to compare and contents: write to promote or to keep a history; a fork’s pull request never has it',
  },
  {
    pattern: /returned error: 404|repository .*not found|does not appear to be a git repository|not a git repository/i,
    kind: 'refused',
    code: 'store_not_found',
    what: 'there is no such repository for this login',
    hint: 'look at the address, and give the job the permission contents: read',
  },
  {
    pattern: /returned error: (429|5\d\d)/i,
    kind: 'transient',
    code: 'store_unreachable',
    what: 'the server does not serve now',
    hint: `run the step again in a while; ${KEPT}`,
  },
  {
    pattern: /ssl certificate|server certificate|certificate verif|tls|ssl_/i,
    kind: 'refused',
    code: 'store_untrusted',
    what: 'its certificate is not trusted',
    hint: 'tell git of your authority: git config --global http.sslCAInfo FILE',
  },
  {
    pattern:
      /could not resolve|failed to connect|couldn't connect|could ?n.t connect to server|connection (refused|reset|timed out|closed)|network is unreachable|early eof|hung up|rpc failed|empty reply|operation too slow|unexpected (disconnect|flush|eof)|recv failure|send failure|timed out/i,
    kind: 'transient',
    code: 'store_unreachable',
    what: 'the server cannot be reached',
    hint: `look to the network and to the proxy, then run the step again; ${KEPT}`,
  },
]

/** What a fetch came to. `shown` names what is kept, and where, in messages. */
export function fetchAnswer(end: GitEnd, shown: string, deadlineMs: number): ServerAnswer {
  if (end.exitCode === 0 && !end.isTimedOut) return { kind: 'done' }
  if (/couldn't find remote ref|remote branch .* not found/i.test(end.stderr)) return { kind: 'branch_missing' }
  return failure(end, `cannot read ${shown}`, deadlineMs)
}

/** The server has no longer what was fetched a moment ago: what is made of its newest commit then may succeed. */
const PARENT_GONE = /shallow update not allowed|missing necessary objects|unresolved deltas left/i

/** What a push came to, from its porcelain lines. */
export function pushAnswer(end: GitEnd, shown: string, deadlineMs: number): ServerAnswer {
  const doing = `cannot write ${shown}`
  const refused = /^!\t[^\t]*\t(.*)$/m.exec(end.stdout.toString('utf8'))?.[1]
  if (refused === undefined) return end.exitCode === 0 ? { kind: 'done' } : failure(end, doing, deadlineMs)
  if (
    /stale info|fetch first|non-fast-forward|needs force|cannot lock ref|failed to (update|lock) ref|incorrect old value|already exists|unable to (create|lock)/i.test(
      refused,
    )
  ) {
    const hint = `run the step again when fewer write at once; ${KEPT}`
    const message = `${doing}: others were first in every try`
    return { kind: 'conflict', error: new GateError({ code: 'store_busy', message, hint }) }
  }
  const said = remoteLines(end.stderr)
  const message = `${doing}: the server refused it: ${printableLine(`${refused} ${said}`, 500)}`
  if (PARENT_GONE.test(`${refused} ${end.stderr}`)) {
    const hint = `run the step again: the branch was rewritten or removed while it was written to; ${KEPT}`
    return { kind: 'transient', error: new GateError({ code: 'store_rewritten', message, hint }) }
  }
  const hint = `let the workflow push to this branch (branch protection, rulesets, required signatures, hooks); ${KEPT}`
  return { kind: 'refused', error: new GateError({ code: 'store_push_refused', message, hint }) }
}

function failure(end: GitEnd, doing: string, deadlineMs: number): ServerAnswer {
  if (end.isTimedOut) {
    const message = `${doing}: no answer within ${Math.round(deadlineMs / 1000)} s`
    const hint = `look to the network and to the proxy, then run the step again; ${KEPT}`
    return { kind: 'transient', error: new GateError({ code: 'store_timed_out', message, hint }) }
  }
  const said = printableLine(end.stderr, 300)
  const known = REFUSALS.find(({ pattern }) => pattern.test(end.stderr))
  if (known === undefined) {
    const message = `${doing}: ${said === '' ? `git ended with ${end.exitCode}` : said}`
    return {
      kind: 'refused',
      error: new GateError({ code: 'store_failed', message, hint: `mend what git says; ${KEPT}` }),
    }
  }
  const { kind, code, what, hint } = known
  return { kind, error: new GateError({ code, message: `${doing}: ${what} (${said})`, hint }) }
}

function remoteLines(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.startsWith('remote:'))
  return lines.map((line) => line.slice('remote:'.length).trim()).join(' ')
}
