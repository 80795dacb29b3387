import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileError } from '../adapters/system/file-errors.ts'
import { INPUT_LIMITS, readInputText, writeOutput } from '../adapters/system/files.ts'
import type { BaselineStore } from '../app/ports/store.ts'
import { signOff } from '../app/sign-off.ts'
import type { ExitCode } from '../core/kernel/errors.ts'
import { renderSignOff } from '../core/report/sign-off.ts'
import { checkSignOff } from '../core/signoff/check.ts'
import type { CheckedSignOff } from '../core/signoff/check.ts'
import { predicateJson, signOffExitCode, signOffPredicate } from '../core/signoff/predicate.ts'
import type { SignOffPredicate } from '../core/signoff/record-schema.ts'
import { sha256Of } from '../core/signoff/requirement.ts'
import type { Requirement } from '../core/signoff/requirement.ts'
import type { Approval, SourceRun } from '../core/signoff/sign-off.ts'
import { openPacks, readTestEvidence } from './sign-off-files.ts'
import type { PolicyFile } from './sign-off-files.ts'
import { usage } from './usage.ts'
import { TOOL_VERSION } from './version.ts'

export interface SignOffOptions {
  /** Folders of packs. */
  packs: readonly string[]
  policy: PolicyFile
  /** As the user named it; empty: the packs' own. */
  subject: string
  /** `drill=FILE`, `parity=FILE`. */
  evidence: readonly string[]
  /** Where baselines are kept; null where none was named. */
  store: BaselineStore | null
  allowSimulated: boolean
  approval: Approval | null
  packsFrom: SourceRun | null
  runUrl: string | null
  nowMs: number
  /** The folder for sign-off.json and sign-off.md. */
  out: string
}

export interface SignOffMade {
  predicate: SignOffPredicate
  predicatePath: string
  reportPath: string
  /** sign-off.md's text. */
  markdown: string
  exitCode: ExitCode
}

/** Where the record of an earlier attempt would be taken for this one's. */
export async function removeEarlierSignOff(out: string): Promise<void> {
  const { predicatePath, reportPath } = pathsIn(out)
  try {
    await Promise.all([rm(predicatePath, { force: true }), rm(reportPath, { force: true })])
  } catch (error) {
    throw fileError(error, 'write the sign-off into', out)
  }
}

function pathsIn(out: string) {
  return { predicatePath: join(out, 'sign-off.json'), reportPath: join(out, 'sign-off.md') }
}

/** Decides and writes the record, whatever it says. Throws GateError where a policy, a test result or the store cannot be read. */
export async function makeSignOff(options: SignOffOptions): Promise<SignOffMade> {
  const { policy, sha256: policySha256 } = options.policy
  const decided = await signOff({
    policy,
    policySha256,
    subject: subjectDigest(options.subject),
    packs: await openPacks(options.packs),
    tests: await readTestEvidence(options.evidence),
    store: options.store,
    allowSimulated: options.allowSimulated,
    approval: options.approval,
    packsFrom: options.packsFrom,
    nowMs: options.nowMs,
  })
  const predicate = signOffPredicate(decided, TOOL_VERSION, options.runUrl)
  const markdown = renderSignOff(predicate)
  const paths = pathsIn(options.out)
  await writeOutput(paths.predicatePath, predicateJson(predicate))
  await writeOutput(paths.reportPath, markdown)
  return { predicate, ...paths, markdown, exitCode: signOffExitCode(decided.requirements, decided.refusals) }
}

function subjectDigest(text: string): string | null {
  if (text.trim() === '') return null
  const digest = sha256Of(text)
  if (digest !== null) return digest
  throw usage(
    'the subject is no digest',
    'name it as sha256:<64 hex digits>: its image’s digest, or the hash that the report shows',
  )
}

export interface CheckOptions {
  file: string
  subject: string
  requires: readonly Requirement[]
  allowSimulated: boolean
  nowMs: number
}

/** Whether a kept sign-off still holds for a subject. Throws GateError, exit 4, for a file that is none, 64 for a subject that is no digest. */
export async function readAndCheck({ file, subject: name, ...options }: CheckOptions): Promise<CheckedSignOff> {
  const subject = subjectDigest(name)
  if (subject === null) throw usage('no subject is named', 'name the one that is to be used: sha256:<64 hex digits>')
  const text = await readInputText({ what: 'the sign-off', path: file, maximumBytes: INPUT_LIMITS.record })
  return checkSignOff({ ...options, text, file, subject })
}
