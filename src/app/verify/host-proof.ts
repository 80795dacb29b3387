import type { CapacityRecord, HostProof } from '../../core/capacity/record.ts'
import { capacityResult } from '../../core/capacity/result.ts'
import { parseSession } from '../../core/capacity/session.ts'
import { baselineManifest } from '../../core/gate/baseline-manifest.ts'
import { recordSha256 } from '../../core/gate/read.ts'
import { pointName } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { readPackText } from '../point/files.ts'
import type { Pack } from '../ports/pack.ts'
import { proofPack } from '../run/host-proof.ts'
import { PROOF_FOLDER } from '../run/resume.ts'
import { LIMIT_CODES } from '../run/state.ts'
import type { Discrepancy } from './discrepancy.ts'
import { judgePointsAgain } from './points.ts'
import type { PointsChecked } from './points.ts'

export interface ProofCheck {
  manifest: Manifest
  stored: HostProof
  baseline: CapacityRecord | null
  schedules: PointsChecked['schedules']
}

export interface ProofAgain {
  proof: HostProof
  discrepancies: Discrepancy[]
}

/** The proof of the machine, made again from its own raw files, with the manifest that the baseline's record gives. */
export async function proofAgain(
  pack: Pack,
  { manifest, stored, baseline, schedules }: ProofCheck,
): Promise<ProofAgain> {
  // Why its revision could not be deployed cannot follow from files.
  const { reasons } = stored
  const found = baseline === null ? { why: 'the pack holds no baseline' } : baselineManifest(manifest, baseline)
  const baselineSha256 = baseline === null ? '' : recordSha256(baseline)
  const none = { proof: { baselineSha256, capacity: [], boots: [], reasons }, discrepancies: [] }
  if ('why' in found || stored.capacity.length === 0) return none
  const own = proofPack(pack)
  const session = parseSession(await readPackText(own, 'run.json'))
  const paths = await own.list('.')
  const { reports, discrepancies } = await judgePointsAgain(own, { manifest: found.manifest, paths, schedules })
  const ordered = session.points.flatMap((name) => reports.filter((point) => pointName(point.key) === name))
  const capacity = stored.capacity.map(({ cache, plan, gpuMinutes, reasons: said }) =>
    capacityResult({
      plan,
      manifest: found.manifest,
      cache,
      baseline: baseline?.capacity.find((result) => result.cache === cache) ?? null,
      anchor: null,
      points: ordered.filter((point) => point.key.cache === cache),
      gpuMinutes,
      statesLoss: false,
      limits: said.filter(({ code }) => LIMIT_CODES.has(code)),
    }),
  )
  const boots = stored.capacity.flatMap(({ cache }) => session.states[cache]?.boots ?? [])
  return {
    proof: { baselineSha256, capacity, boots, reasons },
    discrepancies: discrepancies.map((one) => ({ ...one, path: `${PROOF_FOLDER}/${one.path}` })),
  }
}
