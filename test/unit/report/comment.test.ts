import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { gate } from '../../../src/core/gate/gate.ts'
import type { Outcome, Verdict } from '../../../src/core/gate/verdict.ts'
import { annotations } from '../../../src/core/report/annotations.ts'
import { renderComment, renderSummary } from '../../../src/core/report/comment.ts'
import type { ReportInput } from '../../../src/core/report/context.ts'
import { commentMarker } from '../../../src/core/report/marker.ts'
import { renderReportMarkdown } from '../../../src/core/report/report-markdown.ts'
import { renderText } from '../../../src/core/report/text.ts'
import {
  baseline,
  boots,
  experimentValue,
  heldCandidate,
  point,
  record,
  result,
  sweep,
  withExperiment,
} from '../gate/record-fixture.ts'
import { cellsOf, hostileString, wrongIn } from './markdown-oracle.ts'
import { CASES, input } from './report-fixture.ts'

const bytes = (text: string) => new TextEncoder().encode(text).length

/** The value with every string that is free text replaced, and lists as long as `copies` times theirs. */
function defaced(value: unknown, text: string, copies: number): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => defaced(item, text, copies))
    return items.length === 0 || typeof value[0] === 'number'
      ? items
      : Array.from({ length: copies }, () => items).flat()
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => [key, defaced(item, text, copies)] as const)
    const classes = entries.flatMap(([key, item]) => (key === 'interactive' ? [[text, item] as const] : []))
    return Object.fromEntries([...entries, ...classes])
  }
  const fixed = [
    'cold',
    'warm',
    'pass',
    'fail',
    'invalid',
    'unknown',
    'held',
    'regressed',
    'improved',
    'inconclusive',
    'recorded',
    'flat',
  ]
  const kept = [
    ...fixed,
    'ttft',
    'measured',
    'simulated',
    'service',
    'baseline',
    'hit',
    'sweep',
    'confirm',
    'engine',
    'client',
    'host',
  ]
  return typeof value === 'string' && !kept.includes(value) && !/^[0-9a-f]{64}$/.test(value) ? text : value
}

function hostileInput(base: ReportInput, text: string, copies: number): ReportInput {
  return {
    verdict: defaced(base.verdict, text, copies) as Verdict,
    record: defaced(base.record, text, copies) as CapacityRecord,
    baseline: defaced(base.baseline, text, copies) as CapacityRecord | null,
    anchor: null,
    context: {
      headSha: text,
      baseSha: text,
      runUrl: text,
      repository: text,
      packPath: text,
      toolVersion: text,
      commentKey: text,
    },
  }
}

const cases = fc.constantFrom(...Object.keys(CASES).filter((name) => name !== 'huge-shrunk'))

test('property: whatever the records say, the comment fits, says only text, and its tables are whole', () => {
  fc.assert(
    fc.property(cases, hostileString(), fc.integer({ min: 1, max: 3 }), (name, text, copies) => {
      const made = CASES[name]?.()
      if (made === undefined) throw new Error('no such case')
      const comment = renderComment(hostileInput(made, text, copies))
      expect(bytes(comment)).toBeLessThanOrEqual(65_000)
      expect(comment.length).toBeLessThanOrEqual(65_000)
      expect(wrongIn(comment)).toEqual([])
      expect(comment.match(/<!--/g)).toHaveLength(1)
      expect(comment.match(/<details>/g)?.length).toBe(comment.match(/<\/details>/g)?.length)
      const tables = comment.split('\n\n').filter((block) => block.startsWith('|'))
      for (const block of tables) expect(new Set(block.split('\n').map(cellsOf)).size).toBe(1)
    }),
    { numRuns: 50 },
  )
})

test('the largest records are cut to fit, and the comment says what was left out', () => {
  const wide = '😀`|<'.repeat(1000)
  const base = CASES['regressed-warm']?.()
  if (base === undefined) throw new Error('no such case')
  const large = hostileInput(base, wide, 6)
  const comment = renderComment(large)
  expect(bytes(comment)).toBeLessThanOrEqual(65_000)
  expect(comment).toContain('Left out to fit here: boots, identity and hardware')
  expect(comment).toContain('❌ Capacity regressed: action needed')
  expect(bytes(renderSummary(large))).toBeLessThanOrEqual(1_000_000)
})

test('the marker is the first line, and the summary has none', () => {
  const held = input(heldCandidate())
  expect(renderComment(held).split('\n')[0]).toBe(commentMarker('dense-70b-8xh100'))
  const keyed = { ...held, context: { ...held.context, commentKey: 'nightly' } }
  expect(renderComment(keyed).split('\n')[0]).toBe('<!-- capacity-gate:dense-70b-8xh100:nightly -->')
  expect(renderSummary(held)).toMatch(/^## ✅/)
  expect(renderReportMarkdown(held)).not.toContain('<!--')
})

test.each([
  ['held', 'no action needed'],
  ['improved', 'no action needed'],
  ['regressed', 'action needed'],
  ['inconclusive', 'action needed'],
  ['invalid', 'action needed'],
  ['recorded', 'NOT GATED'],
] as const)('the heading of %s says %s', (outcome: Outcome, words) => {
  const held = input(heldCandidate())
  const heading = renderComment({ ...held, verdict: { ...held.verdict, outcome } }).split('\n')[1]
  expect(heading).toMatch(/^## /)
  expect(heading).toContain(words)
})

test('a simulated record says so before any number', () => {
  for (const render of [renderComment, renderSummary, renderReportMarkdown, renderText]) {
    const text = render(input(heldCandidate({ kind: 'simulated' }), baseline({ kind: 'simulated' })))
    expect(text.split('\n').slice(0, 5).join('\n')).toContain('Simulated: these numbers come from the embedded engine')
  }
})

test('a record that cannot be promoted is not offered for promotion', () => {
  const confirmed = renderComment(input(heldCandidate(), null))
  expect(confirmed).toContain('NOT GATED')
  expect(confirmed).not.toContain('--candidate inference-capacity-pack/capacity.json')
  expect(confirmed).toContain('This record cannot be promoted as it is')
  const swept = input(baseline(), null)
  const context = { ...swept.context, baselineRef: 'dir:capacity-baselines' }
  expect(renderComment({ ...swept, context })).toContain(
    '```sh\ncapacity-gate promote --candidate inference-capacity-pack/capacity.json --to dir:capacity-baselines --reason "WHY"\n```',
  )
})

test('the terminal’s text holds no control character but its line ends', () => {
  fc.assert(
    fc.property(cases, hostileString(), (name, text) => {
      const made = CASES[name]?.()
      if (made === undefined) throw new Error('no such case')
      const lines = renderText(hostileInput(made, text, 2))
      expect(lines.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    }),
    { numRuns: 60 },
  )
})

test('annotations: the worst first, ten at most, the rest counted', () => {
  const made = CASES['regressed-warm']?.()
  if (made === undefined) throw new Error('no such case')
  expect(annotations(made.verdict)).toMatchObject([
    {
      level: 'error',
      title: 'Capacity regressed (warm)',
      message: expect.stringMatching(/^28\.8 RPS failed.*\[below_baseline\]$/),
    },
    { level: 'error', message: expect.stringContaining('long_context') },
    { level: 'notice', title: 'Capacity held (cold)' },
  ])
  const reasons = Array.from({ length: 40 }, (_, index) => ({
    code: 'experiment_differs',
    text: `field ${index}\n::error::`,
  }))
  const many = annotations({ ...made.verdict, reasons })
  expect(many).toHaveLength(10)
  expect(many.at(-1)?.message).toBe('and 34 more reasons: see the report')
  expect(many.every((item) => !item.message.includes('\n'))).toBe(true)
  const first = gate({ candidate: baseline(), baseline: null, anchor: null, onMissingBaseline: 'record' })
  expect(annotations(first)[0]).toMatchObject({ level: 'warning', title: 'NOT GATED (cold)' })
})

test('a loss against the declared minimum says what was asked for, also beside a baseline', () => {
  const experiment = withExperiment(experimentValue({ min_capacity_rps: 30 }))
  const points = [point({ milliRps: 26_000 }), ...boots('cold', 30_000, 'fail', 'fail')]
  const candidate = record([result('sweep', points), sweep('warm', [30_000], [30_600])], experiment)
  expect(renderComment(input(candidate, baseline(experiment)))).toContain(
    'cold 24.0 → 26.0 RPS (+8.3 %; 6.0 → 6.5 a replica), under the 30.0 asked for, limited by `long_context` (TTFT)',
  )
})

test('the spread from boot to boot is shown where it was measured', () => {
  const swept = (bootSpread: number | null) =>
    renderReportMarkdown(input(record([sweep('cold', [24_000], [24_500], { bootSpread })])))
  expect(swept(0.0123)).toContain('Capacity from boot to boot: standard deviation 1.2 %.')
  expect(swept(null)).not.toContain('boot to boot')
})

test.each(['valueOf', 'constructor', '__proto__'])('a metric named %s is shown as it is called', (metric) => {
  const shown = input(heldCandidate())
  const verdict = structuredClone(shown.verdict)
  for (const state of verdict.states) {
    state.deltas = [{ class: null, metric, base: 1, now: 2, regression: false }]
    state.limiting = { class: 'interactive', metric: metric as 'ttft' }
  }
  expect(renderComment({ ...shown, verdict })).toContain(
    `limited by \`interactive\` (${metric.replaceAll('_', '\\_')})`,
  )
})

test('a hardware fact that one side alone names is missing on the other, whatever it is called', () => {
  const hardware = { ...baseline().hardware, recorded: { constructor: 'x', valueOf: 'y' } as Record<string, string> }
  expect(renderReportMarkdown(input(heldCandidate({ hardware })))).toContain('| `constructor` | – | `x` |')
})
