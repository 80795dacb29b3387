import { INPUT_LIMITS, readInputText } from '../adapters/system/files.ts'
import { findPacks } from '../adapters/system/find-packs.ts'
import { openPack } from '../adapters/system/pack.ts'
import type { SignOffRequest } from '../app/sign-off.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import { sha256Hex } from '../core/kernel/hash.ts'
import { errorHint } from '../core/manifest/finding.ts'
import type { Finding } from '../core/manifest/finding.ts'
import { quoted } from '../core/record/refusal.ts'
import type { TestEvidence } from '../core/signoff/gather.ts'
import type { Policy } from '../core/signoff/policy-schema.ts'
import { DEFAULT_POLICY, readPolicy } from '../core/signoff/policy.ts'
import { isCapacity, isRequirement } from '../core/signoff/requirement.ts'
import type { Requirement } from '../core/signoff/requirement.ts'
import { readTestResults } from '../core/signoff/test-result.ts'
import { usage } from './usage.ts'

/** Where a repository keeps what a release must show. */
export const POLICY_PATH = '.capacity-gate/sign-off.yaml'

export interface PolicyFile {
  policy: Policy
  /** Null: there is no file. */
  sha256: string | null
}

/** Without a file: cold and warm, 30 days, no waiver. */
export const NO_POLICY: PolicyFile = { policy: DEFAULT_POLICY, sha256: null }

/** Reads a policy; every finding is told to `tell` first. Throws GateError `policy_invalid`, exit 4, that names the first. */
export async function readPolicyFile(
  path: string,
  nowMs: number,
  tell: (findings: readonly Finding[]) => void,
): Promise<PolicyFile> {
  const text = await policyText(path)
  const { findings, value } = readPolicy(text, nowMs)
  tell(findings)
  if (value !== null) return { policy: value, sha256: sha256Hex(text) }
  const [first] = findings
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : ''
  throw new GateError({
    code: 'policy_invalid',
    message: `${path}:${first?.line ?? 1}:${first?.column ?? 1}: ${first?.message ?? 'it is not valid'}${more}`,
    hint: first === undefined ? 'mend the file' : errorHint(first),
    exitCode: EXIT.invalid,
  })
}

async function policyText(path: string): Promise<string> {
  try {
    return await readInputText({ what: 'the policy', path, maximumBytes: INPUT_LIMITS.manifest })
  } catch (error) {
    if (!(error instanceof GateError) || error.code !== 'file_not_found') throw error
    const hint =
      'write it (docs/sign-off.md), or ask for cold and warm alone: leave --policy away, or in the action set sign-off-policy to nothing'
    throw new GateError({ code: error.code, message: error.message, hint, exitCode: error.exitCode })
  }
}

/** Packs, or folders of packs, at most: more would not be what a release is signed off by. */
const PACKS_MAX = 64

/** Opens packs by their folders; a folder that is none itself stands for all that lie below it. One that cannot be opened is kept as its error. */
export async function openPacks(folders: readonly string[]): Promise<SignOffRequest['packs'][number][]> {
  const paths = (await Promise.all(folders.map(packsIn))).flat()
  if (paths.length > PACKS_MAX) throw usage(`${paths.length} packs are too many`, `hand in at most ${PACKS_MAX}`)
  return Promise.all(
    paths.map(async (source) => {
      const pack = await openPack(source).catch((error: unknown) => {
        if (error instanceof GateError) return error
        throw error
      })
      return { source, pack }
    }),
  )
}

async function packsIn(folder: string): Promise<string[]> {
  try {
    return await findPacks(folder)
  } catch (error) {
    // What is no pack is refused by its own name.
    if (error instanceof GateError && error.code !== 'packs_too_many') return [folder]
    throw error
  }
}

/** Reads other tools' test results, each given as `drill=FILE` or `parity=FILE`. Throws GateError: exit 64 for another form, 4 for a bad file. */
export async function readTestEvidence(given: readonly string[]): Promise<TestEvidence[]> {
  const read = given.map(async (item): Promise<TestEvidence[]> => {
    const [name = '', ...rest] = item.split('=')
    const path = rest.join('=').trim()
    const requirement = name.trim()
    if (!isRequirement(requirement) || isCapacity(requirement) || path === '') {
      throw usage(
        `${quoted(item)} names no test result`,
        'write drill=FILE or parity=FILE; cold and warm are shown by packs',
      )
    }
    const text = await readInputText({ what: 'the test result', path, maximumBytes: INPUT_LIMITS.record })
    const sha256 = sha256Hex(text)
    return readTestResults(text, path).map((found) => ({ ...found, requirement, source: path, sha256 }))
  })
  return (await Promise.all(read)).flat()
}

/** `cold,warm,drill` as a list. Throws GateError, exit 64. */
export function requirementsOf(text: string): Requirement[] {
  const names = [...new Set(text.split(',').map((part) => part.trim()))]
  const known = names.filter(isRequirement)
  if (known.length === names.length && known.some(isCapacity)) return known
  throw usage(
    `${quoted(text)} are no requirements`,
    'write cold, warm or both, and drill or parity where they are asked for, with commas',
  )
}
