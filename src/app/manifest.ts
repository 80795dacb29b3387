import { EXIT, GateError } from '../core/kernel/errors.ts'
import { errorHint } from '../core/manifest/finding.ts'
import { readManifest } from '../core/manifest/read.ts'
import type { Level } from '../core/manifest/finding.ts'
import type { Manifest } from '../core/manifest/schema.ts'

export interface ManifestText {
  /** For messages: the path as the user named it. */
  file: string
  text: string
  level: Level
  /** YAML that overrides subject fields. */
  subject?: string
}

/** A manifest that must be good to go on with. Throws GateError `manifest_invalid` (exit 4) that names the first error and its place. */
export function requireManifest({ file, text, level, subject }: ManifestText): Manifest {
  const { findings, manifest } = readManifest(text, { level, ...(subject === undefined ? {} : { subject }) })
  if (manifest !== null) return manifest
  const errors = findings.filter((finding) => finding.severity === 'error')
  const [first] = errors
  const where = first ? `${file}:${first.line}:${first.column}` : file
  const path = first?.path ? `${first.path}: ` : ''
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  const asked = level === 'deployable' ? ' --deployable' : ''
  throw new GateError({
    code: 'manifest_invalid',
    message: `${where}: ${path}${first?.message ?? 'the manifest is not valid'}${more}`,
    hint: `${first === undefined ? 'mend the manifest' : errorHint(first)}; every finding: capacity-gate lint ${file}${asked}`,
    exitCode: EXIT.invalid,
  })
}
