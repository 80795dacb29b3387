import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { keysOfTokens } from '../../../fixtures/engine/model/block-keys.ts'
import { QUIET, SMALL_ENGINE } from '../../../fixtures/engine/model/parameters.ts'
import { bootReplicas, simulatePoint, tokenTimesUs } from '../../../fixtures/engine/model/point.ts'
import type { PointRequest } from '../../../fixtures/engine/model/replica-point.ts'
import { ReplicaModel } from '../../../fixtures/engine/model/replica.ts'
import { newSequence } from '../../../fixtures/engine/model/sequence.ts'
import type { Sequence } from '../../../fixtures/engine/model/sequence.ts'
import { RealTimeLoop } from '../../../fixtures/engine/server/real-time-loop.ts'

const parameters = { ...SMALL_ENGINE, slots: 6, kvBlocks: 40, maxModelLen: 512, tokenBudget: 64 }
const noise = { ...QUIET, seed: 9, jitter: 0.05 }

/** Arrivals at whole milliseconds, a quarter of them alone, the others behind one of three prefixes. */
const schedule = fc
  .array(
    fc.record({
      gapMs: fc.integer({ min: 0, max: 60 }),
      promptTokens: fc.integer({ min: 1, max: 200 }),
      outputTokens: fc.integer({ min: 1, max: 40 }),
      prefix: fc.integer({ min: 0, max: 3 }),
      prefixTokens: fc.integer({ min: 0, max: 120 }),
    }),
    { minLength: 1, maxLength: 40, size: 'max' },
  )
  .map((rows) => {
    let atUs = 0
    return rows.map((row, index): PointRequest => {
      atUs += row.gapMs * 1000
      const { promptTokens, outputTokens } = row
      const prefixTokens = row.prefix === 3 ? 0 : Math.min(row.prefixTokens, promptTokens)
      const prefixId = row.prefix === 3 ? null : `p${row.prefix}`
      return { id: `r${index}`, atUs, promptTokens, outputTokens, prefixId, prefixTokens }
    })
  })

/** The token ids of a described prompt: the prefix's own, then ones that no other prompt has. */
function spell(request: PointRequest, index: number): number[] {
  return Array.from({ length: request.promptTokens }, (_, position) => {
    if (position < request.prefixTokens) return 1_000 * (1 + Number(request.prefixId?.slice(1))) + position
    return 1_000_000 + index * 1_000 + position
  })
}

interface Seen {
  tokensUs: number[]
  cached: number
  rejected: boolean
}

/** The token-level face, driven by hand: every prompt spelt out, every token's time noted. */
function stepByToken(requests: PointRequest[]): Seen[] {
  const replica = new ReplicaModel(parameters, noise, true)
  const seen: Seen[] = requests.map(() => ({ tokensUs: [], cached: 0, rejected: false }))
  const sequences = requests.map((request, index) => {
    const blockKeys = keysOfTokens(spell(request, index), parameters.blockTokens, '')
    return newSequence({ ...request, blockKeys, arrivalUs: request.atUs })
  })
  let next = 0
  const arriveUntil = (timeUs: number) => {
    for (; next < requests.length && requests[next]!.atUs <= timeUs; next += 1) {
      if (replica.submit(sequences[next]!) !== 'queued') seen[next]!.rejected = true
    }
  }
  let nowUs = 0
  for (;;) {
    arriveUntil(nowUs)
    const endUs = replica.beginStep(nowUs)
    if (endUs < 0) {
      if (next === requests.length) break
      nowUs = requests[next]!.atUs
      continue
    }
    arriveUntil(endUs)
    for (const one of replica.finishStep().receivers) seen[sequences.indexOf(one)]!.tokensUs.push(endUs)
    nowUs = endUs
  }
  sequences.forEach((one, index) => (seen[index]!.cached = one.cachedTokens))
  return seen
}

function simulated(requests: PointRequest[]): Seen[] {
  const point = simulatePoint({ replicas: bootReplicas(parameters, [noise]), requests, keepSteps: true })
  return point.outcomes.map((outcome) => ({
    tokensUs: tokenTimesUs(outcome, point.stepEndsUs[0]!),
    cached: outcome.cachedTokens,
    rejected: outcome.status === 'rejected',
  }))
}

describe('both faces of the model', () => {
  test('give the same times, hits and refusals for the same schedule', () => {
    let hits = 0
    let preemptions = 0
    fc.assert(
      fc.property(schedule, (requests) => {
        const tokens = stepByToken(requests)
        expect(simulated(requests)).toEqual(tokens)
        hits += tokens.reduce((sum, one) => sum + one.cached, 0)
        const replicas = bootReplicas(parameters, [noise])
        simulatePoint({ replicas, requests })
        preemptions += replicas[0]!.model.counters.preemptions
      }),
      { numRuns: 150, seed: 4 },
    )
    // The agreement would be hollow if nothing was shared and nobody was preempted.
    expect(hits).toBeGreaterThan(1000)
    expect(preemptions).toBeGreaterThan(20)
  })

  test('and so does the real-time loop, whose timer is up to a millisecond late', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const rows = fc.sample(schedule, { numRuns: 20, seed: 11 }).flat()
      // At least a millisecond apart: the loop starts a step for whoever comes first to an idle engine.
      const requests = rows.map((row, index) => ({
        ...row,
        id: `r${index}`,
        atUs: (1 + index * 13 + (index % 5)) * 1000,
      }))
      const startMs = performance.now()
      const tokens = requests.map((): number[] => [])
      const flushed = requests.map(() => 0)
      const lateUs: number[] = []
      const sequences: Sequence[] = []
      const nowUs = () => Math.round((performance.now() - startMs) * 1000)
      const loop = new RealTimeLoop(new ReplicaModel(parameters, noise, true), nowUs, ({ receivers, endUs }) => {
        lateUs.push(nowUs() - endUs)
        for (const one of receivers) tokens[sequences.indexOf(one)]!.push(endUs)
      })
      requests.forEach((request, index) => {
        vi.advanceTimersByTime(request.atUs / 1000 - (performance.now() - startMs))
        const blockKeys = keysOfTokens(spell(request, index), parameters.blockTokens, '')
        sequences.push(newSequence({ ...request, blockKeys, arrivalUs: request.atUs }))
        loop.submit(sequences[index]!, { token: () => undefined, flush: () => (flushed[index]! += 1) })
      })
      vi.advanceTimersByTime(600_000)
      expect(requests.length).toBeGreaterThan(200)
      expect(tokens).toEqual(simulated(requests).map((one) => one.tokensUs))
      expect(flushed).toEqual(tokens.map((times) => times.length))
      expect(Math.max(...lateUs)).toBeLessThanOrEqual(1000)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a point in virtual time', () => {
  const request = (id: string, atUs: number, more: Partial<PointRequest> = {}): PointRequest => {
    return { id, atUs, promptTokens: 16, outputTokens: 10, prefixId: null, prefixTokens: 0, ...more }
  }

  test('deals the requests out in turn, and answers in their order', () => {
    const requests = ['a', 'b', 'c', 'd'].map((id) => request(id, 0))
    const { outcomes } = simulatePoint({
      replicas: bootReplicas(parameters, [QUIET, { ...QUIET, speed: 2 }]),
      requests,
    })
    expect(outcomes.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
    expect(outcomes[0]!.endUs).toBe(outcomes[2]!.endUs)
    expect(Math.abs(outcomes[0]!.endUs - 2 * outcomes[1]!.endUs)).toBeLessThan(20)
  })

  test('is the same for the same seed', () => {
    const requests = fc.sample(schedule, { numRuns: 1, seed: 3 })[0]!
    expect(simulated(requests)).toEqual(simulated(requests))
  })

  test('lets a client leave at its deadline, whether its request waits or runs', () => {
    const slow = { ...parameters, slots: 1 }
    const requests = [
      request('runs', 0, { outputTokens: 100, timeoutUs: 50_000 }),
      request('waits', 0, { timeoutUs: 20_000 }),
      request('stays', 0, { timeoutUs: 10_000_000 }),
    ]
    const replicas = bootReplicas(slow, [QUIET])
    const { outcomes } = simulatePoint({ replicas, requests })
    expect(outcomes.map(({ status, endUs }) => [status, status === 'ok' ? null : endUs])).toEqual([
      ['timeout', 50_000],
      ['timeout', 20_000],
      ['ok', null],
    ])
    // Whoever left takes no more of the engine: the last one had it to itself from 50 ms on.
    expect(outcomes[2]!.endUs).toBeLessThan(200_000)
    expect(outcomes[0]!.firstTokenUs).not.toBeNull()
    expect(outcomes[1]!.firstTokenUs).toBeNull()
    expect(replicas[0]!.model.pool.used).toBe(0)
  })

  test('refuses what the queue does not take, at once', () => {
    const requests = Array.from({ length: 12 }, (_, index) => request(`r${index}`, index))
    const { outcomes } = simulatePoint({ replicas: bootReplicas({ ...parameters, maxQueued: 4 }, [QUIET]), requests })
    const rejected = outcomes.filter(({ status }) => status === 'rejected')
    // The first one starts alone; four wait for its step to end.
    expect(rejected.map(({ id }) => id)).toEqual(['r5', 'r6', 'r7', 'r8', 'r9', 'r10', 'r11'])
    expect(rejected[0]).toMatchObject({ endUs: 5, firstTokenUs: null, outputTokens: 0 })
  })

  test('samples every second what stood then', () => {
    const requests = [request('a', 0, { outputTokens: 200 }), request('b', 500_000, { outputTokens: 200 })]
    const { gauges, endUs } = simulatePoint({ replicas: bootReplicas(parameters, [QUIET]), requests })
    expect(gauges[0]!.map(({ atUs }) => atUs)).toEqual(
      Array.from({ length: Math.ceil(endUs / 1e6) }, (_, second) => second * 1e6),
    )
    expect(gauges[0]!.map(({ running }) => running)).toEqual([1, 2, 1])
    expect(gauges[0]![1]!.generationTokens).toBeGreaterThan(100)
    expect(gauges[0]![1]!.kvUsage).toBeGreaterThan(0.2)
  })

  test('goes on from the caches and the clock that the last point left', () => {
    const replicas = bootReplicas(parameters, [QUIET])
    const shared = [request('a', 0, { promptTokens: 64, prefixId: 'p', prefixTokens: 48 })]
    const first = simulatePoint({ replicas, requests: shared })
    const second = simulatePoint({ replicas, requests: shared })
    expect([first.outcomes[0]!.cachedTokens, second.outcomes[0]!.cachedTokens]).toEqual([0, 48])
    expect(second.outcomes[0]!.endUs).toBeLessThan(first.outcomes[0]!.endUs)
    expect(replicas[0]!.clockUs).toBe(first.endUs + second.endUs)
  })

  test('ends although leaked memory lets nothing run any more', () => {
    const replicas = bootReplicas({ ...parameters, kvBlocks: 8, maxModelLen: 128 }, [QUIET])
    replicas[0]!.model.faults.leakBlocksPerRequest = 1
    const requests = Array.from({ length: 12 }, (_, index) => request(`r${index}`, index * 1e6, { promptTokens: 60 }))
    const { outcomes } = simulatePoint({ replicas, requests })
    expect(outcomes.at(-1)!.status).toBe('unfinished')
    expect(outcomes[0]!.status).toBe('ok')
  })

  test('wants its requests in order', () => {
    const replicas = bootReplicas(parameters, [QUIET])
    expect(() => simulatePoint({ replicas, requests: [request('a', 5), request('b', 4)] })).toThrow('request b arrives')
  })
})
