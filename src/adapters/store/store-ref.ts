import { EXIT, GateError } from '../../core/kernel/errors.ts'

/** Where baselines or a history are kept, as a user names it. A branch's folder is '' for its root. */
export type StoreRef =
  { kind: 'dir'; path: string } | { kind: 'file'; path: string } | { kind: 'branch'; branch: string; folder: string }

const LONGEST_NAME = 200

/** What is kept there, for messages: a history is never one file that is only read. */
type Kept = 'baselines' | 'a history'

/**
 * Reads `branch:NAME[:FOLDER]`, `dir:PATH`, or for baselines `file:PATH`. Throws GateError `store_ref_invalid`, exit 64.
 */
export function parseStoreRef(ref: string, kept: 'a history'): Exclude<StoreRef, { kind: 'file' }>
export function parseStoreRef(ref: string, kept?: Kept): StoreRef
export function parseStoreRef(ref: string, kept: Kept = 'baselines'): StoreRef {
  const [, kind, rest] = /^([a-z]+):(.+)$/s.exec(ref) ?? []
  const isPath = rest !== undefined && !rest.includes('\0')
  if (isPath && kind === 'dir') return { kind, path: rest }
  if (isPath && kind === 'file' && kept === 'baselines') return { kind, path: rest }
  if (kind === 'branch' && rest !== undefined) return branchRef(ref, rest, kept)
  throw invalid(ref, kept, `it names no place for ${kept}`, PLACES[kept])
}

const PLACES: Readonly<Record<Kept, string>> = {
  baselines:
    'use branch:NAME for a branch of this repository, dir:PATH for a folder of accepted records, or file:PATH for one capacity.json',
  'a history': 'use branch:NAME for a branch of this repository, or dir:PATH for a folder',
}

function branchRef(ref: string, rest: string, kept: Kept): StoreRef {
  const colon = rest.indexOf(':')
  const branch = colon < 0 ? rest : rest.slice(0, colon)
  const folder = colon < 0 ? '' : rest.slice(colon + 1).replace(/\/$/, '')
  const example = kept === 'baselines' ? 'branch:capacity-baselines' : 'branch:capacity-history'
  if (!isBranchName(branch)) {
    throw invalid(ref, kept, 'it is no name of a branch', `use letters, digits and . _ - / as in ${example}`)
  }
  if (colon >= 0 && !isFolder(folder)) {
    throw invalid(ref, kept, 'its folder is none', `name it from the root of the branch, as in ${example}:h100`)
  }
  return { kind: 'branch', branch, folder }
}

/** Stricter than git: nothing that a program could take for an option, a range, a path out of the place, or another ref's name. */
function isBranchName(name: string): boolean {
  const isPlain = /^[A-Za-z0-9_][A-Za-z0-9._/-]*$/.test(name) && name.length <= LONGEST_NAME
  const isRef = /^refs(\/|$)|^HEAD$|^[0-9a-f]{40}$/.test(name)
  return isPlain && !isRef && !/\.\.|\/\/|\/\.|\.$|\/$|\.lock(\/|$)/.test(name)
}

function isFolder(folder: string): boolean {
  const parts = folder.split('/')
  return (
    folder.length <= LONGEST_NAME &&
    parts.every((part) => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(part)) &&
    parts.length < 20
  )
}

function invalid(ref: string, kept: Kept, why: string, hint: string): GateError {
  const message = `${JSON.stringify(ref.slice(0, LONGEST_NAME))} cannot be used for ${kept}: ${why}`
  return new GateError({ code: 'store_ref_invalid', message, hint, exitCode: EXIT.usage })
}
