import { describe, expect, it } from 'vitest'
import { cacheEvidence } from '../../../src/core/telemetry/cache-evidence.ts'
import { promptCohort } from './prompt-cohort.ts'

const session = (history = 'synthetic') => ({ session: { turns: 4, concurrent: 10, think_seconds: 0, history } })
/** A turn's prompt before it: 100 tokens a turn, 20 of reply. */
const before = (turn = 0) => (turn === 0 ? 0 : turn * 100 + (turn - 1) * 20)

function cold(view: ReturnType<typeof promptCohort>) {
  const found = cacheEvidence(view).find(({ probe }) => probe === 'cache_hit.cold')
  if (!found) throw new Error('no evidence of a cold cache')
  return found
}

describe('a cold point with sessions', () => {
  it('may reuse what its sessions repeat of themselves, in whole blocks or to the last token', () => {
    for (const block of [16, 1]) {
      const view = promptCohort({
        workload: session(),
        told: ({ turn }) => ({ cachedTokens: Math.floor(before(turn) / block) * block }),
      })
      const found = cold(view)
      expect(found).toMatchObject({ state: 'pass', blames: 'client' })
      expect(found.limit).toBeGreaterThan(0.5)
      expect(found.value).toBeLessThanOrEqual((found.limit ?? 0) - 0.01 + 1e-12)
      expect(found.text).toMatch(/can be what sessions repeat of themselves$/)
    }
  })

  it('is not cold where more comes from the cache than that', () => {
    const view = promptCohort({ workload: session(), told: ({ turn }) => ({ cachedTokens: before(turn) + 5 }) })
    expect(cold(view).state).toBe('fail')
  })

  it('may reuse replies only where the history is live', () => {
    const told = ({ turn = 0 }) => ({ cachedTokens: turn === 0 ? 0 : before(turn) + 19 })
    expect(cold(promptCohort({ workload: session(), told })).state).toBe('fail')
    expect(cold(promptCohort({ workload: session('live'), told })).state).toBe('pass')
  })

  it('is held to what the requests that tell could reuse', () => {
    const view = promptCohort({
      workload: session(),
      told: ({ turn }) => (turn ? { status: 'error' } : { cachedTokens: 3 }),
    })
    expect(cold(view)).toMatchObject({ state: 'fail', limit: 0.01, value: 0.03 })
  })
})

it('without sessions a cold point is held to the manifest’s limit alone', () => {
  const found = cold(promptCohort({ told: () => ({ cachedTokens: 1 }) }))
  expect(found).toMatchObject({ state: 'pass', limit: 0.01, value: 0.01 })
  expect(found.text).not.toContain('sessions')
  expect(cold(promptCohort({ told: () => ({ cachedTokens: 2 }) })).state).toBe('fail')
})
