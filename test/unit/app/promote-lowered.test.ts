import { expect, it } from 'vitest'
import type { BaselineStore } from '../../../src/app/ports/store.ts'
import { promote } from '../../../src/app/promote.ts'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { acceptance } from '../../fakes/promotion.ts'
import { fakeStore } from '../../fakes/store.ts'
import { record, sweep } from '../gate/record-fixture.ts'

const machine = (gpu: string) => ({ mustEqual: { gpu }, recorded: {} })
const sweptOn = (gpu: string, milliRps: number, day: number): CapacityRecord =>
  record([sweep('cold', [milliRps], [Math.round(milliRps * 1.02)])], {
    hardware: machine(gpu),
    createdAt: `2026-11-${day}T08:00:00.000Z`,
  })

function promoted(store: BaselineStore, one: CapacityRecord) {
  return promote(store, {
    file: 'capacity.json',
    record: one,
    anchor: false,
    newExperiment: false,
    acceptance: acceptance(),
    verdict: null,
  })
}

it('tells of a machine’s fall though another machine’s record is the newest', async () => {
  const store = fakeStore()
  await promoted(store, sweptOn('H100', 24_000, 20))
  expect((await promoted(store, sweptOn('H200', 30_000, 21))).lowered).toEqual([])
  const { lowered, warnings } = await promoted(store, sweptOn('H100', 20_000, 22))
  expect(lowered).toEqual([{ cache: 'cold', fromMilliRps: 24_000, toMilliRps: 20_000 }])
  expect(warnings.map(({ code }) => code)).toContain('baseline_lowered')
})

it('holds a fall to the record that was accepted while it was promoted', async () => {
  const store = fakeStore()
  await promoted(store, sweptOn('H100', 20_000, 20))
  let isFirst = true
  const busy: BaselineStore = {
    ...store,
    accept: (record, promotionOn) =>
      store.accept(record, async (standing) => {
        const promotion = await promotionOn(standing)
        if (isFirst) {
          isFirst = false
          await promoted(store, sweptOn('H100', 24_000, 21))
        }
        return promotion
      }),
  }
  const { lowered } = await promoted(busy, sweptOn('H100', 20_000, 22))
  expect(lowered).toEqual([{ cache: 'cold', fromMilliRps: 24_000, toMilliRps: 20_000 }])
})
