import type { Manifest } from '../../core/manifest/schema.ts'
import { readManifest } from '../../core/manifest/read.ts'
import type { Pack } from '../ports/pack.ts'
import type { Discrepancy } from './discrepancy.ts'

/** The manifest that the pack was measured under, its subject overridden as it was. */
export async function readPackManifest(
  pack: Pack,
): Promise<{ manifest: Manifest | null; discrepancies: Discrepancy[] }> {
  const path = 'workload-manifest.yaml'
  const bytes = await pack.read(path)
  if (bytes === null) return { manifest: null, discrepancies: [{ code: 'manifest', path, text: 'is not there' }] }
  const subject = await pack.read('subject.yaml')
  const override = subject === null ? {} : { subject: new TextDecoder().decode(subject) }
  const { manifest, findings } = readManifest(bytes, { level: 'valid', ...override })
  const discrepancies = findings
    .filter((finding) => manifest === null && finding.severity === 'error')
    .map((finding): Discrepancy => ({ code: 'manifest', path, text: `line ${finding.line}: ${finding.message}` }))
  return { manifest, discrepancies }
}
