import { identify } from '../core/manifest/identity.ts'
import type { Finding, Level } from '../core/manifest/finding.ts'
import { readManifest } from '../core/manifest/read.ts'

export interface LintResult {
  file: string
  level: Level
  errors: number
  warnings: number
  findings: Finding[]
  /** Null where the manifest is not valid. */
  experimentSha256: string | null
  subjectSha256: string | null
}

/** Every finding of a manifest at a level, and, where there is no error, its two identities. Never throws for what the text holds. */
export function lint(file: string, text: string, level: Level, subject?: string): LintResult {
  const { findings, manifest } = readManifest(text, { level, ...(subject === undefined ? {} : { subject }) })
  const errors = findings.filter((finding) => finding.severity === 'error').length
  const identity = manifest === null ? null : identify(manifest)
  return {
    file,
    level,
    errors,
    warnings: findings.length - errors,
    findings,
    experimentSha256: identity?.experiment.sha256 ?? null,
    subjectSha256: identity?.subject.sha256 ?? null,
  }
}
