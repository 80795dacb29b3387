import type {
  BootRecord,
  CapacityRecord,
  CapacityResult,
  HostProof,
  SubjectRecord,
} from '../../core/capacity/record.ts'
import { isSimulated } from '../../core/dialect/choose.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import { evidenceGroup } from '../../core/kernel/evidence.ts'
import type { Cache } from '../../core/kernel/point.ts'
import { gateId, identify } from '../../core/manifest/identity.ts'
import type { Manifest } from '../../core/manifest/schema.ts'

export interface RecordFacts {
  manifest: Manifest
  /** By default as the manifest's engine is. */
  kind?: CapacityRecord['kind']
  toolVersion: string
  createdAt: string
  commit: string | null
  hardware: CapacityRecord['hardware']
  schedules: Partial<Record<Cache, string>>
  results: readonly CapacityResult[]
  boots: readonly BootRecord[]
  /** Where the machine was to be proven first. */
  hostProof?: HostProof
  /** Of the whole run: whether the client could measure it. */
  evidence: readonly Evidence[]
}

/** capacity.json from the facts of one run. `selected` is filled in once the deciding state is known. */
export function capacityRecord(facts: RecordFacts): CapacityRecord {
  const { manifest } = facts
  const { experiment, subject } = identify(manifest)
  return {
    schema: 1,
    kind: facts.kind ?? (isSimulated(manifest) ? 'simulated' : 'measured'),
    layer: 'service',
    gateId: gateId(manifest),
    tool: { version: facts.toolVersion, replayProtocol: 1 },
    createdAt: facts.createdAt,
    commit: facts.commit,
    experiment,
    schedules: facts.schedules,
    subject: { ...subject, ...subjectOf(manifest) },
    identity: identityOf(facts.results),
    hardware: facts.hardware,
    boots: [...facts.boots],
    capacity: [...facts.results],
    ...(facts.hostProof === undefined ? {} : { hostProof: facts.hostProof }),
    selected: null,
    evidence: [...facts.evidence],
  }
}

function subjectOf(manifest: Manifest): Omit<SubjectRecord, 'sha256'> {
  const { name, version, deploy } = manifest.engine
  if (!deploy || deploy.kind === 'endpoint') return { name, version, image: null, argv: [], env: {} }
  const docker = deploy.kind === 'docker'
  return {
    name,
    version,
    image: docker ? deploy.image : null,
    argv: docker ? deploy.args : deploy.argv,
    env: deploy.env,
  }
}

/** What ran, as each boot proved it: the worst state of each probe over all points. */
function identityOf(results: readonly CapacityResult[]): Evidence[] {
  const worst = new Map<string, Evidence>()
  const rank = { pass: 0, unknown: 1, fail: 2 } as const
  for (const point of results.flatMap((result) => result.points)) {
    for (const evidence of point.evidence) {
      if (evidenceGroup(evidence.probe) !== 'identity') continue
      const known = worst.get(evidence.probe)
      if (!known || rank[evidence.state] > rank[known.state]) worst.set(evidence.probe, evidence)
    }
  }
  return [...worst.values()]
}
