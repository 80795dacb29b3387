import type { DeployOrder } from '../../app/ports/engine.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import { portListeners } from '../system/port-listeners.ts'
import { identityEvidence } from './identity.ts'
import type { ReplicaLaunch } from './launch-plan.ts'

/** Whether a process is one of a replica's own; null where that cannot be seen from here. */
type OwnsProcess = (replica: number, pid: number) => Promise<boolean | null>

/**
 * `identity.listener`: whether what listens on each replica's port is the replica itself, and not something that came between, whatever
 * version and model that tells. Unknown, and then not required, where the system does not show who listens.
 */
export async function listenerIdentity(
  order: DeployOrder,
  replicas: readonly ReplicaLaunch[],
  owns: OwnsProcess,
): Promise<Evidence> {
  let unseen: string | null = null
  for (const { index, port } of replicas) {
    const sockets = await portListeners(port)
    if (sockets === null || sockets.length === 0) unseen ??= `who listens on port ${port} cannot be seen from here`
    for (const pids of sockets ?? []) {
      const owned = await Promise.all(pids.map((pid) => owns(index, pid)))
      if (owned.includes(true)) continue
      const stranger = pids[owned.indexOf(false)]
      if (stranger !== undefined) {
        const text = `port ${port} is held by process ${stranger}, which is none of replica ${index}’s`
        return identityEvidence(order, 'listener', { state: 'fail', text })
      }
      unseen ??= `whose process listens on port ${port} cannot be seen from here`
    }
  }
  if (unseen !== null) {
    return { ...identityEvidence(order, 'listener', { state: 'unknown', text: unseen }), required: false }
  }
  const text = `${replicas.length} × the replica itself listens on its port`
  return identityEvidence(order, 'listener', { state: 'pass', text })
}
