import type { CapacityRecord } from '../core/capacity/record.ts'
import type { AcceptedLoss } from '../core/gate/accepted/loss.ts'
import { gate } from '../core/gate/gate.ts'
import type { OnHostChange } from '../core/gate/host-proof.ts'
import { parseVerdict } from '../core/gate/read.ts'
import type { Outcome } from '../core/gate/verdict.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import { differingFields, gateId, identify } from '../core/manifest/identity.ts'
import type { Manifest } from '../core/manifest/schema.ts'
import type { ReportContext, ReportInput } from '../core/report/context.ts'
import { packRecord } from './gate-pack.ts'
import { readPackText } from './point/files.ts'
import type { Pack } from './ports/pack.ts'
import type { Sources } from './ports/sources.ts'
import type { BaselineStore } from './ports/store.ts'
import type { Discrepancy } from './verify/discrepancy.ts'
import { readPackManifest } from './verify/manifest.ts'
import { verifyPack } from './verify/verify.ts'

/** What is asked of a pack that another job left. Nothing here may come from the pack. */
export interface ForeignRequest {
  /** The manifest that is checked out here. */
  manifest: Manifest
  /** The files beside that manifest. */
  sources: Sources
  onMissingBaseline: 'fail' | 'record'
  onHostChange: OnHostChange
  /** Those of this checkout. */
  acceptedLosses: readonly AcceptedLoss[]
  isFork: boolean
  context: ReportContext
}

/** Discrepancies named in a refusal. */
const NAMED = 3

/**
 * The verdict on a pack that is not believed: gate and experiment must be those of this checkout, every number must follow from its raw
 * files, and the comparison is made here, with the baseline that is accepted here. Its own verdict, baseline and reports decide nothing.
 * Throws GateError (exit 4): `gate_differs`, `experiment_differs`, `pack_inconsistent`, and those of files that are missing or damaged.
 */
export async function judgeForeignPack(
  pack: Pack,
  store: BaselineStore,
  request: ForeignRequest,
): Promise<ReportInput> {
  const { manifest, sources, onMissingBaseline, onHostChange, acceptedLosses, isFork, context } = request
  const record = await packRecord(pack)
  requireGate(record, manifest)
  await requireExperiment(pack, manifest)
  const { discrepancies, unverified } = await verifyPack(pack, sources)
  if (discrepancies.length > 0) throw inconsistent(discrepancies)
  const { kind, hardware } = record
  const { baseline, anchor } = await store.load({ gateId: record.gateId, kind, mustEqual: hardware.mustEqual })
  const verdict = gate({ candidate: record, baseline, anchor, onMissingBaseline, onHostChange, acceptedLosses })
  const packOutcome = await ownOutcome(pack)
  const recheck = { isFork, packOutcome, unbuiltSchedules: unverified.length }
  return { record, verdict, baseline, anchor, context: { ...context, recheck } }
}

/** Throws GateError `gate_differs` (exit 4) for the record of another gate than the checked-out manifest's. */
export function requireGate(record: CapacityRecord, manifest: Manifest): void {
  const own = gateId(manifest)
  if (record.gateId === own) return
  throw new GateError({
    code: 'gate_differs',
    message: `the pack is of the gate ${record.gateId.slice(0, 80)}, and the manifest that is checked out here of ${own}`,
    hint: 'name the manifest of that gate in the input manifest; where the change renames the gate, merge that first',
    exitCode: EXIT.invalid,
  })
}

/**
 * Another experiment compares with nothing that is accepted here, and would have schedules of any size built: what it takes to compute a
 * pack again is bounded by this checkout's own.
 */
async function requireExperiment(pack: Pack, manifest: Manifest): Promise<void> {
  const measured = await readPackManifest(pack)
  if (measured.manifest === null) throw inconsistent(measured.discrepancies)
  const [own, other] = [identify(manifest).experiment, identify(measured.manifest).experiment]
  if (own.sha256 === other.sha256) return
  const fields = differingFields(own.value, other.value).map(({ path }) => path)
  throw new GateError({
    code: 'experiment_differs',
    message: `the pack was measured under another experiment than the manifest that is checked out here: ${listed(fields)}`,
    hint: 'where that is meant, merge it first and accept a new baseline; capacities of two experiments do not compare',
    exitCode: EXIT.invalid,
  })
}

function listed(items: readonly string[]): string {
  const rest = items.length > NAMED ? `, and ${items.length - NAMED} more` : ''
  return `${items.slice(0, NAMED).join(', ')}${rest}`
}

function inconsistent(discrepancies: readonly Discrepancy[]): GateError {
  const named = discrepancies.map(({ path, text }) => `${path} ${text}`)
  return new GateError({
    code: 'pack_inconsistent',
    message: `the pack does not follow from its own raw files: ${listed(named)}`,
    hint: 'publish the pack whole, as the run wrote it; what was changed since is not shown',
    exitCode: EXIT.invalid,
  })
}

/** What the job that measured concluded: told beside the verdict, and never in its place. */
async function ownOutcome(pack: Pack): Promise<Outcome | null> {
  try {
    return parseVerdict(await readPackText(pack, 'verdict.json')).outcome
  } catch (error) {
    if (error instanceof GateError) return null
    throw error
  }
}
