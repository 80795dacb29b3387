import type { Manifest } from '../manifest/schema.ts'

/** Which GPUs a run uses. */
export interface Claim {
  uuids: string[]
  /** GPUs that the manifest names and the machine does not have, as the manifest writes them. */
  missing: string[]
}

/**
 * The GPUs that a manifest's engine uses, of those that the machine has, in nvidia-smi's order: the indices of `deploy.gpus`, else what
 * CUDA_VISIBLE_DEVICES says, else the first `placement.gpus`. Null where it cannot be told: an endpoint on a machine with other GPUs.
 */
export function claimedGpus(
  { engine }: Pick<Manifest, 'engine'>,
  gpus: readonly { uuid: string; index: number }[],
): Claim | null {
  const { deploy, placement } = engine
  const inOrder = gpus.toSorted((a, b) => a.index - b.index)
  if (placement.gpus === 0) return { uuids: [], missing: [] }
  if (deploy === undefined || deploy.kind === 'endpoint') {
    return gpus.length === placement.gpus ? { uuids: inOrder.map(({ uuid }) => uuid), missing: [] } : null
  }
  const named = 'gpus' in deploy && Array.isArray(deploy.gpus) ? deploy.gpus.flat().map(String) : null
  return resolve(named ?? visible(deploy.env) ?? firstNumbers(placement.gpus), inOrder)
}

function visible(env: Readonly<Record<string, string>>): string[] | null {
  const listed = env['CUDA_VISIBLE_DEVICES']?.split(',').map((item) => item.trim())
  return listed && listed.every((item) => /^(?:\d{1,4}|GPU-[0-9a-f-]+)$/i.test(item)) ? listed : null
}

function firstNumbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index))
}

/** A UUID may be shortened to what tells it from the others. */
function resolve(named: readonly string[], gpus: readonly { uuid: string; index: number }[]): Claim {
  const claim: Claim = { uuids: [], missing: [] }
  for (const name of new Set(named)) {
    const found = gpus.find(({ uuid, index }) =>
      /^\d+$/.test(name) ? index === Number(name) : uuid.toLowerCase().startsWith(name.toLowerCase()),
    )
    if (found) claim.uuids.push(found.uuid)
    else claim.missing.push(name)
  }
  return claim
}
