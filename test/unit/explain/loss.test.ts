import { describe, expect, test } from 'vitest'
import { explain } from '../../../src/core/report/explain/explain.ts'
import { lossParts } from '../../../src/core/report/explain/loss.ts'
import type { PointReport } from '../../../src/core/capacity/record.ts'
import type { ClassReport } from '../../../src/core/slo/report.ts'
import { baseline, boots, GUARD, record, result } from '../gate/record-fixture.ts'

const pointOf = (made: ReturnType<typeof record>) => {
  const point = made.capacity[0]?.points[0]
  if (point === undefined) throw new Error('no point')
  return point
}

const sound = pointOf(baseline())

/** The point with one class's report changed. */
function withClass(point: PointReport, name: string, change: Partial<ClassReport>): PointReport {
  const report = point.slo.classes[name]
  if (report === undefined) throw new Error(`no class ${name}`)
  return { ...point, slo: { ...point.slo, classes: { ...point.slo.classes, [name]: { ...report, ...change } } } }
}

const interval = (low: number, high: number) => ({ attainment_block_bootstrap95: [low, high] as [number, number] })
const good = { attainment: 1, miss_share: { ttft: 0, tpot: 0, e2e: 0 }, ...interval(0.99, 1) }

describe('a loss is shared out by metric', () => {
  const was = withClass(sound, 'interactive', good)
  const missed = (ttft: number, tpot: number, any: number) =>
    withClass(sound, 'interactive', {
      attainment: 1 - any,
      miss_share: { ttft, tpot, e2e: 0 },
      ...interval(0.6, 0.8),
    })

  test('who misses both cutoffs counts half for each', () => {
    // Of ten: two miss TTFT alone, one TPOT alone, one both.
    const parts = lossParts(was, missed(0.3, 0.2, 0.4))
    expect(parts.map((part) => [part.metric, Number(part.is.toFixed(6))])).toEqual([
      ['ttft', 0.25],
      ['tpot', 0.15],
    ])
    // 15,400 of 22,000 requests are of the class.
    expect(parts[0]?.share).toBeCloseTo(0.25 * 0.7, 9)
  })

  test('a class whose interval reaches the baseline’s lost nothing beyond chance', () => {
    const unsure = withClass(missed(0.3, 0.2, 0.4), 'interactive', interval(0.6, 0.995))
    expect(lossParts(was, unsure)).toEqual([])
  })

  test('a class that the baseline does not have is no loss, whatever it is called', () => {
    const named = missed(0.3, 0.2, 0.4)
    const { interactive, ...others } = named.slo.classes
    const hostile = { ...named, slo: { ...named.slo, classes: { ...others, constructor: interactive as ClassReport } } }
    expect(lossParts(was, hostile)).toEqual([])
  })

  test('errors go to their codes by how much each rose; a planned cancellation is none', () => {
    const failed = withClass(was, 'interactive', { failed_count: 1540, successful_count: 13_860 })
    const coded = (codes: Record<string, number>) => ({ ...failed.slo, error_codes: codes })
    const before = { ...was, slo: { ...was.slo, error_codes: { http_status: 100 } } }
    const after = { ...failed, slo: coded({ http_status: 500, connection_reset: 1200, planned_cancellation: 900 }) }
    const found = explain({ was: { point: before, boot: undefined }, is: { point: after, boot: undefined } })
    expect(found.causes.map(({ id, basis, share }) => [id, basis, share])).toEqual([
      ['errors.connection_reset', 'seen', 0.75],
      ['errors.http_status', 'seen', 0.25],
    ])
  })

  test('a loss with nothing known beside it has no cause', () => {
    const after = missed(0.4, 0, 0.4)
    const found = explain({ was: { point: was, boot: undefined }, is: { point: after, boot: undefined } })
    expect([found.causes, found.unexplainedShare]).toEqual([[], 1])
    expect(found.lostShare).toBeCloseTo(0.28, 9)
  })

  test('the same holds for a point of a record that lacks one', () => {
    const failing = pointOf(record([result('confirm', boots('cold', GUARD.cold, 'fail', 'fail'))]))
    expect(failing.work).toBeUndefined()
    expect(explain({ was: { point: was, boot: undefined }, is: { point: failing, boot: undefined } }).causes).toEqual(
      [],
    )
  })

  test('what another class gained makes good no loss', () => {
    const before = withClass(was, 'generation_heavy', { attainment: 0.5, ...interval(0.45, 0.55) })
    const after = withClass(missed(0.4, 0, 0.4), 'generation_heavy', good)
    const found = lossParts(before, after)
    expect(found.map((part) => part.class)).toEqual(['interactive'])
  })
})
