import { milliRps } from '../core/capacity/guard-rate.ts'
import type { CapacityRecord } from '../core/capacity/record.ts'
import { floorsFor } from '../core/gate/accepted/loss.ts'
import type { AcceptedLosses } from '../core/gate/accepted/loss.ts'
import { readAcceptedLosses } from '../core/gate/accepted/read.ts'
import type { AcceptedFacts } from '../core/gate/accepted/rules.ts'
import { readTerms } from '../core/gate/terms.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import { errorHint } from '../core/manifest/finding.ts'
import type { Finding } from '../core/manifest/finding.ts'
import { gateId, identify } from '../core/manifest/identity.ts'
import { readManifest } from '../core/manifest/read.ts'
import type { Manifest } from '../core/manifest/schema.ts'
import type { LintResult } from './lint.ts'

/** The file of accepted losses, with its name for messages. */
export interface AcceptedLossesText {
  file: string
  text: string
}

/** What a manifest's accepted losses are judged by on a day. */
export function acceptedFacts(manifest: Manifest, asOf: string): AcceptedFacts {
  const minimum = manifest.acceptance.min_capacity_rps
  return { asOf, gateId: gateId(manifest), minCapacityMilliRps: minimum === undefined ? null : milliRps(minimum) }
}

/** The same of a record, which holds the terms by which it was judged. */
export function recordAcceptedFacts(record: CapacityRecord, asOf: string): AcceptedFacts {
  return { asOf, gateId: record.gateId, minCapacityMilliRps: readTerms(record)?.minCapacityMilliRps ?? null }
}

/** The floors of losses that were accepted of this very subject. */
export function acceptedFloorsOf(manifest: Manifest, accepted: AcceptedLosses | null): ReturnType<typeof floorsFor> {
  const owner = { gateId: gateId(manifest), subjectSha256: identify(manifest).subject.sha256 }
  return floorsFor(accepted?.losses ?? [], owner)
}

export type AcceptedLint = Pick<LintResult, 'file' | 'errors' | 'warnings' | 'findings'>

/** Every finding of a file of accepted losses, held to a manifest's own minimum where that is valid. Never throws for what they hold. */
export function lintAcceptedLosses(
  { file, text }: AcceptedLossesText,
  manifestText: string,
  asOf: string,
): AcceptedLint {
  const { manifest } = readManifest(manifestText, { level: 'valid' })
  const facts = manifest === null ? { asOf, gateId: '', minCapacityMilliRps: null } : acceptedFacts(manifest, asOf)
  const { findings } = readAcceptedLosses(text, facts)
  const errors = findings.filter(({ severity }) => severity === 'error').length
  return { file, errors, warnings: findings.length - errors, findings }
}

/**
 * Accepted losses that must be good to go on with. An expired one is no error: it is a warning, and ignored. Throws GateError
 * `accepted_invalid` (exit 4) that names the first error and its place.
 */
export function requireAcceptedLosses(
  { file, text }: AcceptedLossesText,
  facts: AcceptedFacts,
): AcceptedLosses & { warnings: Finding[] } {
  const { findings, losses } = readAcceptedLosses(text, facts)
  if (losses !== null) return { text, asOf: facts.asOf, losses, warnings: findings }
  const errors = findings.filter(({ severity }) => severity === 'error')
  const [first] = errors
  const where = first === undefined ? file : `${file}:${first.line}:${first.column}`
  const path = first === undefined || first.path === '' ? '' : `${first.path}: `
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  throw new GateError({
    code: 'accepted_invalid',
    message: `${where}: ${path}${first?.message ?? 'the accepted losses cannot be read'}${more}`,
    hint: first === undefined ? 'mend the file' : errorHint(first),
    exitCode: EXIT.invalid,
  })
}
