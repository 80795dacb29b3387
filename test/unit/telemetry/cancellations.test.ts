import { expect, it } from 'vitest'
import { rowEvidence } from '../../../src/core/telemetry/client-rows.ts'
import { promptCohort } from './prompt-cohort.ts'

const cancellation = { share: 0.3, after_tokens: 5 }
const found = (view: ReturnType<typeof promptCohort>) =>
  rowEvidence(view).find(({ probe }) => probe === 'client.cancellations')

it('what became of planned cancellations is told, and judged by nobody', () => {
  const view = promptCohort({
    client: { cancellation },
    told: ({ cancelAfterTokens, id }) => ({
      status: cancelAfterTokens === undefined || id.endsWith('7') ? 'ok' : id.endsWith('9') ? 'error' : 'cancelled',
    }),
  })
  const planned = view.schedule.rows.filter(({ cancelAfterTokens }) => cancelAfterTokens !== undefined)
  const ended = (digit: string) => planned.filter(({ id }) => id.endsWith(digit)).length
  const [whole, failed] = [ended('7'), ended('9')]
  expect(whole * failed).toBeGreaterThan(0)
  expect(found(view)).toMatchObject({ state: 'pass', required: false, value: planned.length - whole - failed })
  expect(found(view)?.text).toContain(`${whole} had ended before they could be, ${failed} failed`)
})

it('nothing is told where none was planned', () => {
  expect(found(promptCohort({ told: () => ({}) }))).toBeUndefined()
})
