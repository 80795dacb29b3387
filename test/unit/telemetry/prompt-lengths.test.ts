import { describe, expect, it } from 'vitest'
import { rowEvidence } from '../../../src/core/telemetry/client-rows.ts'
import { promptCohort } from './prompt-cohort.ts'

const SHA = 'ab'.repeat(32)
const texts = {
  client: { prompt: 'text', dataset: { file: 'a.txt', sha256: SHA, format: 'text', length_tolerance: 0.1 } },
  options: { dataset: { sha256: SHA, texts: ['a', 'b', 'c'], classes: null } },
}

function lengths(view: ReturnType<typeof promptCohort>) {
  return rowEvidence(view).find(({ probe }) => probe === 'client.prompt_tokens')
}

describe('the length of prompts, as the engine counts it', () => {
  it('of a dataset’s texts is held to the tolerance', () => {
    for (const inputTokens of [90, 100, 110]) {
      expect(lengths(promptCohort({ ...texts, told: () => ({ inputTokens }) }))).toMatchObject({
        state: 'pass',
        text: 'the engine counted the texts within 10 % of their class’s input_tokens',
      })
    }
    const view = promptCohort({
      ...texts,
      told: ({ id }) => ({ inputTokens: id === 'r-00009' ? 111 : 90 }),
    })
    const found = lengths(view)
    expect(found).toMatchObject({ state: 'fail', blames: 'client', value: 1 })
    expect(found?.text).toMatch(/^r-00009: 111 instead of 100 ± 10 %, of text \d$/)
  })

  it('is unknown where no answer tells it', () => {
    const found = lengths(promptCohort({ ...texts, told: () => ({ inputTokens: null }) }))
    expect(found).toMatchObject({ state: 'unknown', required: true, text: 'the engine tells no prompt’s length' })
  })

  it('of token ids is held to the token', () => {
    expect(lengths(promptCohort({ told: () => ({}) }))?.state).toBe('pass')
    expect(lengths(promptCohort({ told: () => ({ inputTokens: 101 }) }))).toMatchObject({ state: 'fail', value: 200 })
  })

  it('of token ids is not known where no answer tells it, and nobody needs to', () => {
    expect(lengths(promptCohort({ told: () => ({ inputTokens: null }) }))).toMatchObject({
      state: 'unknown',
      required: false,
    })
  })

  it('of words is not known beforehand', () => {
    expect(lengths(promptCohort({ client: { prompt: 'text' }, told: () => ({ inputTokens: 140 }) }))).toBeUndefined()
  })
})
