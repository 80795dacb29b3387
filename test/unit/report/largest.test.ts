import { expect, test } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { renderComment, renderSummary } from '../../../src/core/report/comment.ts'
import type { ReportInput } from '../../../src/core/report/context.ts'
import { HEADS_MAX } from '../../../src/core/report/heads.ts'
import { baseline, evidence, point, record, result } from '../gate/record-fixture.ts'
import { cellsOf, wrongIn } from './markdown-oracle.ts'
import { HOSTILE, input } from './report-fixture.ts'

const bytes = (text: string) => new TextEncoder().encode(text).length
/** 40 class names, all different, each of them hostile. */
const NAMES = Array.from({ length: 40 }, (_, index) => `${HOSTILE[index % HOSTILE.length]}${index < 20 ? '' : index}`)

function widened(made: CapacityRecord): CapacityRecord {
  const capacity = made.capacity.map((item) => ({
    ...item,
    points: item.points.map((each, index) => {
      const own = Object.values(each.slo.classes)[0]
      const classes = Object.fromEntries(NAMES.map((name) => [name, own])) as typeof each.slo.classes
      return {
        ...each,
        deployId: NAMES[index % 40] ?? '',
        limiting: { class: NAMES[index % 40] ?? '', metric: 'ttft' as const },
        evidence: NAMES.map((name) => evidence(name, { text: name, unit: name, value: 1 })),
        slo: { ...each.slo, classes },
      }
    }),
  }))
  const [long] = NAMES.slice(15)
  const facts = Object.fromEntries(NAMES.map((name) => [name, name]))
  const subject = { ...made.subject, name: NAMES[0] ?? '', version: long ?? '', image: NAMES[5] ?? '', argv: NAMES }
  return { ...made, capacity, subject, hardware: { mustEqual: facts, recorded: facts } }
}

/** Forty classes, two states of a hundred points each. */
function largest(count = 100): ReportInput {
  const points = (cache: 'cold' | 'warm') =>
    Array.from({ length: count }, (_, index) =>
      point({ cache, milliRps: 20_000 + index * 40, outcome: index < count * 0.9 ? 'pass' : 'fail' }),
    )
  const made = input(record([result('sweep', points('cold')), result('sweep', points('warm'))]))
  const state = made.verdict.states.map((each) => ({
    ...each,
    limiting: { class: NAMES[3] ?? '', metric: 'ttft' as const },
    reasons: NAMES.map((name) => ({ code: name, text: name })),
    notes: NAMES.map((name) => ({ code: name, text: name })),
    deltas: NAMES.map((name) => ({ class: name, metric: name, base: 1, now: 2, regression: true })),
  }))
  return {
    ...made,
    record: widened(made.record),
    baseline: widened(baseline()),
    verdict: { ...made.verdict, states: state },
  }
}

test('forty classes of hostile names at two hundred points fit, with a full history, and say only text', () => {
  const large = largest()
  let comment = ''
  for (let index = 0; index <= HEADS_MAX; index += 1) {
    const createdAt = new Date(Date.UTC(2026, 10, 20, 8, index)).toISOString()
    const context = { ...large.context, headSha: index.toString(16).padStart(40, 'c') }
    const small = input({ ...baseline(), createdAt })
    comment = renderComment(index < HEADS_MAX ? { ...small, context } : { ...large, context }, [comment])
  }
  expect(bytes(comment)).toBeLessThanOrEqual(65_000)
  expect(comment).toContain(`${HEADS_MAX - 1} earlier heads of this pull request`)
  for (const text of [comment, renderSummary(large)]) {
    expect(wrongIn(text)).toEqual([])
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length)
    const tables = text.split('\n\n').filter((block) => block.startsWith('|'))
    for (const block of tables) expect(new Set(block.split('\n').map(cellsOf)).size).toBe(1)
  }
  expect(bytes(renderSummary(large))).toBeLessThanOrEqual(1_000_000)
})

test('what comes near the limit is under it', () => {
  const sizes = Array.from({ length: 8 }, (_, index) => bytes(renderComment(largest(2 + index))))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(65_000)
  expect(Math.max(...sizes)).toBeGreaterThan(55_000)
})
