import { parseCapacityRecord, parseVerdict, recordSha256 } from '../core/gate/read.ts'
import { GateError } from '../core/kernel/errors.ts'
import { sha256Hex } from '../core/kernel/hash.ts'
import { safeUrl } from '../core/report/context.ts'
import { parseContextFile } from '../core/report/context-file.ts'
import { decideSignOff } from '../core/signoff/decide.ts'
import type { SignOffInput } from '../core/signoff/gather.ts'
import type { AcceptedDigests, PackEvidence, UnreadablePack } from '../core/signoff/evidence.ts'
import type { SignOff } from '../core/signoff/sign-off.ts'
import { readPackText } from './point/files.ts'
import type { Pack } from './ports/pack.ts'
import type { BaselineStore } from './ports/store.ts'
import { CONTEXT_FILE } from './run/finish.ts'
import { verifyPack } from './verify/verify.ts'

export interface SignOffRequest extends Omit<SignOffInput, 'packs' | 'accepted'> {
  /** What each is called in the record, and the pack itself or why it could not be opened. */
  packs: readonly { source: string; pack: Pack | GateError }[]
  /** Where baselines are kept; null where none is named. */
  store: BaselineStore | null
}

/** Verifies every pack from its raw files and decides. A pack that cannot be read is refused; a store that cannot be read throws. */
export async function signOff(request: SignOffRequest): Promise<SignOff> {
  const packs: (PackEvidence | UnreadablePack)[] = []
  for (const { source, pack } of request.packs) {
    packs.push(pack instanceof GateError ? unreadable(source, pack) : await evidenceOf(source, pack))
  }
  return decideSignOff({ ...request, packs, accepted: await acceptedDigests(request.store, packs) })
}

async function evidenceOf(source: string, pack: Pack): Promise<PackEvidence | UnreadablePack> {
  try {
    const { discrepancies, unverified } = await verifyPack(pack)
    const capacity = await readPackText(pack, 'capacity.json')
    const { context } = parseContextFile(await readPackText(pack, CONTEXT_FILE))
    return {
      kind: 'pack',
      source,
      record: parseCapacityRecord(capacity),
      verdict: parseVerdict(await readPackText(pack, 'verdict.json')),
      url: safeUrl(context.runUrl),
      capacitySha256: sha256Hex(capacity),
      manifestSha256: sha256Hex(await readPackText(pack, 'workload-manifest.yaml')),
      faults: discrepancies.map(({ path, text }) => `${path} ${text}`),
      unverified: unverified.map(({ path, text }) => `${path}: ${text}`),
    }
  } catch (error) {
    if (error instanceof GateError) return unreadable(source, error)
    throw error
  }
}

function unreadable(source: string, { code, message }: GateError): UnreadablePack {
  return { kind: 'unreadable', source, code, text: message }
}

async function acceptedDigests(
  store: BaselineStore | null,
  packs: readonly (PackEvidence | UnreadablePack)[],
): Promise<AcceptedDigests> {
  const first = packs.find((pack) => pack.kind === 'pack')
  if (store === null || first === undefined) return null
  const { gateId, kind, hardware } = first.record
  const { baseline, anchor } = await store.load({ gateId, kind, mustEqual: hardware.mustEqual })
  // A store of a single file has no history.
  const all = [...(await store.history({ gateId, kind })), ...(baseline === null ? [] : [baseline])].map(recordSha256)
  return { all, current: baseline && recordSha256(baseline), anchor: anchor && recordSha256(anchor) }
}
