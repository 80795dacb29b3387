import type { AcceptedRecords, BaselineKey, BaselineStore, Standing } from '../../src/app/ports/store.ts'
import type { CapacityRecord } from '../../src/core/capacity/record.ts'
import type { Promotion } from '../../src/core/gate/promotion-schema.ts'
import { GateError } from '../../src/core/kernel/errors.ts'

interface Accepted {
  record: CapacityRecord
  anchor: boolean
}

/** A store in memory. */
export function fakeStore(seed: AcceptedRecords = { baseline: null, anchor: null }): BaselineStore {
  const accepted: Accepted[] = []
  if (seed.anchor) accepted.push({ record: seed.anchor, anchor: true })
  if (seed.baseline) accepted.push({ record: seed.baseline, anchor: false })
  const of = ({ kind, gateId }: BaselineKey) =>
    accepted.filter(({ record }) => record.kind === kind && record.gateId === gateId)
  const standing: Standing = {
    async load(key) {
      const all = of(key)
      const experiment = all.at(-1)?.record.experiment.sha256
      const newest = (some: Accepted[]) => {
        const own = some.filter(
          ({ record }) => record.experiment.sha256 === experiment && isSame(record.hardware.mustEqual, key.mustEqual),
        )
        return structuredClone((own.at(-1) ?? some.at(-1))?.record ?? null)
      }
      return { baseline: newest(all), anchor: newest(all.filter(({ anchor }) => anchor)) }
    },
    async history(key) {
      const once = new Map(of(key).map(({ record }) => [JSON.stringify(record), record]))
      return structuredClone([...once.values()]).toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
    },
  }
  return {
    location: 'memory',
    ...standing,
    async accept(record, promotionOn) {
      let before: number
      let promotion: Promotion
      do {
        before = accepted.length
        promotion = await promotionOn(standing)
      } while (accepted.length > before)
      const { anchor, newExperiment } = promotion
      const newest = of(record).at(-1)?.record.experiment.sha256 ?? record.experiment.sha256
      if (newest !== record.experiment.sha256 && !newExperiment) throw movedOn()
      accepted.push({ record: structuredClone(record), anchor })
      return { path: `memory/${record.kind}/${record.gateId}/records/1.json` }
    },
  }
}

function movedOn(): GateError {
  return new GateError({ code: 'experiment_moved_on', message: 'another experiment', hint: 'none', exitCode: 4 })
}

function isSame(a: Record<string, string>, b: Record<string, string> | undefined): boolean {
  const text = (facts: Record<string, string>) => JSON.stringify(Object.entries(facts).toSorted())
  return b !== undefined && text(a) === text(b)
}
