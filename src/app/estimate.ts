import { estimateManifest } from '../core/capacity/plan-costs.ts'
import type { CostInput, ManifestEstimate } from '../core/capacity/plan-costs.ts'
import { isSimulated } from '../core/dialect/choose.ts'
import { gateId } from '../core/manifest/identity.ts'
import type { AcceptedRecords, BaselineStore } from './ports/store.ts'

const NOTHING_ACCEPTED: AcceptedRecords = { baseline: null, anchor: null }

/** What a run would take on the machine that the newest baseline is of. The machine at hand is asked nothing: it may be another. */
export async function estimateRun(
  store: BaselineStore | null,
  input: Omit<CostInput, 'baseline' | 'anchor'>,
): Promise<ManifestEstimate & { hasBaseline: boolean }> {
  const kind = isSimulated(input.manifest) ? 'simulated' : 'measured'
  const accepted = (await store?.load({ gateId: gateId(input.manifest), kind })) ?? NOTHING_ACCEPTED
  return { ...estimateManifest({ ...input, ...accepted }), hasBaseline: accepted.baseline !== null }
}
