import type { AcceptedFloor } from '../../core/capacity/accepted-floor.ts'
import type { CapacityRecord, Plan } from '../../core/capacity/record.ts'
import type { Session } from '../../core/capacity/session.ts'
import { recordSha256 } from '../../core/gate/read.ts'
import type { Cache } from '../../core/kernel/point.ts'
import { identify } from '../../core/manifest/identity.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { AcceptedRecords } from '../ports/store.ts'
import type { Schedules } from './schedules.ts'
import { scheduleDigests } from './schedules.ts'

export interface SessionFacts {
  manifest: Manifest
  plan: Plan
  caches: readonly Cache[]
  schedules: Schedules
  hardware: CapacityRecord['hardware']
  accepted: AcceptedRecords
  /** Of accepted losses, by cache state. */
  acceptedFloors: Partial<Record<Cache, AcceptedFloor>>
  startedAt: string
  plannedPoints: number
}

/** The session of a run that begins now, and what a resumed one is held to. */
export function newSession(facts: SessionFacts): Session {
  const { experiment, subject } = identify(facts.manifest)
  const digest = (record: CapacityRecord | null): string | null => (record === null ? null : recordSha256(record))
  return {
    schema: 1,
    plan: facts.plan,
    caches: [...facts.caches],
    startedAt: facts.startedAt,
    experimentSha256: experiment.sha256,
    subjectSha256: subject.sha256,
    schedules: scheduleDigests(facts.schedules),
    mustEqual: facts.hardware.mustEqual,
    recorded: facts.hardware.recorded,
    baselineSha256: digest(facts.accepted.baseline),
    anchorSha256: digest(facts.accepted.anchor),
    acceptedFloors: facts.acceptedFloors,
    states: {},
    plannedPoints: facts.plannedPoints,
    points: [],
  }
}
