import type { AcceptedRecords, BaselineStore } from '../../src/app/ports/store.ts'
import type { CapacityRecord } from '../../src/core/capacity/record.ts'

export interface FakeStore extends BaselineStore {
  /** Every record that was accepted, oldest first. */
  readonly history: readonly CapacityRecord[]
}

/** A store in memory. */
export function fakeStore(seed: AcceptedRecords = { baseline: null, anchor: null }): FakeStore {
  const places = new Map<string, AcceptedRecords>()
  const history: CapacityRecord[] = []
  const keyOf = (key: { gateId: string; kind: CapacityRecord['kind'] }) => `${key.kind}/${key.gateId}`
  if (seed.baseline) places.set(keyOf(seed.baseline), seed)
  return {
    location: 'memory',
    history,
    load: async (key) => structuredClone(places.get(keyOf(key)) ?? { baseline: null, anchor: null }),
    async accept(record, as) {
      const own = structuredClone(record)
      const key = keyOf(own)
      history.push(own)
      places.set(key, { baseline: own, anchor: as.anchor ? own : (places.get(key)?.anchor ?? null) })
      return { path: `memory/${key}/baseline.json` }
    },
  }
}
