import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Arrivals } from '../../../../src/adapters/replay/arrivals.ts'
import { closedLoop } from '../../../../src/adapters/replay/closed-loop.ts'
import type { LoopProgress, LoopTools } from '../../../../src/adapters/replay/loop.ts'
import { openLoop } from '../../../../src/adapters/replay/open-loop.ts'
import { Pacer } from '../../../../src/adapters/replay/pacer.ts'
import { Turns } from '../../../../src/adapters/replay/turns.ts'
import { Waker } from '../../../../src/adapters/replay/waker.ts'
import { dueUs, turnDueUs } from '../../../../src/core/kernel/point.ts'
import type { ScheduleRow } from '../../../../src/core/schedule/schedule.ts'
import { fakeAlarm } from '../../../fakes/alarm.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { testRows, testSessions, testShape } from '../../../contract/replay/shape.ts'

interface StageParts {
  /** Warm-up rows, or how many of them. */
  warmup?: number | ScheduleRow[]
  warmupUs?: number
  /** Rows, or how many of them, a second apart at one request a second. */
  blocks: (number | ScheduleRow[])[]
  extend?: boolean
  /** How long each request takes. */
  lastsUs?: number | ((id: string) => number)
  maximumDurationUs?: number
}

/** Loop tools on a clock where a loop turn takes 0.1 ms, and what they were asked to do, in order. */
function stage(parts: StageParts) {
  const { warmupUs = 0, blocks, extend = true, lastsUs = 10_000, maximumDurationUs = 10_000_000 } = parts
  const warmup = typeof parts.warmup === 'object' ? parts.warmup : testRows(parts.warmup ?? 0, 1, 'w')
  const clock = fakeClock({ mode: 'auto' })
  const originUs = clock.nowUs() + 20_000 + warmupUs
  let first = 1
  const order = {
    shape: testShape(),
    targets: [],
    load: { openMilliRps: 100_000 },
    originUs,
    warmup,
    warmupUs,
    maximumDurationUs,
    blocks: blocks.map((rows) => (typeof rows === 'number' ? testRows(rows, (first += rows) - rows) : rows)),
  }
  const arrivals = new Arrivals(order)
  const ends = new Map<string, number>()
  const log: { what: string; dueUs: number; atUs: number }[] = []
  const halt = new AbortController()
  const nowUs = () => Math.round(clock.nowUs() - originUs)
  const waker = new Waker(halt.signal)
  const turns = new Turns({
    rows: arrivals.rows,
    warmupRows: warmup.length,
    latestUs: (index) => (index < warmup.length ? 0 : order.maximumDurationUs),
    onReady: () => waker.wake(),
  })
  const tools: LoopTools = {
    arrivals,
    turns,
    waker,
    idle: { slice: () => false, sliceUs: 0 },
    pacer: new Pacer(clock, (then) => void clock.sleep(0.1).then(then), fakeAlarm(clock)),
    originUs,
    warmupUs,
    maximumDurationUs: order.maximumDurationUs,
    nowUs,
    launch(index, dueUs, onEnd) {
      log.push({ what: arrivals.rows[index]?.id ?? '', dueUs, atUs: nowUs() })
      const us = typeof lastsUs === 'number' ? lastsUs : lastsUs(arrivals.rows[index]?.id ?? '')
      void clock.sleep(us / 1000).then(() => {
        ends.set(arrivals.rows[index]?.id ?? '', nowUs())
        onEnd(nowUs())
      })
    },
    setAside: (index) => void log.push({ what: `aside ${arrivals.rows[index]?.id}`, dueUs: NaN, atUs: nowUs() }),
    extend() {
      log.push({ what: 'extend?', dueUs: 0, atUs: nowUs() })
      return extend
    },
    halt: halt.signal,
  }
  const progress: LoopProgress = {
    next: 0,
    isOpen: true,
    arrivalUs: 0,
    warmupRequests: 0,
    maximumReached: false,
    begun: 0,
  }
  return { tools, progress, log, ends, halt, clock }
}

describe('openLoop', () => {
  it('flows from the warm-up into the cohort and on into the extension without a gap', async () => {
    const { tools, progress, log } = stage({ warmup: 2, warmupUs: 20_000, blocks: [3, 2] })
    await openLoop(tools, progress, 100_000)
    const ids = ['w-00001', 'w-00002', 'r-00001', 'r-00002', 'r-00003', 'extend?', 'r-00004', 'r-00005']
    expect(log.map(({ what }) => what)).toEqual(ids)
    const sent = log.filter(({ what }) => what !== 'extend?')
    expect(sent.map(({ dueUs }) => dueUs)).toEqual([-10_000, 0, 10_000, 20_000, 30_000, 40_000, 50_000])
    for (const { dueUs, atUs } of sent) {
      expect(atUs).toBeGreaterThanOrEqual(dueUs)
      expect(atUs - dueUs).toBeLessThanOrEqual(101)
    }
    expect(progress).toMatchObject({ begun: 5, warmupRequests: 2, arrivalUs: 50_000 })
  })

  it('asks whether the next block follows at the last moment, when most is known', async () => {
    const { tools, progress, log } = stage({ blocks: [3, 2], extend: false })
    await openLoop(tools, progress, 100_000)
    expect(log.at(-1)?.what).toBe('extend?')
    expect(log.at(-1)?.atUs).toBeGreaterThanOrEqual(40_000)
    expect(progress).toMatchObject({ begun: 3, arrivalUs: 30_000 })
  })

  it('catches up at once when it is behind, looking at what came in from time to time', async () => {
    const { tools, progress, log } = stage({ blocks: [100] })
    await openLoop(
      { ...tools, originUs: tools.originUs - 5_000_000, nowUs: () => tools.nowUs() + 5_000_000 },
      progress,
      100_000,
    )
    expect(log).toHaveLength(100)
    const times = new Set(log.map(({ atUs }) => atUs))
    expect(times.size).toBeGreaterThan(3)
    expect(times.size).toBeLessThan(12)
  })

  it('ends at a halt, whatever it waits for', async () => {
    const { tools, progress, log, halt, clock } = stage({ blocks: [100] })
    void clock.sleep(45).then(() => halt.abort())
    await openLoop(tools, progress, 100_000)
    expect(log.map(({ what }) => what)).toEqual(['r-00001', 'r-00002'])
  })
})

describe('openLoop at any rate', () => {
  /** Rows with uneven gaps of a second on average. */
  const unevenRows = (count: number) => {
    let offsetUs = 0
    return testRows(count).map((row, index) => ({ ...row, offsetUs: (offsetUs += 1 + ((index * 7919) % 2_000_000)) }))
  }

  it.each([
    ['5,000 a second, for two seconds', 5_000_000, 10_000],
    ['4,999.777 a second', 4_999_777, 3000],
    ['0.21 a second', 210, 40],
    ['0.001 a second', 1, 5],
  ])('sends in the schedule’s order, each at its exact time: %s', async (_, milliRps, count) => {
    const rows = unevenRows(count)
    const { tools, progress, log } = stage({ blocks: [rows], maximumDurationUs: Number.MAX_SAFE_INTEGER })
    await openLoop(tools, progress, milliRps)
    expect(log.map(({ what }) => what)).toEqual(rows.map(({ id }) => id))
    expect(log.map((sent) => sent.dueUs)).toEqual(rows.map(({ offsetUs }) => dueUs(offsetUs, milliRps)))
    // A loop turn takes 0.1 ms here: what falls due within one goes out with it.
    for (const sent of log) expect(sent.atUs - sent.dueUs).toBeGreaterThanOrEqual(0)
    for (const sent of log) expect(sent.atUs - sent.dueUs).toBeLessThanOrEqual(101)
  })
})

describe('turns of sessions', () => {
  const sessionStage = fc.record({
    sessions: fc.integer({ min: 1, max: 5 }),
    turns: fc.integer({ min: 2, max: 4 }),
    thinkUs: fc.constantFrom(0, 3000, 40_000),
    among: fc.integer({ min: 5, max: 30 }),
    lasts: fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 7 }),
  })

  const run = async (parts: Parameters<typeof testSessions>[0] & { lasts: number[] }, loop: 'open' | 'closed') => {
    const rows = testSessions(parts)
    const lastsUs = (id: string) => parts.lasts[Number(id.slice(2)) % parts.lasts.length] ?? 0
    const staged = stage({ blocks: [rows], lastsUs })
    if (loop === 'open') await openLoop(staged.tools, staged.progress, 100_000)
    else await closedLoop(staged.tools, staged.progress, { concurrency: 3, thinkUs: 0 })
    const sent = staged.log.filter(({ what }) => what.startsWith('r-'))
    const readyUs = (row: ScheduleRow) => {
      const before = rows.find(({ session, turn = 0 }) => session === row.session && turn + 1 === row.turn)
      return before ? turnDueUs(-Infinity, staged.ends.get(before.id) ?? NaN, row.thinkUs ?? 0) : -Infinity
    }
    return { ...staged, rows, sent, readyUs }
  }

  it('go out once each, at exactly the later of both times, in the order of their times, and hold nobody up', async () => {
    await fc.assert(
      fc.asyncProperty(sessionStage, async (parts) => {
        const { rows, sent, readyUs } = await run(parts, 'open')
        expect(sent.map(({ what }) => what).toSorted()).toEqual(rows.map(({ id }) => id))
        const row = new Map(rows.map((found) => [found.id, found]))
        for (const { what, dueUs: at, atUs } of sent) {
          const own = row.get(what) as ScheduleRow
          expect(at).toBe(Math.max(dueUs(own.offsetUs, 100_000), readyUs(own)))
          expect(atUs - at).toBeGreaterThanOrEqual(0)
          expect(atUs - at).toBeLessThanOrEqual(101)
        }
        const times = sent.map((one) => one.dueUs)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
      }),
      { numRuns: 40 },
    )
  })

  it('take the places of a closed loop as soon as both are ready', async () => {
    await fc.assert(
      fc.asyncProperty(sessionStage, async (parts) => {
        const { rows, sent, readyUs } = await run(parts, 'closed')
        expect(sent.map(({ what }) => what).toSorted()).toEqual(rows.map(({ id }) => id))
        for (const { what, dueUs: at } of sent) {
          expect(at).toBeGreaterThanOrEqual(readyUs(rows.find(({ id }) => id === what) as ScheduleRow))
        }
        for (const [index, { dueUs: at }] of sent.entries()) {
          const ended = sent.slice(0, index).filter(({ what, dueUs: due }) => due + 0 <= at && endOf(what) <= at)
          expect(index - ended.length).toBeLessThan(3)
        }
        function endOf(id: string) {
          const one = sent.find(({ what }) => what === id)
          return (one?.atUs ?? 0) + (parts.lasts[Number(id.slice(2)) % parts.lasts.length] ?? 0)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('that are not ready by the maximum duration are not sent, and neither is what follows', async () => {
    const rows = testSessions({ sessions: 1, turns: 4, thinkUs: 0, among: 6 })
    const lastsUs = (id: string) => (id === 'r-00002' ? 100_000 : 1000)
    const { tools, progress, log } = stage({ blocks: [rows], lastsUs, maximumDurationUs: 70_000 })
    await openLoop(tools, progress, 100_000)
    const sent = log.map(({ what }) => what).filter((what) => what.startsWith('r-'))
    expect(sent).toEqual(['r-00001', 'r-00002', 'r-00005', 'r-00006'])
    expect(progress).toMatchObject({ maximumReached: true, arrivalUs: 60_000 })
  })

  it.each(['open', 'closed'])('that would be ready too late are not sent: %s loop', async (loop) => {
    const rows = testSessions({ sessions: 1, turns: 3, thinkUs: 100_000, among: 5 })
    const { tools, progress, log } = stage({ blocks: [rows], lastsUs: 1000, maximumDurationUs: 70_000 })
    if (loop === 'open') await openLoop(tools, progress, 100_000)
    else await closedLoop(tools, progress, { concurrency: 1, thinkUs: 0 })
    const sent = log.map(({ what }) => what).filter((what) => what.startsWith('r-'))
    expect(sent).toEqual(['r-00001', 'r-00004', 'r-00005'])
    expect(progress.maximumReached).toBe(true)
  })

  it('that wait when arrivals are halted are not sent', async () => {
    const rows = testSessions({ sessions: 1, turns: 2, thinkUs: 30_000, among: 3 })
    const { tools, progress, log, halt, clock } = stage({ blocks: [rows] })
    void clock.sleep(70).then(() => halt.abort())
    await openLoop(tools, progress, 100_000)
    expect(log.map(({ what }) => what)).toEqual(['r-00001', 'aside r-00002', 'r-00003'])
    expect(progress.maximumReached).toBe(false)
  })

  it('hold an extension up in a closed loop: it is asked for once they were sent', async () => {
    const rows = testSessions({ sessions: 1, turns: 3, thinkUs: 5000, among: 4 })
    const { tools, progress, log } = stage({ blocks: [rows, testRows(1, 5)] })
    await closedLoop(tools, progress, { concurrency: 2, thinkUs: 0 })
    const sent = log.map(({ what }) => what).filter((what) => !what.startsWith('aside'))
    expect(sent).toEqual(['r-00001', 'r-00004', 'r-00002', 'r-00003', 'extend?', 'r-00005'])
  })
})

describe('closedLoop', () => {
  it('fills its slots with warm-up rows until the cohort starts, and with the cohort from then on', async () => {
    const { tools, progress, log } = stage({ warmup: 20, warmupUs: 25_000, blocks: [6] })
    await closedLoop(tools, progress, { concurrency: 2, thinkUs: 0 })
    const ids = log.map(({ what }) => what)
    expect(ids.slice(0, 6)).toEqual(['w-00001', 'w-00002', 'w-00003', 'w-00004', 'w-00005', 'w-00006'])
    expect(ids.slice(6)).toEqual(['r-00001', 'r-00002', 'r-00003', 'r-00004', 'r-00005', 'r-00006'])
    const cohort = log.slice(6)
    // The last warm-up requests held their slots until 5 ms after the start.
    expect(cohort.map(({ dueUs }) => Math.round(dueUs / 1000))).toEqual([5, 5, 15, 15, 25, 25])
    expect(progress).toMatchObject({ warmupRequests: 6, begun: 6 })
  })

  it('sends no warm-up turn in the cohort, ready as it may be', async () => {
    const warmup = testSessions({ sessions: 1, turns: 2, thinkUs: 10_000, among: 3, kind: 'w' })
    const lastsUs = (id: string) => (id === 'w-00001' ? 5000 : 40_000)
    const { tools, progress, log } = stage({ warmup, warmupUs: 25_000, blocks: [2], lastsUs })
    await closedLoop(tools, progress, { concurrency: 1, thinkUs: 0 })
    expect(log.map(({ what }) => what)).toEqual(['w-00001', 'aside w-00002', 'w-00003', 'r-00001', 'r-00002'])
    expect(progress).toMatchObject({ warmupRequests: 2, maximumReached: false })
  })

  it('waits for the cohort’s start when the warm-up rows do not last', async () => {
    const { tools, progress, log } = stage({ warmup: 1, warmupUs: 50_000, blocks: [3] })
    await closedLoop(tools, progress, { concurrency: 2, thinkUs: 0 })
    expect(log.map(({ what, dueUs }) => [what, Math.round(dueUs / 1000)])).toEqual([
      ['w-00001', -50],
      ['r-00001', 0],
      ['r-00002', 0],
      ['r-00003', 10],
    ])
  })

  it('asks before each further block, when a slot is free', async () => {
    const { tools, progress, log } = stage({ blocks: [3, 1], extend: false })
    await closedLoop(tools, progress, { concurrency: 2, thinkUs: 0 })
    expect(log.map(({ what }) => what)).toEqual(['r-00001', 'r-00002', 'r-00003', 'extend?'])
  })

  it('leaves a place empty for the think time', async () => {
    const { tools, progress, log } = stage({ blocks: [4] })
    await closedLoop(tools, progress, { concurrency: 1, thinkUs: 25_000 })
    expect(log.map(({ dueUs: at }) => Math.round(at / 1000))).toEqual([0, 35, 70, 105])
  })

  it('ends at a halt while every slot is taken', async () => {
    const { tools, progress, log, halt, clock } = stage({ blocks: [10], lastsUs: 1_000_000 })
    void clock.sleep(100).then(() => halt.abort())
    await closedLoop(tools, progress, { concurrency: 2, thinkUs: 0 })
    expect(log).toHaveLength(2)
  })
})
