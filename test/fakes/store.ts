import type { AcceptedRecords, BaselineStore } from '../../src/app/ports/store.ts'
import type { CapacityRecord } from '../../src/core/capacity/record.ts'

/** A store in memory. */
export function fakeStore(seed: AcceptedRecords = { baseline: null, anchor: null }): BaselineStore {
  const places = new Map<string, AcceptedRecords>()
  const accepted = new Map<string, CapacityRecord>()
  const keyOf = (key: { gateId: string; kind: CapacityRecord['kind'] }) => `${key.kind}/${key.gateId}`
  if (seed.baseline) places.set(keyOf(seed.baseline), seed)
  return {
    location: 'memory',
    load: async (key) => structuredClone(places.get(keyOf(key)) ?? { baseline: null, anchor: null }),
    history: async (key) => {
      const own = [...accepted.values()].filter((record) => keyOf(record) === keyOf(key))
      return structuredClone(own).toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
    },
    async accept(record, as) {
      const own = structuredClone(record)
      const key = keyOf(own)
      accepted.set(JSON.stringify(own), own)
      places.set(key, { baseline: own, anchor: as.anchor ? own : (places.get(key)?.anchor ?? null) })
      return { path: `memory/${key}/baseline.json` }
    },
  }
}
