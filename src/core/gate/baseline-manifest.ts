import type { CapacityRecord } from '../capacity/record.ts'
import { identify } from '../manifest/identity.ts'
import type { Manifest } from '../manifest/schema.ts'
import { withSubject } from '../manifest/with-subject.ts'

/** The manifest by which a baseline's revision is deployed again, or why there is none. */
export type BaselineManifest = { manifest: Manifest } | { why: string }

/**
 * The manifest of a run with the subject of its baseline's record in place of its own. The record comes from a file: what it asks to be
 * deployed must give its own hash, and is held to every rule of a manifest. Without the declared minimum: it is asked for what it carried.
 */
export function baselineManifest(manifest: Manifest, { subject }: CapacityRecord): BaselineManifest {
  if (manifest.engine.deploy?.kind === 'endpoint') {
    return { why: 'the engine is somebody else’s endpoint, where no other revision can be started' }
  }
  if (subject.value === undefined) return { why: 'its record does not hold its whole subject' }
  const { findings, manifest: read } = withSubject(manifest, subject.value)
  if (read === null) {
    const first = findings.find(({ severity }) => severity === 'error')
    return { why: `its subject does not fit this manifest: ${first?.path ?? ''}: ${first?.message ?? ''}` }
  }
  const [asked, own] = [identify(read), identify(manifest)]
  if (asked.subject.sha256 !== subject.sha256) return { why: 'its record’s subject does not give its own hash' }
  if (asked.experiment.sha256 !== own.experiment.sha256) return { why: 'its subject changes the experiment' }
  const { min_capacity_rps: _minimum, ...acceptance } = read.acceptance
  return { manifest: { ...read, acceptance } }
}
