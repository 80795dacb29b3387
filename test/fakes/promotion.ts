import type { Acceptance } from '../../src/app/promote.ts'
import type { Promotion } from '../../src/core/gate/promotion-schema.ts'

/** Somebody's at a terminal. */
export function acceptance(change: Partial<Acceptance> = {}): Acceptance {
  return {
    acceptedAt: '2026-01-05T12:00:00.000Z',
    acceptedBy: 'ada',
    authority: 'terminal',
    place: 'bench-1',
    approvedBy: [],
    run: null,
    reason: 'the first one',
    toolVersion: '0.1.0',
    ...change,
  }
}

export function promotion(change: Partial<Promotion> = {}): Promotion {
  return { ...acceptance(), anchor: false, newExperiment: false, experimentChanges: [], ...change }
}
