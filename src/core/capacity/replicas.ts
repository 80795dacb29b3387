import { EXIT, GateError } from '../kernel/errors.ts'

export interface ReplicaNeed {
  /** The SLO-compliant capacity that was measured, with this many replicas. */
  capacityRps: number
  replicas: number
  gpusPerReplica: number
  peakRps: number
  /** Share of the capacity that may be used at the peak. */
  utilization: number
}

export interface ReplicaPlan {
  perReplicaRps: number
  requiredReplicas: number
  requiredGpus: number
  /** What today's replicas carry under the same policy. */
  currentCarryRps: number
  label: 'estimate'
}

/**
 * Replicas = ⌈peak / (capacity a replica × utilization)⌉. Linear: an estimate until the larger topology was measured itself.
 *
 * @throws GateError `plan_input` (exit 64) for a number that is not positive, a part of a replica, or a utilization above 1
 */
export function planReplicas(need: ReplicaNeed): ReplicaPlan {
  const { capacityRps, replicas, gpusPerReplica, peakRps, utilization } = need
  requirePositive('the capacity', capacityRps)
  requirePositive('the number of replicas', replicas, true)
  requirePositive('the peak', peakRps)
  requirePositive('the utilization', utilization)
  if (!Number.isInteger(gpusPerReplica) || gpusPerReplica < 0) throw refusal('the GPUs a replica', gpusPerReplica)
  if (utilization > 1) throw refusal('the utilization', utilization)
  const perReplicaRps = capacityRps / replicas
  // Less a part in a billion: 36 / (6 × 0.75) must stay 8 where its factors are not exact in binary.
  const requiredReplicas = Math.max(1, Math.ceil((peakRps / (perReplicaRps * utilization)) * (1 - 1e-9)))
  return {
    perReplicaRps,
    requiredReplicas,
    requiredGpus: requiredReplicas * gpusPerReplica,
    currentCarryRps: capacityRps * utilization,
    label: 'estimate',
  }
}

function requirePositive(what: string, value: number, whole = false): void {
  if (!Number.isFinite(value) || value <= 0 || (whole && !Number.isInteger(value))) throw refusal(what, value)
}

function refusal(what: string, value: number): GateError {
  return new GateError({
    code: 'plan_input',
    message: `${what} cannot be ${value}`,
    hint: 'rates above zero, whole replicas and GPUs, and a utilization above 0 and at most 1',
    exitCode: EXIT.usage,
  })
}
