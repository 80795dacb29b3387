import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { daysLater } from '../../../src/core/gate/accepted/rules.ts'
import { recorded } from '../../fakes/recorded-events.ts'
import { fileOf } from '../../unit/gate/accepted/accepted-fixture.ts'
import type { Entry } from '../../unit/gate/accepted/accepted-fixture.ts'
import { boots, GUARD, point, record, result } from '../../unit/gate/record-fixture.ts'
import { workedExample } from '../../unit/entry/cli-in-process.ts'
import { builtAction } from './built-action.ts'
import { scratch } from './cli-process.ts'

const action = builtAction()

const lost = record([
  result('confirm', [
    ...boots('cold', GUARD.cold, 'fail', 'fail'),
    point({ milliRps: 21_600, deployId: 'cold-boot-3' }),
  ]),
  result('confirm', boots('warm', GUARD.warm, 'pass')),
])
const day = (days: number) => daysLater(new Date().toISOString().slice(0, 10), days)

/** A step of a pull request's job whose checkout accepts these losses. */
async function step(change: Partial<Entry>) {
  const payload = recorded('pull_request', (item) => item['action'] === 'synchronize')
  const checkout = mkdtempSync(join(scratch(), 'checkout-'))
  const [accepted, manifest] = [join(checkout, 'accepted.yaml'), join(checkout, 'workload-manifest.yaml')]
  writeFileSync(accepted, fileOf(change))
  writeFileSync(manifest, `gate: { id: dense-70b-8xh100 }\n${readFileSync(workedExample, 'utf8')}`)
  const inputs: Record<string, string> = { ...action.gating(lost), manifest, accepted, comment: 'never' }
  const event = {
    name: 'pull_request',
    payload,
    repository: payload.repository.full_name,
    apiUrl: 'http://127.0.0.1:9',
  }
  return { inputs, accepted, ...(await action.step(inputs, event)) }
}

describe('the built action under accepted losses', () => {
  it('ends with 0 for the loss that was accepted, and says at the top that it is one', async () => {
    const { code, outputs, summary, log, inputs, accepted } = await step({ expires: day(30) })
    expect([code, outputs['verdict'], outputs['cold-verdict']]).toEqual([0, 'held', 'held'])
    expect(summary.split('\n')[0]).toBe('## ⚠️ Capacity held (accepted loss): no action needed until it expires')
    expect(summary).toContain('> **Accepted loss, cold:**')
    expect(log).toContain('::warning title=Capacity held%2C accepted loss (cold)')
    expect(readFileSync(join(inputs['pack'] ?? '', 'accepted.yaml'), 'utf8')).toBe(readFileSync(accepted, 'utf8'))
  })

  it('ends with 2 once it has expired, with a warning on the file’s line', async () => {
    const { code, outputs, log, accepted } = await step({ expires: day(-1) })
    expect([code, outputs['verdict']]).toEqual([2, 'regressed'])
    expect(log).toMatch(new RegExp(`::warning title=accepted-expired,file=${accepted},line=9,col=\\d+::`))
  })

  it('ends with 2 where more was lost than was accepted, and with 4 for a file that is not good', async () => {
    expect((await step({ expires: day(30), floor_rps: 22 })).code).toBe(2)
    const refused = await step({ expires: day(91) })
    expect([refused.code, refused.outputs['verdict']]).toEqual([4, 'invalid'])
    expect(refused.log).toContain('91 days ahead')
  })
})
