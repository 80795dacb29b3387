import { describe, expect, it } from 'vitest'
import { Arrivals } from '../../../../src/adapters/replay/arrivals.ts'
import { closedLoop } from '../../../../src/adapters/replay/closed-loop.ts'
import type { LoopProgress, LoopTools } from '../../../../src/adapters/replay/loop.ts'
import { openLoop } from '../../../../src/adapters/replay/open-loop.ts'
import { Pacer } from '../../../../src/adapters/replay/pacer.ts'
import { Turns } from '../../../../src/adapters/replay/turns.ts'
import { Waker } from '../../../../src/adapters/replay/waker.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { testRows, testShape } from '../../../contract/replay/shape.ts'

interface StageParts {
  warmup?: number
  warmupUs?: number
  blocks: number[]
  extend?: boolean
  /** Closed loop: how long each request takes. */
  lastsUs?: number
}

/** Loop tools on a clock where a loop turn takes 0.1 ms, and what they were asked to do, in order. */
function stage({ warmup = 0, warmupUs = 0, blocks, extend = true, lastsUs = 10_000 }: StageParts) {
  const clock = fakeClock({ mode: 'auto' })
  const originUs = clock.nowUs() + 20_000 + warmupUs
  let first = 1
  const order = {
    shape: testShape(),
    targets: [],
    load: { openMilliRps: 100_000 },
    originUs,
    warmup: testRows(warmup, 1, 'w'),
    warmupUs,
    maximumDurationUs: 10_000_000,
    blocks: blocks.map((count) => testRows(count, (first += count) - count)),
  }
  const arrivals = new Arrivals(order)
  const log: { what: string; dueUs: number; atUs: number }[] = []
  const halt = new AbortController()
  const nowUs = () => Math.round(clock.nowUs() - originUs)
  const waker = new Waker(halt.signal)
  const turns = new Turns({
    rows: arrivals.rows,
    warmupRows: warmup,
    latestUs: (index) => (index < warmup ? 0 : order.maximumDurationUs),
    onReady: () => waker.wake(),
  })
  const tools: LoopTools = {
    arrivals,
    turns,
    waker,
    idle: { slice: () => false, sliceUs: 0 },
    pacer: new Pacer(clock, () => clock.sleep(0.1)),
    originUs,
    warmupUs,
    maximumDurationUs: order.maximumDurationUs,
    nowUs,
    launch(index, dueUs, onEnd) {
      log.push({ what: arrivals.rows[index]?.id ?? '', dueUs, atUs: nowUs() })
      void clock.sleep(lastsUs / 1000).then(() => onEnd(nowUs()))
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
  return { tools, progress, log, halt, clock }
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

  it('ends at a halt while every slot is taken', async () => {
    const { tools, progress, log, halt, clock } = stage({ blocks: [10], lastsUs: 1_000_000 })
    void clock.sleep(100).then(() => halt.abort())
    await closedLoop(tools, progress, { concurrency: 2, thinkUs: 0 })
    expect(log).toHaveLength(2)
  })
})
