import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { autoRates } from '../../../src/core/manifest/auto-rates.ts'
import { smallExample, workedExample } from '../../virtual/virtual-manifest.ts'
import { edited, errors, packManifest, read } from './marked-manifests.ts'

const AUTO = { sweep: { rates_rps: 'auto' } }
const rps = (milliRps: number) => milliRps / 1000

/** The errors of the 8 × H100 manifest that declares these rates. */
const errorsAt = (...rates: number[]) =>
  errors(read(edited(packManifest('h100-vllm'), '[16, 20, 24, 28]', `[${rates.join(', ')}]`)).findings)

describe('the rates that auto chooses from', () => {
  it('are preferred numbers within the span that lint admits, and its two ends', () => {
    const rates = autoRates(workedExample(AUTO)).map(rps)
    expect(rates).toEqual([6.112, 6.3, 8, 10, 12.5, 16, 20, 25, 31.5, 40, 50, 63, 73.333])
    expect(errorsAt(...rates)).toEqual([])
    expect(errorsAt(6.111, 20)).toEqual(['rate-schedule-does-not-fit'])
    expect(errorsAt(20, 73.334)).toEqual(['rate-too-short'])
  })

  it('begin where the smallest class still reaches its floor, without its planned cancellations', () => {
    const floor = (min_successful_samples_per_class: number) => ({ acceptance: { min_successful_samples_per_class } })
    const cancellation = { share: 0.5, after_tokens: 20 }
    expect(autoRates(smallExample(AUTO))[0]).toBe(10_000)
    expect(autoRates(smallExample(AUTO, floor(90)))[0]).toBe(15_000)
    // Only generation_heavy, a tenth of the mix, answers with more than 20 tokens.
    expect(autoRates(smallExample(AUTO, floor(90), { client: { cancellation } }))[0]).toBe(30_000)
  })

  it('end before a session’s next turn is due within its think time', () => {
    const small = smallExample(AUTO)
    const session = { turns: 3, concurrent: 12, think_seconds: 0.5, history: 'synthetic' as const }
    const workload = small.workload.map((entry) => (entry.name === 'interactive' ? { ...entry, session } : entry))
    expect(autoRates({ ...small, workload }).at(-1)).toBe(34_285)
  })

  it('are none where no rate is admitted', () => {
    expect(autoRates(smallExample(AUTO, { acceptance: { min_successful_samples_per_class: 400 } }))).toEqual([])
  })

  it('are whole, ascending, and never further apart than a quarter and a little', () => {
    const given = fc.record({
      initial_scheduled_requests: fc.integer({ min: 30, max: 100_000 }),
      minimum_duration_seconds: fc.integer({ min: 1, max: 600 }),
      longer: fc.integer({ min: 1, max: 3000 }),
    })
    fc.assert(
      fc.property(given, ({ longer, ...client }) => {
        const maximum_duration_seconds = client.minimum_duration_seconds + longer
        const rates = autoRates(smallExample(AUTO, { client: { ...client, maximum_duration_seconds } }))
        for (const [index, rate] of rates.entries()) {
          const before = rates[index - 1] ?? rate - 1
          expect(Number.isInteger(rate) && rate > before).toBe(true)
          expect(rate).toBeLessThanOrEqual(Math.max(before * 1.29, before + 1))
        }
      }),
    )
  })
})

it('a list of rates with a wrong one names that one', () => {
  const text = edited(packManifest('h100-vllm'), '[16, 20, 24, 28]', '[16, twenty]')
  expect(read(text).findings).toMatchObject([{ path: 'sweep.rates_rps[1]', message: /where a number is expected/ }])
})

it('a word other than auto is told what there is', () => {
  const text = edited(packManifest('h100-vllm'), '[16, 20, 24, 28]', 'automatic')
  expect(read(text).findings).toMatchObject([{ path: 'sweep.rates_rps', hint: /auto: found by/ }])
})
