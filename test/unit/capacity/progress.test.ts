import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createProgress } from '../../../src/core/capacity/progress.ts'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import type { Status } from '../../../src/core/stream/error-codes.ts'
import { judged, manifestOf, syntheticPoint } from './synthetic-point.ts'

const embedded = manifestOf('embedded')
const [first, second] = embedded.workload
const pair = (acceptance: Partial<Manifest['acceptance']> = {}): Pick<Manifest, 'workload' | 'acceptance'> => ({
  workload: [
    { ...first!, name: 'a' },
    { ...second!, name: 'b' },
  ],
  acceptance: { ...embedded.acceptance, class_error_rate_max: undefined, ...acceptance } as Manifest['acceptance'],
})

type Kind = 'pass' | 'miss' | 'fail'
const record = (name: string, kind: Kind, status: Status = kind === 'fail' ? 'error' : 'ok'): RequestRecord => ({
  id: 'r-00001',
  class: name,
  status,
  errorCode: null,
  dueUs: 0,
  handedUs: 100,
  sentUs: 100,
  firstTokenUs: kind === 'miss' ? 9_000_000 : 1100,
  firstContentUs: null,
  lastTokenUs: kind === 'miss' ? 9_001_000 : 2100,
  endUs: 9_002_000,
  inputTokens: 1,
  outputTokens: 16,
  cachedTokens: null,
  chunks: 16,
  gapUs: null,
  httpStatus: 200,
  finishReason: 'length',
  replica: 0,
  session: null,
  turn: null,
})

const rows = (a: number, b: number) => [
  ...Array.from({ length: a }, () => ({ class: 'a' })),
  ...Array.from({ length: b }, () => ({ class: 'b' })),
]

describe('extension blocks', () => {
  test('are needed until each class has its floor of resolved successes', () => {
    const progress = createProgress(pair({ min_successful_samples_per_class: 2 }), [rows(3, 3)])
    for (const name of ['a', 'a', 'b']) progress.add(record(name, 'miss'))
    progress.add(record('b', 'fail'))
    expect(progress.extensionNeeded()).toBe(true)
    progress.add(record('b', 'pass'))
    expect(progress.extensionNeeded()).toBe(false)
    expect(progress.attainment()).toEqual({ a: 0, b: 0.5 })
    expect(progress.failed()).toBe(1)
  })

  test('a class without a success has no attainment', () => {
    expect(createProgress(pair(), [rows(1, 1)]).attainment()).toEqual({ a: null, b: null })
  })
})

describe('counts a request as its row will be judged', () => {
  test.each([0, 30, 200])('with %i misses', async (missed) => {
    const point = syntheticPoint({ manifest: embedded, missed: { interactive: missed }, failed: { long_context: 1 } })
    const edge = point.records.find(({ status }) => status === 'ok') as RequestRecord
    const cutoffMs = embedded.workload.find(({ name }) => name === edge.class)?.request_ttft_cutoff_ms ?? 0
    edge.firstTokenUs = (edge.sentUs ?? 0) + cutoffMs * 1000
    const report = await judged(point)
    const progress = createProgress(embedded, [point.schedule.rows])
    for (const each of point.records) progress.add(each)
    const attainments = Object.entries(report.slo.classes).map(([name, { attainment }]) => [name, attainment])
    expect(progress.attainment()).toEqual(Object.fromEntries(attainments))
  })
})

interface Done {
  name: 'a' | 'b'
  kind: Kind
}

const gates = fc.record({
  class_slo_attainment_min: fc.constantFrom(0.5, 0.75, 0.9),
  error_rate_max: fc.constantFrom(0, 0.1, 0.34),
  class_error_rate_max: fc.constantFrom(undefined, 0, 0.2, 0.5),
  attempted_attainment_min: fc.constantFrom(undefined, 0.5, 0.75),
})

/** The gates of rule 1 but for the sample floor and the queue, over a complete cohort. */
function passes(cohort: readonly Done[], limits: Partial<Manifest['acceptance']>): boolean {
  const share = (part: readonly Done[], whole: readonly Done[]) => part.length / whole.length
  const failed = cohort.filter(({ kind }) => kind === 'fail')
  if (share(failed, cohort) > (limits.error_rate_max ?? 1)) return false
  return (['a', 'b'] as const).every((name) => {
    const rowsOf = cohort.filter((done) => done.name === name)
    const ok = rowsOf.filter(({ kind }) => kind !== 'fail')
    const good = rowsOf.filter(({ kind }) => kind === 'pass')
    if (rowsOf.length === 0) return true
    if (ok.length > 0 && share(good, ok) < (limits.class_slo_attainment_min ?? 0)) return false
    if (
      share(
        rowsOf.filter(({ kind }) => kind === 'fail'),
        rowsOf,
      ) > (limits.class_error_rate_max ?? 1)
    )
      return false
    return share(good, rowsOf) >= (limits.attempted_attainment_min ?? 0)
  })
}

/** Whether any completion of what is left passes, after any block's end: by trying them all. */
function canPass(
  done: readonly Done[],
  left: readonly ('a' | 'b')[],
  ends: readonly number[],
  limits: Partial<Manifest['acceptance']>,
): boolean {
  if (ends.includes(done.length) && passes(done, limits)) return true
  const [name, ...rest] = left
  if (name === undefined) return false
  return (['pass', 'miss', 'fail'] as const).some((kind) => canPass([...done, { name, kind }], rest, ends, limits))
}

test('is hopeless exactly where no completion of the committed schedule can pass', () => {
  const kinds = fc.constantFrom<Kind>('pass', 'miss', 'fail')
  const names = fc.array(fc.constantFrom<'a' | 'b'>('a', 'b'), { minLength: 1, maxLength: 9 })
  const given = fc.record({ names, limits: gates, kinds: fc.array(kinds, { maxLength: 9 }), first: fc.nat(9) })
  fc.assert(
    fc.property(given, ({ names: order, limits, kinds: seen, first: split }) => {
      const resolved = order.slice(0, seen.length).map((name, index): Done => ({ name, kind: seen[index] as Kind }))
      const left = order.slice(resolved.length)
      const initial = Math.min(Math.max(1, split), order.length)
      const asRows = order.map((name) => ({ class: name }))
      const progress = createProgress(pair(limits as Partial<Manifest['acceptance']>), [
        asRows.slice(0, initial),
        asRows.slice(initial),
      ])
      for (const { name, kind } of resolved) progress.add(record(name, kind))
      const ends = [initial, order.length]
      const possible = canPass(resolved, left, ends, limits as Partial<Manifest['acceptance']>)
      // A block's end that lies behind is no completion any more: the point would have ended there.
      expect(progress.hopeless() === null).toBe(possible)
    }),
    { numRuns: 400 },
  )
})

test('planned cancellations that are excluded count nowhere', () => {
  const limits = { error_rate_max: 0, planned_cancellations: 'excluded' as const }
  const progress = createProgress(pair(limits), [rows(4, 0)])
  progress.add(record('a', 'fail', 'cancelled'))
  expect(progress.hopeless()).toBeNull()
  progress.add(record('a', 'fail'))
  expect(progress.hopeless()).toMatch(/1 of at most 3/)
})

test('one error more than the whole schedule may have is hopeless, one fewer is not', () => {
  const progress = createProgress(pair({ error_rate_max: 0.01 }), [rows(60, 20), rows(15, 5)])
  progress.add(record('a', 'fail'))
  expect(progress.hopeless()).toBeNull()
  progress.add(record('a', 'fail'))
  expect(progress.hopeless()).toMatch(/2 of at most 100 requests failed/)
  const strict = createProgress(pair({ error_rate_max: 0.009 }), [rows(60, 20), rows(31, 1)])
  strict.add(record('b', 'fail'))
  expect(strict.hopeless()).toBeNull()
  const short = createProgress(pair({ error_rate_max: 0.009 }), [rows(60, 20), rows(30, 0)])
  short.add(record('b', 'fail'))
  expect(short.hopeless()).toMatch(/1 of at most 110/)
})
