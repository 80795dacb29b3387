import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { readAcceptedLosses } from '../../../src/core/gate/accepted/read.ts'
import { annotations } from '../../../src/core/report/annotations.ts'
import { acceptedLossOffer } from '../../../src/core/report/accepted-loss.ts'
import { renderComment, renderSummary } from '../../../src/core/report/comment.ts'
import { renderReportMarkdown } from '../../../src/core/report/report-markdown.ts'
import { renderText } from '../../../src/core/report/text.ts'
import { FACTS } from '../gate/accepted/accepted-fixture.ts'
import {
  baseline,
  boots,
  evidence,
  experimentValue,
  GUARD,
  heldCandidate,
  point,
  record,
  result,
  withExperiment,
} from '../gate/record-fixture.ts'
import { CASES, input } from './report-fixture.ts'

const WARM = result('confirm', boots('warm', GUARD.warm, 'pass'))
const lost = (...more: ReturnType<typeof point>[]): CapacityRecord =>
  record([result('confirm', [...boots('cold', GUARD.cold, 'fail', 'fail'), ...more]), WARM])
const passing = point({ milliRps: 21_600, repeat: 1, deployId: 'cold-boot-3' })

function made(name: string) {
  const found = CASES[name]?.()
  if (found === undefined) throw new Error(`no case ${name}`)
  return found
}

describe('the file that a comment offers', () => {
  test('accepts the loss that it shows, once who and why are filled in', () => {
    const shown = input(lost(passing))
    const offer = acceptedLossOffer(shown)
    if (offer === null) throw new Error('nothing is offered')
    expect(renderComment(shown)).toContain(`\`.capacity-gate/accepted.yaml\`:\n\n\`\`\`yaml\n${offer}\`\`\``)
    expect(parse(offer)).toMatchObject({ losses: [{ guard_rps: 23.04, floor_rps: 21.6, expires: '2026-12-20' }] })
    const asOf = { ...FACTS, asOf: '2026-11-20' }
    expect(readAcceptedLosses(offer, asOf).findings.map(({ rule }) => rule)).toEqual([
      'accepted-placeholder',
      'accepted-placeholder',
    ])
    const { losses } = readAcceptedLosses(offer.replace('WHY', 'a fix').replace('WHO', 'ada'), asOf)
    expect(input(lost(passing), baseline(), losses ?? []).verdict.outcome).toBe('held')
  })

  test('is not offered for what no file can accept', () => {
    const broken = lost(passing)
    broken.capacity[0]?.points[0]?.evidence.push(evidence('stability.exit', { state: 'fail', blames: 'engine' }))
    const minimum = withExperiment(experimentValue({ min_capacity_rps: 22 }))
    const failed = [evidence('stability.exit', { state: 'fail', blames: 'engine' })]
    const none: [string, CapacityRecord, CapacityRecord?][] = [
      ['held', heldCandidate()],
      ['nothing passes', lost()],
      ['the engine broke', broken],
      ['under the minimum', { ...lost(passing), ...minimum }, baseline(minimum)],
      ['the run itself failed', { ...lost(passing), evidence: failed }],
      ['a gate of no such name', { ...lost(passing), gateId: 'a\n```\n# b' }],
      ['no day', { ...lost(passing), createdAt: 'yesterday' }],
    ]
    expect(none.map(([name, candidate, base]) => [name, acceptedLossOffer(input(candidate, base))])).toEqual(
      none.map(([name]) => [name, null]),
    )
  })
})

test('an accepted loss stands before any number, in every place, escaped', () => {
  const shown = made('accepted-loss')
  for (const markdown of [renderComment(shown), renderSummary(shown), renderReportMarkdown(shown)]) {
    const [heading, quote] = markdown.split('\n').filter((line) => line !== '' && !line.startsWith('<!--'))
    expect(heading).toBe('## ⚠️ Capacity held (accepted loss): no action needed until it expires')
    expect(quote).toMatch(
      /^> \*\*Accepted loss, warm:\*\* the guard rate of 28\.8 RPS is missed; a loss down to 27\.0 RPS/,
    )
    expect(quote).toContain('&lt;b&gt;')
    expect(quote).not.toMatch(/<b>|@org|\]\(https:\/\/evil|[^\\]\|/)
  }
  const [title, line] = renderText(shown).split('\n')
  expect(title).toMatch(/^HELD \(ACCEPTED LOSS\): /)
  expect(line).toMatch(/^ {2}Accepted loss, warm: .*2026-12-20 by @ada/)
})

test('annotations warn of an accepted loss, and of one that is not needed', () => {
  expect(annotations(made('accepted-loss').verdict)).toMatchObject([
    {
      level: 'warning',
      title: 'Capacity held, accepted loss (warm)',
      message: expect.stringContaining('[loss_accepted]'),
    },
    { level: 'notice', title: 'Capacity held (cold)' },
  ])
  expect(annotations(made('accepted-loss-not-needed').verdict)).toMatchObject([
    { level: 'warning', title: 'Accepted loss not needed (warm)' },
    { level: 'notice' },
    { level: 'notice' },
  ])
})
