import { expect, test } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import type { Evidence } from '../../../src/core/kernel/evidence.ts'
import { renderComment } from '../../../src/core/report/comment.ts'
import { fallTitle } from '../../../src/core/report/explain/wording.ts'
import { whySection } from '../../../src/core/report/page/why-section.ts'
import { baseline, boots, evidence, GUARD, record, result } from '../gate/record-fixture.ts'
import { input } from './report-fixture.ts'

const told = (preemptions: number, clock: number): Evidence[] => [
  evidence('client.send_lag', { value: 0.9, limit: 5, unit: 'ms' }),
  evidence('queue.trend', { blames: 'engine' }),
  evidence('cache_hit.rate', { value: 0.001, limit: 0.01 }),
  evidence('stability.preemptions', { value: preemptions, blames: 'engine', required: false }),
  evidence('host.clocks', { value: clock, blames: 'host', required: false }),
]

function telling(made: CapacityRecord, items: Evidence[], kvTokens: number): CapacityRecord {
  const capacity = made.capacity.map((item) => ({
    ...item,
    points: item.points.map((point) => ({
      ...point,
      evidence: items,
      slo: { ...point.slo, cached_tokens: 100 * items.length },
    })),
  }))
  return { ...made, capacity, boots: made.boots.map((boot) => ({ ...boot, kvTokens })) }
}

const candidate = () => record([result('confirm', boots('cold', GUARD.cold, 'fail', 'fail'))])

test('what else changed stands by its size, the largest first; what is not known is said', () => {
  const comment = renderComment(
    input(telling(candidate(), told(57, 1962), 1_100_000), telling(baseline(), told(0, 1980), 1_200_000)),
  )
  const section = comment.slice(comment.indexOf('What else changed'))
  expect(section.split('\n').slice(2, 7)).toEqual([
    '| what | baseline | now | Δ % |',
    '| :- | -: | -: | -: |',
    '| preemptions | 0 | 57 | – |',
    '| KV size, tokens | 1200000 | 1100000 | −8.3 |',
    '| median SM clock, MHz | 1980 | 1962 | −0.9 |',
  ])
  expect(section).toMatch(/Not known of both: tokens a chunk, KV in use at most, .*other processes on the GPUs\./)
})

test('a probe that only one side has is no change', () => {
  const comment = renderComment(
    input(telling(candidate(), told(57, 1980), 5), telling(baseline(), told(57, 1980).slice(0, 3), 5)),
  )
  expect(comment).toContain('preemptions, KV in use at most, median SM clock')
  expect(comment).not.toContain('| preemptions |')
})

test('nothing is explained where no two points compare', () => {
  expect(renderComment(input(candidate(), null))).not.toContain('What else changed')
})

test('only of what was lost for good is it said that it fell', () => {
  const [state] = input(candidate()).verdict.states
  if (state === undefined) throw new Error('no state')
  const titleOf = (outcome: typeof state.outcome) => fallTitle({ ...state, outcome })
  expect(titleOf('regressed')).toBe('Why it fell')
  expect([titleOf('held'), titleOf('improved')]).toEqual(['What is lost, and why', 'What is lost, and why'])
})

test('the page has the causes and the changes with the numbers that the comment has', () => {
  const slow = telling(candidate(), told(57, 1962), 1_100_000)
  for (const { slo } of slow.capacity.flatMap(({ points }) => points)) {
    for (const report of Object.values(slo.classes)) report.ttft_ms = { ...report.ttft_ms, p50: 900 }
  }
  const report = input(slow, telling(baseline(), told(0, 1980), 1_200_000))
  const [comment, page] = [renderComment(report), whySection(report, () => null)]
  const figures = 'KV size, tokens: 1200000 → 1100000'
  expect(comment).toMatch(new RegExp(`\\| a smaller KV cache \\| [\\d.]+ \\| seen \\| ${figures}; preemptions: 0 → 57`))
  expect(page).toMatch(
    new RegExp(`>a smaller KV cache</strong>: [\\d.]+ % of the loss \\(seen\\)<br>${figures}<br>preemptions: 0 → 57`),
  )
  expect(page).toMatch(/What else changed[^]*>median SM clock, MHz<td[^>]*>1980<td[^>]*>1962<td[^>]*>−0\.9/)
})
