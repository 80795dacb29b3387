import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { QUIET, SMALL_ENGINE } from '../../../fixtures/engine/model/parameters.ts'
import { ReplicaModel } from '../../../fixtures/engine/model/replica.ts'
import { newSequence } from '../../../fixtures/engine/model/sequence.ts'
import type { Sequence } from '../../../fixtures/engine/model/sequence.ts'

const tiny = { ...SMALL_ENGINE, slots: 4, tokenBudget: 24, blockTokens: 4, maxQueued: Infinity, maxModelLen: 160 }

function sequence(promptTokens: number, outputTokens: number, blockKeys: number[]): Sequence {
  return newSequence({ promptTokens, outputTokens, blockKeys, arrivalUs: 0 })
}

describe('any schedule', () => {
  const request = fc.record({
    prompt: fc.integer({ min: 1, max: 60 }),
    output: fc.integer({ min: 1, max: 30 }),
    prefix: fc.option(fc.integer({ min: 0, max: 2 }), { nil: null }),
    gap: fc.integer({ min: 0, max: 6 }),
    abortAfter: fc.option(fc.integer({ min: 0, max: 40 }), { nil: null, freq: 6 }),
  })

  /** What a sequence must hold, counted block by block. */
  function heldBlocks(one: Sequence, step: number): number {
    if (one.state === 'prefill') return Math.ceil(one.prefillTarget / 4)
    if (one.state !== 'decode') return 0
    return Math.ceil((one.prefillTarget + step - one.decodeFrom) / 4)
  }

  test('conserves blocks, loses no token, and starts in the order of arrival', () => {
    fc.assert(
      fc.property(
        fc.array(request, { minLength: 1, maxLength: 40, size: 'max' }),
        fc.integer({ min: 24, max: 60 }),
        (list, blocks) => {
          const replica = new ReplicaModel({ ...tiny, kvBlocks: blocks }, { ...QUIET, jitter: 0.1 }, true)
          const sequences = list.map(({ prompt, output, prefix }) => {
            const keys =
              prefix === null ? [] : [1, 2, 3].slice(0, Math.floor(prompt / 4)).map((key) => key + prefix * 10)
            return sequence(prompt, output, keys)
          })
          const given = new Map<Sequence, number>()
          let nowUs = 0
          let next = 0
          let due = list[0]!.gap
          for (let step = 0; step < 20_000; step += 1) {
            while (next < list.length && step >= due) {
              replica.submit(sequences[next]!)
              next += 1
              due = step + (list[next]?.gap ?? 0)
            }
            list.forEach(({ abortAfter }, index) => {
              if (abortAfter === step && index < next) replica.abort(sequences[index]!)
            })
            const endUs = replica.beginStep(nowUs)
            if (endUs < 0) {
              if (next === list.length) break
              continue
            }
            nowUs = endUs
            const outcome = replica.finishStep()
            for (const one of outcome.receivers) given.set(one, (given.get(one) ?? 0) + 1)
            const { pool } = replica
            expect(pool.free + pool.used).toBe(blocks)
            expect(pool.countQueue()).toBe(pool.free)
            const shared = sequences.reduce((sum, one) => sum + (one.holding?.keyed.length ?? 0), 0)
            const distinct = new Set(sequences.flatMap((one) => one.holding?.keyed ?? [])).size
            const held = sequences.reduce((sum, one) => sum + heldBlocks(one, outcome.step), 0)
            expect(pool.used).toBe(held - shared + distinct)
            expect(replica.running).toBeLessThanOrEqual(tiny.slots)
            expect(outcome.prefillTokens + outcome.decodeSequences).toBeLessThanOrEqual(tiny.tokenBudget)
          }
          expect([replica.running, replica.waiting, replica.pool.used]).toEqual([0, 0, 0])
          const stayed = sequences.filter((one) => one.state !== 'aborted')
          expect(stayed.every((one) => one.state === 'finished')).toBe(true)
          expect(stayed.map((one) => given.get(one))).toEqual(stayed.map((one) => one.outputTokens))
          const admitted = sequences.filter((one) => one.admittedUs >= 0).map((one) => one.admittedUs)
          expect(admitted).toEqual(admitted.toSorted((left, right) => left - right))
          const total = [...given.values()].reduce((sum, count) => sum + count, 0)
          expect(replica.counters.generationTokens).toBe(total)
        },
      ),
      { numRuns: 150 },
    )
  })
})
