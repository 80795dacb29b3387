import { describe, expect, test } from 'vitest'
import { QUIET, SMALL_ENGINE } from '../../../fixtures/engine/model/parameters.ts'
import type { EngineParameters } from '../../../fixtures/engine/model/parameters.ts'
import { ReplicaModel } from '../../../fixtures/engine/model/replica.ts'
import { newSequence } from '../../../fixtures/engine/model/sequence.ts'
import type { Sequence } from '../../../fixtures/engine/model/sequence.ts'

const tiny: EngineParameters = {
  ...SMALL_ENGINE,
  slots: 4,
  tokenBudget: 24,
  blockTokens: 4,
  kvBlocks: 40,
  maxQueued: Infinity,
  maxModelLen: 160,
  baseUs: 1000,
  perPrefillTokenUs: 10,
  perDecodeSequenceUs: 5,
  perContextTokenUs: 1,
  perPrefillPairUs: 0.5,
}

function sequence(promptTokens: number, outputTokens: number, blockKeys: number[] = []): Sequence {
  return newSequence({ promptTokens, outputTokens, blockKeys, arrivalUs: 0 })
}

/** Steps until nothing can run; calls back between the plan and the end of each step. */
function runOut(replica: ReplicaModel, planned: (endUs: number) => void = () => undefined): number {
  let nowUs = 0
  for (;;) {
    const endUs = replica.beginStep(nowUs)
    if (endUs < 0) return nowUs
    planned(endUs)
    nowUs = endUs
    replica.finishStep()
  }
}

describe('one sequence', () => {
  test('takes its chunks and its decodes at exactly the declared cost', () => {
    const replica = new ReplicaModel(tiny, QUIET)
    const one = sequence(30, 3)
    expect(replica.submit(one)).toBe('queued')
    const ends: number[] = []
    runOut(replica, (endUs) => ends.push(endUs))
    // 24 tokens (300 pairs), 6 on top of 24 (144 + 21 pairs), then decodes over contexts of 31 and 32 tokens.
    const costs = [1000 + 240 + 150, 1000 + 60 + 83, 1000 + 5 + 31, 1000 + 5 + 32]
    expect(ends).toEqual(costs.map((_, index) => costs.slice(0, index + 1).reduce((sum, cost) => sum + cost)))
    expect([one.firstTokenUs, one.lastTokenUs]).toEqual([ends[1], ends[3]])
    expect(one.state).toBe('finished')
  })

  test('with one output token ends with its prefill', () => {
    const replica = new ReplicaModel(tiny, QUIET)
    const one = sequence(8, 1)
    replica.submit(one)
    runOut(replica)
    expect([one.firstTokenUs, replica.counters.generationTokens, replica.pool.used]).toEqual([one.lastTokenUs, 1, 0])
  })

  test('that could never fit, or comes to a full queue, is turned away', () => {
    const replica = new ReplicaModel({ ...tiny, maxQueued: 2 }, QUIET)
    expect(replica.submit(sequence(150, 20))).toBe('too_long')
    expect([1, 2, 3].map(() => replica.submit(sequence(4, 4)))).toEqual(['queued', 'queued', 'refused'])
    expect(replica.counters.refused).toBe(1)
  })
})

describe('the prefix cache', () => {
  const keys = [11, 12, 13, 14]

  test('hits whole blocks, and of a whole repeat all but the block of the last token', () => {
    const replica = new ReplicaModel(tiny, QUIET)
    replica.submit(sequence(16, 2, keys))
    runOut(replica)
    const repeat = sequence(16, 2, keys)
    const longer = sequence(18, 2, keys)
    replica.submit(repeat)
    replica.submit(longer)
    runOut(replica)
    expect([repeat.cachedTokens, longer.cachedTokens]).toEqual([12, 16])
    expect([replica.counters.prefixQueries, replica.counters.prefixHits]).toEqual([50, 28])
    expect([replica.counters.promptTokens, replica.counters.cachedPromptTokens]).toEqual([50, 28])
  })

  test('can be off, or stop hitting', () => {
    const off = new ReplicaModel({ ...tiny, prefixCache: false }, QUIET)
    const broken = new ReplicaModel(tiny, QUIET)
    broken.faults.cacheHits = false
    for (const replica of [off, broken]) {
      for (const one of [sequence(16, 2, keys), sequence(16, 2, keys)]) {
        replica.submit(one)
        runOut(replica)
        expect(one.cachedTokens).toBe(0)
      }
      expect(replica.pool.used).toBe(0)
    }
    expect([off.counters.prefixQueries, broken.counters.prefixQueries]).toEqual([0, 32])
  })

  test('is emptied by a reset, which is refused while anything runs', () => {
    const replica = new ReplicaModel(tiny, QUIET)
    replica.submit(sequence(16, 2, keys))
    const endUs = replica.beginStep(0)
    expect(replica.resetPrefixCache()).toBe(false)
    replica.finishStep()
    replica.beginStep(endUs)
    replica.finishStep()
    expect(replica.resetPrefixCache()).toBe(true)
    const repeat = sequence(16, 2, keys)
    replica.submit(repeat)
    runOut(replica)
    expect(repeat.cachedTokens).toBe(0)
  })
})

describe('memory pressure', () => {
  test('preempts the newest, which computes everything again and loses no token', () => {
    const replica = new ReplicaModel({ ...tiny, kvBlocks: 10 }, QUIET, true)
    const older = sequence(16, 16)
    const newer = sequence(16, 16)
    replica.submit(older)
    replica.submit(newer)
    let computed = 0
    const given = new Map<Sequence, number>()
    let nowUs = 0
    for (;;) {
      const endUs = replica.beginStep(nowUs)
      if (endUs < 0) break
      nowUs = endUs
      const outcome = replica.finishStep()
      computed += outcome.prefillTokens
      for (const one of outcome.receivers) given.set(one, (given.get(one) ?? 0) + 1)
    }
    expect([older.preemptions, newer.preemptions]).toEqual([0, 1])
    expect(replica.counters.preemptions).toBe(1)
    expect(computed).toBe(16 + newer.prefillTarget + 16)
    expect(newer.prefillTarget).toBeGreaterThan(16)
    expect([given.get(older), given.get(newer)]).toEqual([16, 16])
    expect([replica.pool.free, replica.counters.generationTokens]).toEqual([10, 32])
  })

  test('leaked blocks never come back, until nothing can run', () => {
    const replica = new ReplicaModel({ ...tiny, kvBlocks: 8, maxModelLen: 32 }, QUIET)
    replica.faults.leakBlocksPerRequest = 2
    const all = [1, 2, 3, 4].map(() => sequence(12, 6))
    for (const one of all) replica.submit(one)
    runOut(replica)
    expect(all.map((one) => one.state)).toEqual(['finished', 'finished', 'waiting', 'waiting'])
    expect([replica.pool.leaked, replica.pool.free, replica.pool.used]).toEqual([4, 4, 0])
    expect(replica.kvUsage).toBe(0.5)
    expect(replica.resetPrefixCache()).toBe(false)
  })
})

describe('aborts', () => {
  /** One slot: the first runs, the second waits; one step has been made. */
  function twoOnOneSlot(firstPrompt: number) {
    const replica = new ReplicaModel({ ...tiny, slots: 1 }, QUIET)
    const first = sequence(firstPrompt, 40)
    const second = sequence(8, 4)
    replica.submit(first)
    replica.submit(second)
    const nowUs = replica.beginStep(0)
    replica.finishStep()
    return { replica, first, second, nowUs }
  }

  test('of a waiting sequence take effect at once', () => {
    const { replica, first, second } = twoOnOneSlot(8)
    replica.abort(second)
    expect([second.state, replica.waiting]).toEqual(['aborted', 0])
    runOut(replica)
    expect([first.state, replica.running, replica.pool.free]).toEqual(['finished', 0, 40])
  })

  test.each([
    ['prefill', 60],
    ['decode', 8],
  ] as const)('of a sequence in %s give everything back when the step ends', (state, firstPrompt) => {
    const { replica, first, second, nowUs } = twoOnOneSlot(firstPrompt)
    expect(first.state).toBe(state)
    replica.beginStep(nowUs)
    replica.abort(first)
    expect(replica.running).toBe(1)
    replica.finishStep()
    expect([first.state, replica.running, replica.pool.free]).toEqual(['aborted', 0, 40])
    runOut(replica)
    expect([second.state, replica.running, replica.pool.free]).toEqual(['finished', 0, 40])
  })
})

describe('parameters', () => {
  test('that no engine could have are refused', () => {
    expect(() => new ReplicaModel({ ...tiny, tokenBudget: 4 }, QUIET)).toThrow('tokenBudget must be greater than slots')
    expect(() => new ReplicaModel({ ...tiny, baseUs: NaN }, QUIET)).toThrow('baseUs')
    expect(() => new ReplicaModel({ ...tiny, kvBlocks: 0 }, QUIET)).toThrow('kvBlocks')
  })
})
