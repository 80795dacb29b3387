import { EXIT, GateError } from '../kernel/errors.ts'

/** What was measured, with how many replicas together: rates in whole milli-requests a second. */
export interface MeasuredCapacity {
  capacityMilliRps: number
  replicas: number
  gpusPerReplica: number
}

export interface ReplicaNeed extends MeasuredCapacity {
  peakMilliRps: number
  /** Share of the capacity that may be used at the peak, in whole millionths. */
  utilizationMillionths: number
  /** How many run today; as many as were measured where it is not said. */
  replicasNow?: number
  /** In any currency; null where it is not known. */
  pricePerGpuHour?: number | null
}

export interface ReplicaPlan {
  label: 'estimate'
  perReplicaRps: number
  requiredReplicas: number
  requiredGpus: number
  /** What the required replicas are used at the peak, and with one of them down; null where that was the only one. Above 1: overloaded. */
  usedShare: number
  usedOneDownShare: number | null
  replicasNow: number
  /** What today's replicas carry under the same policy, rounded down. */
  currentCarryRps: number
  /** What they carry under the policy beyond the peak; negative where they fall short. */
  headroomRps: number
  usedNowShare: number
  /** GPUs times the price; null without one. */
  costPerHour: number | null
  costPerHourNow: number | null
}

/** Replicas for each of some peaks at each of some utilizations; null where they would be beyond counting. */
export interface ReplicaTable {
  utilizationMillionths: readonly number[]
  rows: { peakMilliRps: number; replicas: (number | null)[] }[]
}

const MILLION = 1_000_000
/** Beyond these a unit was mistaken. */
const MOST_MILLI_RPS = 1e12
const MOST_REPLICAS = MILLION
const MOST_GPUS_A_REPLICA = 10_000
const HIGHEST_PRICE = 1e9

/**
 * Replicas = ⌈peak / (capacity a replica × utilization)⌉, in whole numbers alone. Linear: an estimate until the larger topology was measured
 * itself.
 *
 * @throws GateError `plan_input` (exit 64) for a number that is out of its range, or a peak that needs more than a million replicas
 */
export function planReplicas(need: ReplicaNeed): ReplicaPlan {
  requireNeed(need)
  const { capacityMilliRps: capacity, replicas, gpusPerReplica, peakMilliRps: peak, replicasNow = replicas } = need
  const required = replicasFor(need, peak, need.utilizationMillionths)
  if (required === null) throw beyondCounting()
  const used = (count: number) => (peak * replicas) / (capacity * count)
  const carryMilliRps = carriedMilliRps(need, replicasNow)
  const price = need.pricePerGpuHour ?? null
  const cost = (count: number) => (price === null ? null : count * gpusPerReplica * price)
  return {
    label: 'estimate',
    perReplicaRps: capacity / 1000 / replicas,
    requiredReplicas: required,
    requiredGpus: required * gpusPerReplica,
    usedShare: used(required),
    usedOneDownShare: required === 1 ? null : used(required - 1),
    replicasNow,
    currentCarryRps: carryMilliRps / 1000,
    headroomRps: (carryMilliRps - peak) / 1000,
    usedNowShare: used(replicasNow),
    costPerHour: cost(required),
    costPerHourNow: cost(replicasNow),
  }
}

/** The same question for other peaks and policies. Throws as `planReplicas` does for a number out of its range. */
export function replicaTable(
  measured: MeasuredCapacity,
  utilizationMillionths: readonly number[],
  peaksMilliRps: readonly number[],
): ReplicaTable {
  const rows = peaksMilliRps.map((peakMilliRps) => {
    const replicas = utilizationMillionths.map((utilization) => {
      requireNeed({ ...measured, peakMilliRps, utilizationMillionths: utilization })
      return replicasFor(measured, peakMilliRps, utilization)
    })
    return { peakMilliRps, replicas }
  })
  return { utilizationMillionths, rows }
}

function replicasFor(measured: MeasuredCapacity, peakMilliRps: number, utilization: number): number | null {
  const load = BigInt(peakMilliRps) * BigInt(measured.replicas) * BigInt(MILLION)
  const each = BigInt(measured.capacityMilliRps) * BigInt(utilization)
  const required = (load + each - 1n) / each
  return required > BigInt(MOST_REPLICAS) ? null : Number(required)
}

function carriedMilliRps({ capacityMilliRps, replicas, utilizationMillionths }: ReplicaNeed, count: number): number {
  const all = BigInt(capacityMilliRps) * BigInt(count) * BigInt(utilizationMillionths)
  return Number(all / (BigInt(replicas) * BigInt(MILLION)))
}

function requireNeed(need: ReplicaNeed): void {
  requireWhole('the capacity, in thousandths of a request a second,', need.capacityMilliRps, 1, MOST_MILLI_RPS)
  requireWhole('the peak, in thousandths of a request a second,', need.peakMilliRps, 1, MOST_MILLI_RPS)
  requireWhole('the number of replicas', need.replicas, 1, MOST_REPLICAS)
  requireWhole('the number of GPUs a replica', need.gpusPerReplica, 0, MOST_GPUS_A_REPLICA)
  requireWhole('the utilization, in millionths,', need.utilizationMillionths, 1, MILLION)
  if (need.replicasNow !== undefined) requireWhole("today's replicas", need.replicasNow, 1, MOST_REPLICAS)
  const price = need.pricePerGpuHour ?? 1
  if (!(price > 0 && price <= HIGHEST_PRICE)) {
    throw refusal(`the price of a GPU-hour cannot be ${price}`, 'give a price above zero and at most a billion')
  }
}

function requireWhole(what: string, value: number, from: number, to: number): void {
  if (Number.isSafeInteger(value) && value >= from && value <= to) return
  const range = `from ${from.toLocaleString('en-US')} to ${to.toLocaleString('en-US')}`
  throw refusal(`${what} cannot be ${value}`, `give a whole number ${range}`)
}

function beyondCounting(): GateError {
  const most = MOST_REPLICAS.toLocaleString('en-US')
  return refusal(`the peak would need more than ${most} replicas`, 'check the units: rates are requests a second')
}

function refusal(message: string, hint: string): GateError {
  return new GateError({ code: 'plan_input', message, hint, exitCode: EXIT.usage })
}
