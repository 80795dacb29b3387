import type { HistoryPoint } from '../../../src/core/history/point.ts'
import { sha256Hex } from '../../../src/core/kernel/hash.ts'

/** A night's sweep of the default branch, cold, that held. */
export function historyPoint(over: Partial<HistoryPoint> = {}): HistoryPoint {
  const at = over.at ?? '2026-11-01T02:00:00.000Z'
  return {
    schema: 1,
    at,
    run: sha256Hex(`run ${at} ${over.capacityMilliRps ?? ''}`),
    series: 'dense-70b',
    kind: 'measured',
    cache: 'cold',
    experiment: 'a'.repeat(64),
    hardware: 'b'.repeat(64),
    machine: 'gpu NVIDIA H100 80GB HBM3, gpu_count 8',
    subject: { sha256: 'd'.repeat(64), name: 'vllm', version: '0.32.0', image: null },
    commit: 'c'.repeat(40),
    plan: 'sweep',
    outcome: 'held',
    reason: null,
    capacityMilliRps: 24_000,
    failMilliRps: 24_480,
    perReplicaRps: 6,
    baselineMilliRps: 24_000,
    guardMilliRps: 23_040,
    attainmentAtGuard: 0.968,
    attainmentSpread: [0.955, 0.961],
    bootSpread: 0.011,
    limiting: { class: 'long_context', metric: 'ttft' },
    toleranceShare: 0.04,
    runUrl: 'https://github.com/acme/serving/actions/runs/101',
    toolVersion: '0.1.0',
    merged: null,
    ...over,
  }
}

/** A time on the n-th day (from 0) from the first of September. */
export function night(index: number, time = '02:00:00'): string {
  return `${new Date(Date.UTC(2026, 8, 1 + index)).toISOString().slice(0, 10)}T${time}.000Z`
}

/** A point a night; null stands for an invalid measurement. */
export function nights(rates: readonly (number | null)[], over: Partial<HistoryPoint> = {}): HistoryPoint[] {
  return rates.map((rate, index) =>
    historyPoint({
      at: night(index),
      capacityMilliRps: rate,
      failMilliRps: rate === null ? null : Math.round(rate * 1.02),
      outcome: rate === null ? 'invalid' : 'held',
      reason: rate === null ? 'client_send_lag' : null,
      ...over,
    }),
  )
}

/** Values near a level, the same each time. */
export function wavering(count: number, level = 24_000, spread = 0.01): number[] {
  return Array.from({ length: count }, (_, index) => Math.round(level * (1 + spread * Math.sin(index * 2.4))))
}
