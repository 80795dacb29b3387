import { describe, expect, test } from 'vitest'
import type { Plant, Trial } from './planted.ts'
import { explained } from './planted.ts'
import { SMALL_ENGINE } from '../../../fixtures/engine/model/parameters.ts'

const { baseUs, perPrefillTokenUs } = SMALL_ENGINE

/** Every 23rd request. */
const refuses = ({ id }: { id: string }) => Number(id.replaceAll(/\D/g, '')) % 23 === 0

/** A prompt token that costs more, so that the cache carries part of the load. */
const HEAVY = { perPrefillTokenUs: 100 }

const PLANTED: { cause: string; plant: Plant; trial?: Trial; base?: Plant }[] = [
  { cause: 'prefill', plant: { parameters: { perPrefillTokenUs: perPrefillTokenUs * 2.5 } } },
  { cause: 'decode', plant: { parameters: { baseUs: baseUs * 2.5 } } },
  { cause: 'kv_size', plant: { parameters: { kvBlocks: 60 } } },
  { cause: 'batch_limit', plant: { parameters: { slots: 3 } } },
  {
    cause: 'hit_rate',
    plant: { parameters: HEAVY, subject: { faults: { cacheHits: false } } },
    trial: { cache: 'warm', rate: 44 },
    base: { parameters: HEAVY },
  },
  { cause: 'errors.http_status', plant: { plan: { refuses } } },
  { cause: 'chunks', plant: { subject: { chunkTokens: 16 } }, trial: { rate: 44 } },
  { cause: 'clocks', plant: { subject: { speed: 0.6 }, smMhz: 1188 } },
  { cause: 'standstills', plant: { subject: { faults: { stallEverySteps: 60, stallUs: 500_000 } } } },
  {
    cause: 'intake',
    plant: { subject: { intakeUs: 250_000 } },
    trial: { changes: [{ acceptance: { latency_origin: 'due' } }] },
  },
]

describe('the planted cause is named first', () => {
  test.each(PLANTED)('$cause', async ({ cause, plant, trial, base }) => {
    const found = await explained(plant, trial, base)
    expect(found.lostShare).toBeGreaterThan(0)
    expect(found.causes[0]?.id).toBe(cause)
  })
})

test('nothing planted, nothing stands out', async () => {
  const found = await explained({})
  expect([found.lostShare, found.causes]).toEqual([0, []])
})

describe('of two planted causes both are named, the larger first', () => {
  const order = async (plant: Plant, trial?: Trial) => (await explained(plant, trial)).causes.map(({ id }) => id)

  test('slower prefill and errors', async () => {
    const acceptance = { error_rate_max: 0.2, class_error_rate_max: 0.2 }
    const both = { parameters: { perPrefillTokenUs: perPrefillTokenUs * 2.7 }, plan: { refuses } }
    expect(await order(both, { changes: [{ acceptance }] })).toEqual(['prefill', 'errors.http_status'])
  })

  test('slower prefill and slower decode', async () => {
    const prefillFirst = { perPrefillTokenUs: perPrefillTokenUs * 2.5, baseUs: baseUs * 1.3 }
    expect(await order({ parameters: prefillFirst })).toEqual(['prefill', 'decode'])
    const decodeFirst = { perPrefillTokenUs: perPrefillTokenUs * 1.3, baseUs: baseUs * 1.8 }
    expect(await order({ parameters: decodeFirst })).toEqual(['decode', 'prefill'])
  })
})
