import { expect, it } from 'vitest'
import { Arrivals } from '../../../../src/adapters/replay/arrivals.ts'
import { Dispatch } from '../../../../src/adapters/replay/dispatch.ts'
import type { Ending } from '../../../../src/adapters/replay/ending.ts'
import { failedEnding } from '../../../../src/adapters/replay/ending.ts'
import type { Flight, Launch } from '../../../../src/adapters/replay/flight.ts'
import type { RequestRecord } from '../../../../src/core/record/record.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { testSessions } from '../../../contract/replay/shape.ts'
import { orderOn } from '../../../contract/replay/watch.ts'

const replica = { index: 0, url: 'http://127.0.0.1:1' }

/** A point of one session's warm-up turns, then its cohort's; every request is in flight until `end`. */
function dispatched(maximumDurationUs = 60_000_000) {
  const clock = fakeClock({ mode: 'auto' })
  const session = { sessions: 1, turns: 3, thinkUs: 0, among: 4 }
  const parts = { warmup: testSessions({ ...session, kind: 'w' }), warmupUs: 20_000, blocks: [testSessions(session)] }
  const order = orderOn({ clock, targets: [replica] }, { ...parts, maximumDurationUs })
  const flying = new Map<string, Launch>()
  const records: RequestRecord[] = []
  const arrivals = new Arrivals(order)
  const dispatch = new Dispatch({
    clock,
    order,
    arrivals,
    flight: { launch: (launch: Launch) => void flying.set(launch.row.id, launch) } as unknown as Flight,
    onReady() {},
    onRecord: (record) => void records.push(record),
  })
  const launch = (index: number, dueUs: number) =>
    dispatch.launch(index, dueUs, (endUs) => dispatch.turns.ended(index, endUs))
  const end = (id: string, endUs: number) => {
    const ending: Ending = {
      ...failedEnding('connection_reset', endUs),
      httpStatus: null,
      handedUs: null,
      sentUs: null,
    }
    flying.get(id)?.onEnd(ending, replica)
  }
  return { dispatch, records, launch, end }
}

it('counts as overdue what could go out and did not: no turn whose session is not ready for it', () => {
  const { dispatch, launch, end } = dispatched()
  launch(4, 5000)
  // r-00002 and r-00003 wait for r-00001; r-00004 is of no session.
  expect(dispatch.overdue(19_999, 5)).toBe(0)
  expect(dispatch.overdue(20_000, 5)).toBe(1)
  dispatch.turns.setAside(5, 10_000)
  end('r-00001', 12_000)
  expect(dispatch.overdue(11_999, 6)).toBe(0)
  expect(dispatch.overdue(20_000, 6)).toBe(2)
})

it('gives a warm-up turn until the cohort’s start, one of the cohort until the maximum duration', () => {
  const { dispatch, launch, end } = dispatched(50_000)
  launch(0, -15_000)
  dispatch.turns.setAside(1, -10_000)
  end('w-00001', 1)
  expect(dispatch.turns.firstUs).toBe(Infinity)
  launch(4, 5000)
  dispatch.turns.setAside(5, 10_000)
  end('r-00001', 50_000)
  expect(dispatch.turns).toMatchObject({ firstUs: 50_000, pending: 1, isCut: false })
  launch(5, dispatch.turns.takeFirst().dueUs)
  dispatch.turns.setAside(6, 15_000)
  end('r-00002', 50_001)
  expect(dispatch.turns).toMatchObject({ firstUs: Infinity, pending: 0, isCut: true })
})

it('records the cohort alone, each request with the time that it was due', () => {
  const { records, launch, end } = dispatched()
  launch(0, -15_000)
  launch(4, 7000)
  end('w-00001', 1000)
  end('r-00001', 9000)
  expect(records.map(({ id, dueUs, endUs }) => [id, dueUs, endUs])).toEqual([['r-00001', 7000, 9000]])
})
