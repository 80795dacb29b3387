import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planReplicas, replicaTable } from '../../../src/core/capacity/replicas.ts'

/** 24 RPS with 4 replicas of 2 GPUs; the peak is 36 RPS, the policy 75 %. */
const need = {
  capacityMilliRps: 24_000,
  replicas: 4,
  gpusPerReplica: 2,
  peakMilliRps: 36_000,
  utilizationMillionths: 750_000,
}

describe('replicas for a peak', () => {
  test('36 requests a second at 75 % need 8 replicas, 16 GPUs; today’s four carry 18', () => {
    expect(planReplicas({ ...need, pricePerGpuHour: 2.5 })).toEqual({
      label: 'estimate',
      perReplicaRps: 6,
      requiredReplicas: 8,
      requiredGpus: 16,
      usedShare: 0.75,
      usedOneDownShare: 36 / 42,
      replicasNow: 4,
      currentCarryRps: 18,
      headroomRps: -18,
      usedNowShare: 1.5,
      costPerHour: 40,
      costPerHourNow: 20,
    })
  })

  test('a thousandth of a request a second more needs one more, and one less does not', () => {
    expect(planReplicas({ ...need, peakMilliRps: 36_001 }).requiredReplicas).toBe(9)
    expect(planReplicas({ ...need, peakMilliRps: 35_999 }).requiredReplicas).toBe(8)
  })

  test('the replicas of today are what is said, and carry in their own number', () => {
    const plan = planReplicas({ ...need, replicasNow: 10 })
    expect(plan).toMatchObject({ replicasNow: 10, currentCarryRps: 45, headroomRps: 9, usedNowShare: 0.6 })
  })

  test('of one replica nothing is left when it is down, and without a price nothing costs', () => {
    const plan = planReplicas({ ...need, peakMilliRps: 1 })
    expect(plan).toMatchObject({ requiredReplicas: 1, usedOneDownShare: null, costPerHour: null, costPerHourNow: null })
  })

  const whole = (max: number) => fc.integer({ min: 1, max })
  test('the required replicas carry the peak, and one fewer would not: exact for any numbers', () => {
    fc.assert(
      fc.property(whole(1e9), whole(1000), whole(1e9), whole(1e6), (capacity, replicas, peak, utilization) => {
        const rest = { capacityMilliRps: capacity, replicas, peakMilliRps: peak, utilizationMillionths: utilization }
        const [row] = replicaTable({ ...rest, gpusPerReplica: 1 }, [utilization], [peak]).rows
        const required = row?.replicas[0] ?? null
        // In exact rationals: carried by n replicas is capacity × n × utilization / replicas.
        const carries = (n: bigint) =>
          BigInt(capacity) * n * BigInt(utilization) >= BigInt(peak) * BigInt(replicas) * 1_000_000n
        const most = BigInt(required ?? 1_000_001)
        // Beyond counting: not even a million carry it.
        expect([required === null || carries(most), carries(most - 1n)]).toEqual([true, false])
        if (required === null) return true
        const { currentCarryRps } = planReplicas({ ...rest, gpusPerReplica: 1, replicasNow: required })
        // Rounded down to a thousandth, never up.
        const carried = BigInt(Math.round(currentCarryRps * 1000)) * BigInt(replicas) * 1_000_000n
        return carried <= BigInt(capacity) * BigInt(required) * BigInt(utilization)
      }),
    )
  })

  test.each<[Partial<Parameters<typeof planReplicas>[0]>, RegExp]>([
    [{ capacityMilliRps: 0 }, /capacity.* cannot be 0/],
    [{ capacityMilliRps: Number.POSITIVE_INFINITY }, /capacity.* cannot be Infinity/],
    [{ replicas: 2.5 }, /number of replicas cannot be 2\.5/],
    [{ replicas: 1e9 }, /number of replicas/],
    [{ replicasNow: 0 }, /today's replicas cannot be 0/],
    [{ peakMilliRps: Number.NaN }, /peak.* cannot be NaN/],
    [{ peakMilliRps: 2e15 }, /peak/],
    [{ utilizationMillionths: 1_000_001 }, /utilization/],
    [{ gpusPerReplica: -1 }, /GPUs a replica cannot be -1/],
    [{ pricePerGpuHour: Number.NaN }, /price/],
    [{ capacityMilliRps: 1, peakMilliRps: 1e12 }, /more than 1,000,000 replicas/],
  ])('refuses %j', (change, message) => {
    const refused = expect.objectContaining({
      code: 'plan_input',
      exitCode: 64,
      message: expect.stringMatching(message),
    })
    expect(() => planReplicas({ ...need, ...change })).toThrowError(refused)
  })
})

test('the table has a row a peak and a column a utilization, and none where the replicas are beyond counting', () => {
  expect(replicaTable(need, [500_000, 1_000_000], [24_000, 36_000])).toEqual({
    utilizationMillionths: [500_000, 1_000_000],
    rows: [
      { peakMilliRps: 24_000, replicas: [8, 4] },
      { peakMilliRps: 36_000, replicas: [12, 6] },
    ],
  })
  expect(replicaTable({ ...need, capacityMilliRps: 1 }, [1], [1e12]).rows[0]?.replicas).toEqual([null])
})
