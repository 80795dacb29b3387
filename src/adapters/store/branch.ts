import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { BaselineStore } from '../../app/ports/store.ts'
import type { CapacityRecord } from '../../core/capacity/record.ts'
import type { Promotion } from '../../core/gate/promotion-schema.ts'
import type { GateError } from '../../core/kernel/errors.ts'
import { printableLine } from '../system/bounded-http.ts'
import type { AcceptedFiles, AddedFile } from './accepted-files.ts'
import { filesToAdd, loadAccepted, loadHistory, recordPlace } from './accepted-files.ts'
import type { BranchCopy, BranchPlace } from './branch-copy.ts'
import { openBranchCopy } from './branch-copy.ts'
import type { GitOptions } from './git-program.ts'
import { shownUrl } from './git-program.ts'
import type { ServerAnswer } from './git-refusal.ts'

export interface BranchStoreOptions extends Pick<GitOptions, 'env'> {
  deadlineMs?: number
  /** Tries to be the one whose commit follows the newest. */
  tries?: number
  /** Waits between two tries; shorter in tests. */
  wait?: (milliseconds: number) => Promise<unknown>
}

const DEADLINE_MS = 120_000
/** With ten others at it, each round lets one through. */
const TRIES = 40
/** Tries against a server that does not serve. */
const TRANSIENT_TRIES = 4
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5000

/**
 * Accepted records on an orphan branch of a repository, laid out as `AcceptedFiles` says; one commit a promotion. A branch that is
 * missing holds nothing, and the first promotion makes it. Who is not first takes the newest commit and adds to that: nothing that
 * another wrote is ever replaced.
 */
export function branchStore(place: BranchPlace, options: BranchStoreOptions): BaselineStore {
  const git = { env: options.env, deadlineMs: options.deadlineMs ?? DEADLINE_MS }
  const wait = options.wait ?? delay
  const tries = options.tries ?? TRIES
  const read = async <T>(look: (files: AcceptedFiles) => Promise<T>): Promise<T> => {
    await using copy = await openBranchCopy(place, git)
    await fetched(copy, wait)
    return await look(copy.files)
  }
  const suffix = place.folder === '' ? '' : `:${place.folder}`
  return {
    location: `branch:${place.branch}${suffix} of ${shownUrl(place.remote.url)}`,
    load: (key) => read((files) => loadAccepted(files, key)),
    history: (key) => read((files) => loadHistory(files, key)),
    async accept(record, promotion) {
      await using copy = await openBranchCopy(place, git)
      await add(copy, record, promotion, { wait, tries })
      return { path: copy.files.shown(recordPlace(record)) }
    },
  }
}

type Wait = (milliseconds: number) => Promise<unknown>

async function fetched(copy: BranchCopy, wait: Wait): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await copy.fetch()
    if (answer.kind === 'done' || answer.kind === 'branch_missing') return
    if (answer.kind !== 'transient' || attempt === TRANSIENT_TRIES) throw answer.error
    await wait(waitMs(attempt))
  }
}

/**
 * Adds until it is added. A push whose answer was lost may have reached the branch: what is there already is not added again under
 * another number.
 */
async function add(
  copy: BranchCopy,
  record: CapacityRecord,
  promotion: Promotion,
  { wait, tries }: { wait: Wait; tries: number },
): Promise<void> {
  let pushed: readonly AddedFile[] | null = null
  let failures = 0
  for (let attempt = 1; ; attempt += 1) {
    await fetched(copy, wait)
    if (pushed !== null && (await copy.holds(pushed))) return
    const added = await filesToAdd(copy.files, record, promotion)
    const answer = await copy.push(added, commitMessage(record, promotion))
    if (answer.kind === 'done') return
    const error = errorOf(answer)
    if (answer.kind === 'transient') failures += 1
    else if (answer.kind !== 'conflict') throw error
    if (failures === TRANSIENT_TRIES || attempt === tries) throw error
    pushed = added
    await wait(waitMs(attempt))
  }
}

function errorOf(answer: Exclude<ServerAnswer, { kind: 'done' }>): GateError {
  if ('error' in answer) return answer.error
  throw new Error('a push does not miss its branch')
}

/** Drawn, so that writers who met once do not meet again. */
function waitMs(attempt: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt - 1, 10))
  return randomInt(Math.ceil(longest / 4), longest + 1)
}

function commitMessage({ gateId, kind, commit }: CapacityRecord, promotion: Promotion): string {
  const line = (text: string) => printableLine(text, 500)
  const facts = [
    `Accepted-by: ${line(promotion.acceptedBy)}`,
    ...promotion.approvedBy.map((name) => `Approved-by: ${line(name)}`),
    ...(promotion.run === null ? [] : [`Run: ${line(promotion.run)}`]),
    ...(commit === null ? [] : [`Measured-at: ${line(commit)}`]),
  ]
  const as = promotion.anchor ? 'baseline and anchor' : 'baseline'
  return `Accept the ${as} of ${printableLine(gateId, 100)} (${kind})\n\n${line(promotion.reason)}\n\n${facts.join('\n')}\n`
}
