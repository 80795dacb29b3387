import { describe, expect, it, test } from 'vitest'
import { planDrifts } from '../../../../src/core/history/drift-plan.ts'
import type { HistoryPoint } from '../../../../src/core/history/point.ts'
import { trendsOf } from '../../../../src/core/history/trend.ts'
import { driftText, duplicateText, readDriftMarker } from '../../../../src/core/report/drift-issue.ts'
import { driftPlanJson, driftPlanText } from '../../../../src/core/report/drift-plan-text.ts'
import { nights, wavering } from '../../history/point-fixture.ts'
import { golden } from './golden-file.ts'

const plan = (points: readonly HistoryPoint[], isOpen = false) => {
  const trends = trendsOf(points)
  return planDrifts(
    trends,
    isOpen ? trends.map(({ key }, index) => ({ number: index + 1, key, facts: '0'.repeat(16), closedOn: null })) : [],
  )
}
const text = (points: readonly HistoryPoint[], isOpen = false) => driftText(plan(points, isOpen)[0]!)
const fallen = [...wavering(20), ...wavering(6, 22_000)]

const HOSTILE = '<!-- x --> | @org/team #1 <img src=x> `code` [a](https://evil.example) \u{202e}\nsecond line'
const hostile = (points: readonly HistoryPoint[]) =>
  points.map((point) => ({
    ...point,
    series: HOSTILE,
    machine: HOSTILE,
    subject: { ...point.subject, version: HOSTILE },
    limiting: { class: HOSTILE, metric: 'ttft' as const },
    runUrl: 'javascript:alert(1)',
  }))

test('the issue of a fall', () => {
  const { title, body } = text(nights(fallen))!
  const whole = `${title}\n\n${body}`
  expect(whole).toBe(golden('drift-issue.md', whole))
})

test('the plan as JSON and as lines, of every kind of series', () => {
  const changed = nights(fallen).map((point, index) =>
    index < 20 ? point : { ...point, subject: { ...point.subject, sha256: 'e'.repeat(64), version: '0.33.0' } },
  )
  const points = [
    ...changed,
    ...nights(wavering(9), { cache: 'warm' }),
    ...nights(wavering(3), { series: 'young', kind: 'simulated' }),
    ...nights([...fallen, ...wavering(6)], { series: 'mended' }),
  ]
  const json = `${JSON.stringify(driftPlanJson(plan(points, true)), null, 2)}\n`
  expect(json).toBe(golden('drift-plan.json', json))
  const lines = `${driftPlanText(plan(points, true))}\n`
  expect(lines).toBe(golden('drift-plan.txt', lines))
  expect(driftPlanText([])).toBe('the history is empty')
})

describe('the text', () => {
  it('says how an issue ends', () => {
    const back = text(nights([...fallen, ...wavering(6)]), true)
    expect(back?.title).toBeNull()
    expect(back?.body).toMatch(
      /^<!-- capacity-gate-drift:[0-9a-f]{16}:over -->\n\*\*Recovered:\*\* `dense-70b`, cold carries 23\.979 RPS again/,
    )
    const accepted = nights(fallen).map((point, index) => (index < 24 ? point : { ...point, baselineMilliRps: 22_000 }))
    expect(text(accepted, true)?.body).toMatch(/:over -->\n\*\*Accepted:\*\* .* at 22\.0 RPS/)
    expect(text(nights(wavering(20)), true)?.body).toMatch(/:over -->\n\*\*No longer seen:\*\*/)
    expect(text(nights(wavering(20)))).toBeNull()
  })

  it('lets nothing of a hostile history through', () => {
    const { title, body } = text(hostile(nights(fallen)))!
    expect(body.match(/<!--/g)).toHaveLength(1)
    expect(body).toMatch(/^<!-- capacity-gate-drift:[0-9a-f]{16}:[0-9a-f]{16} -->\n/)
    expect(body).not.toMatch(/<img|@org|javascript|\u{202e}|\[a\]\(|https:\/\//u)
    expect(title).not.toMatch(/[\n\u{202e}]/u)
    const rows = body.split('\n').filter((line) => line.startsWith('|'))
    const cells = new Set(rows.map((row) => row.split('|').length))
    expect([...cells].toSorted((one, other) => one - other)).toEqual([7, 8])
  })

  it('links what was changed between the two nights, and each side’s commit and run', () => {
    const changed = nights(fallen).map((point, index) => (index < 20 ? point : { ...point, commit: 'e'.repeat(40) }))
    const { body } = text(changed)!
    expect(body).toContain(
      `[All changes between the two nights](https://github.com/acme/serving/compare/${'c'.repeat(40)}...${'e'.repeat(40)})`,
    )
    expect(body).toContain(`[\`eeeeeeeeee\`](https://github.com/acme/serving/commit/${'e'.repeat(40)})`)
    expect(text(nights(fallen))!.body).not.toContain('All changes')
    const unknown = text(changed.map((point) => ({ ...point, runUrl: null })))!.body
    expect(unknown).not.toMatch(/https:|All changes/)
    expect(unknown).toContain('| `eeeeeeeeee` |')
  })

  it('is found again by its first line alone', () => {
    const { body } = text(nights(fallen))!
    const { key, facts } = plan(nights(fallen))[0]!
    expect(readDriftMarker(body)).toEqual({ key, facts })
    expect(readDriftMarker(body.replaceAll('\n', '\r\n'))).toEqual({ key, facts })
    expect(readDriftMarker(text(nights(wavering(20)), true)!.body)?.facts).toBe('over')
    expect(readDriftMarker(duplicateText(key, 12).body)).toEqual({ key, facts: 'duplicate' })
    for (const other of [`> ${body}`, `\n${body}`, body.replace(' -->', ' --> x'), ''])
      expect(readDriftMarker(other)).toBeNull()
  })

  it('stays far under a comment’s limit', () => {
    const long = hostile(nights(fallen)).map((point) => ({
      ...point,
      series: 'x|'.repeat(100),
      machine: '|'.repeat(400),
    }))
    expect(text(long)!.body.length).toBeLessThan(30_000)
  })
})
