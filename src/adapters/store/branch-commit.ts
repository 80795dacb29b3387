import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { GateError } from '../../core/kernel/errors.ts'
import type { AcceptedFiles, AddedFile } from './accepted-files.ts'
import type { BranchCopy, BranchPlace } from './branch-copy.ts'
import { openBranchCopy } from './branch-copy.ts'
import type { GitOptions } from './git-program.ts'
import type { ServerAnswer } from './git-refusal.ts'

export interface BranchOptions extends Pick<GitOptions, 'env'> {
  deadlineMs?: number
  /** Tries to be the one whose commit follows the newest. */
  tries?: number
  /** Waits between two tries; shorter in tests. */
  wait?: (milliseconds: number) => Promise<unknown>
}

/** One commit: files put there, each as new or in the place of the one that has its name. */
export interface BranchChange {
  files: readonly AddedFile[]
  message: string
}

const DEADLINE_MS = 120_000
/** With ten others at it, each round lets one through. */
const TRIES = 40
/** Tries against a server that does not serve. */
const TRANSIENT_TRIES = 4
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5000

/** Looks at the files of a branch's newest commit; a branch that is missing has none. */
export async function readBranch<T>(
  place: BranchPlace,
  options: BranchOptions,
  look: (files: AcceptedFiles) => Promise<T>,
): Promise<T> {
  await using copy = await openCopy(place, options)
  await fetched(copy, options.wait ?? delay)
  return await look(copy.files)
}

/**
 * Commits what `change` makes of the branch's newest commit, nothing where that is null; a branch that is missing is made, as an orphan. Who is
 * not first takes the newest commit and makes it of that, so that nothing that another wrote is ever replaced unseen. A push whose
 * answer was lost may have reached the branch: what is there already is not made again.
 */
export async function commitToBranch(
  place: BranchPlace,
  options: BranchOptions,
  change: (files: AcceptedFiles) => Promise<BranchChange | null>,
): Promise<void> {
  const { wait = delay, tries = TRIES } = options
  await using copy = await openCopy(place, options)
  let pushed: readonly AddedFile[] | null = null
  let failures = 0
  for (let attempt = 1; ; attempt += 1) {
    await fetched(copy, wait)
    if (pushed !== null && (await copy.holds(pushed))) return
    const made = await change(copy.files)
    if (made === null) return
    const answer = await copy.push(made.files, made.message)
    if (answer.kind === 'done') return
    const error = errorOf(answer)
    if (answer.kind === 'transient') failures += 1
    else if (answer.kind !== 'conflict') throw error
    if (failures === TRANSIENT_TRIES || attempt === tries) throw error
    pushed = made.files
    await wait(waitMs(attempt))
  }
}

function openCopy(place: BranchPlace, { env, deadlineMs = DEADLINE_MS }: BranchOptions): Promise<BranchCopy> {
  return openBranchCopy(place, { env, deadlineMs })
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

function errorOf(answer: Exclude<ServerAnswer, { kind: 'done' }>): GateError {
  if ('error' in answer) return answer.error
  throw new Error('a push does not miss its branch')
}

/** Drawn, so that writers who met once do not meet again. */
function waitMs(attempt: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt - 1, 10))
  return randomInt(Math.ceil(longest / 4), longest + 1)
}
