import { describe, expect, it } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { exitCodeOf } from '../../../src/core/gate/exit.ts'
import { gate } from '../../../src/core/gate/gate.ts'
import { promotionObstacles } from '../../../src/core/gate/promotion.ts'
import { parseCapacityRecord } from '../../../src/core/gate/read.ts'
import { renderText } from '../../../src/core/report/text.ts'
import {
  baseline,
  evidence,
  experimentValue,
  heldCandidate,
  point,
  record,
  result,
  withExperiment,
} from './record-fixture.ts'
import type { PointInit } from './record-fixture.ts'

/** A record of one imported point at a rate, as `import --capacity` writes it. */
function imported(init: PointInit, origin = 'vllm-bench'): CapacityRecord {
  const open = evidence('client.open_loop', { state: 'unknown' })
  const measured = point({ outcome: 'unknown', evidence: [open], ...init })
  const shown = { ...measured, slo: { ...measured.slo, origin } }
  const found = record([result('confirm', [shown])], { kind: 'imported', boots: [], identity: [] })
  return { ...found, hardware: { mustEqual: {}, recorded: {} } }
}

const judge = (candidate: CapacityRecord, base: CapacityRecord | null) =>
  gate({ candidate, baseline: base, anchor: null, onMissingBaseline: 'fail' })
const codes = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code)

describe('another tool’s cohort', () => {
  it.each([
    ['beside a measured baseline', imported({ milliRps: 24_000 }), baseline(), 'candidate'],
    ['as the baseline of a measured candidate', heldCandidate(), imported({ milliRps: 23_040 }), 'baseline'],
  ])('%s is inconclusive, says why, and shows the deltas', (_, candidate, base, whose) => {
    const verdict = judge(candidate, base)
    expect(verdict.outcome).toBe('inconclusive')
    expect(codes(verdict.reasons)).toEqual(['imported_cohort'])
    expect(verdict.reasons[0]?.text).toMatch(new RegExp(`^${whose}: vllm-bench sent these requests.*cannot be proven$`))
    const cold = verdict.states.find(({ cache }) => cache === 'cold')
    expect(cold).toMatchObject({ outcome: 'inconclusive', changeShare: null, guardMilliRps: null, repeats: 0 })
    expect(cold?.deltas.map(({ metric }) => metric)).toContain('p95_ttft_ms')
    expect(cold?.deltaRates).not.toBeNull()
  })

  it('two of them are compared alike, with both named', () => {
    const verdict = judge(imported({ milliRps: 24_000, attainment: 0.5 }), imported({ milliRps: 24_000 }, 'aiperf'))
    expect(verdict.outcome).toBe('inconclusive')
    expect(verdict.reasons.map(({ text }) => text.split(' sent')[0])).toEqual([
      'candidate: vllm-bench',
      'baseline: aiperf',
    ])
    const attained = verdict.states[0]?.deltas.find((delta) => delta.class === null && delta.metric === 'attainment')
    expect(attained).toMatchObject({ regression: true })
  })

  it('is never better than inconclusive, whatever its points claim', () => {
    const claims = imported({ milliRps: 30_000, outcome: 'pass', evidence: [evidence('client.send_lag')] })
    for (const base of [baseline(), null]) {
      const verdict = gate({ candidate: claims, baseline: base, anchor: null, onMissingBaseline: 'record' })
      expect(['inconclusive', 'invalid']).toContain(verdict.outcome)
    }
    const forged = imported({ milliRps: 24_000, outcome: 'pass' })
    expect(judge(forged, baseline()).outcome).toBe('invalid')
  })

  it('a failing point of it is no regression', () => {
    const verdict = judge(imported({ milliRps: 24_000, outcome: 'fail', evidence: [] }), baseline())
    expect(verdict.outcome).toBe('inconclusive')
  })

  it('shows nothing where the loads differ by more than the tolerance', () => {
    const [near, far] = [imported({ milliRps: 24_900 }), imported({ milliRps: 26_000 })]
    expect(judge(near, baseline()).states[0]?.deltaRates).toEqual({ baseMilliRps: 24_500, nowMilliRps: 24_900 })
    const state = judge(far, baseline()).states[0]
    expect(state?.deltas).toEqual([])
    expect(codes(state?.notes ?? [])).toEqual(['deltas_not_comparable'])
  })

  it('compares closed loops of the same concurrency', () => {
    const closed = (concurrency: number) => {
      const found = imported({ milliRps: 24_000 })
      for (const { points } of found.capacity) {
        for (const each of points) Object.assign(each.key, { load: { closedConcurrency: concurrency } })
      }
      return found
    }
    expect(judge(closed(8), closed(8)).states[0]).toMatchObject({ deltaRates: null, deltas: expect.any(Array) })
    expect(judge(closed(8), closed(8)).states[0]?.deltas.length).toBeGreaterThan(0)
    expect(judge(closed(8), closed(16)).states[0]?.deltas).toEqual([])
    expect(judge(closed(8), imported({ milliRps: 8000 })).states[0]?.deltas).toEqual([])
  })

  it('of another experiment shows the fields and no deltas', () => {
    const other = { ...baseline(), ...withExperiment(experimentValue({ class_slo_attainment_min: 0.9 })) }
    const verdict = judge(imported({ milliRps: 24_000 }), other)
    expect(codes(verdict.reasons)).toEqual(['imported_cohort', 'experiment_differs'])
    expect(verdict.states[0]?.deltas).toEqual([])
  })

  it('ends with 3, with warn as well: a gate that it held open would be none', () => {
    const verdict = judge(imported({ milliRps: 24_000 }), baseline())
    expect([exitCodeOf(verdict), exitCodeOf(verdict, 'warn')]).toEqual([3, 3])
  })

  it('takes no part as an anchor', () => {
    const verdict = gate({
      candidate: heldCandidate(),
      baseline: baseline(),
      anchor: imported({ milliRps: 30_000 }),
      onMissingBaseline: 'fail',
    })
    expect(verdict.outcome).toBe('held')
    expect(codes(verdict.states[0]?.notes ?? [])).toContain('anchor_not_compared')
  })

  it('can never be promoted', () => {
    const sweepOfIt = { ...baseline(), kind: 'imported' as const }
    expect(codes(promotionObstacles(sweepOfIt))).toEqual(['imported_cohort'])
  })

  it('is told by the origin of its points, whatever kind its record was made to say', () => {
    const claims = (honest: CapacityRecord, origin: string) => ({
      ...honest,
      capacity: honest.capacity.map((state) => ({
        ...state,
        points: state.points.map((each) => ({ ...each, slo: { ...each.slo, origin } })),
      })),
    })
    expect(judge(heldCandidate(), baseline()).outcome).toBe('held')
    for (const [candidate, base] of [
      [claims(heldCandidate(), 'aiperf'), baseline()],
      [heldCandidate(), claims(baseline(), 'aiperf')],
    ] as const) {
      const verdict = judge(candidate, base)
      expect([verdict.outcome, codes(verdict.reasons)]).toEqual(['inconclusive', ['imported_cohort']])
      expect(exitCodeOf(verdict, 'warn')).toBe(3)
    }
    expect(promotionObstacles(baseline())).toEqual([])
    expect(codes(promotionObstacles(claims(baseline(), 'aiperf')))).toEqual(['imported_cohort'])
  })

  it('names no origin that is none', () => {
    const verdict = judge(imported({ milliRps: 24_000 }, '[free](http://x) @all'), baseline())
    expect(verdict.reasons[0]?.text).toMatch(/^candidate: another tool sent these requests/)
  })

  it('is read back, and shown on a terminal with its deltas', () => {
    const candidate = parseCapacityRecord(JSON.stringify(imported({ milliRps: 24_000 })))
    const verdict = judge(candidate, baseline())
    const text = renderText({
      verdict,
      record: candidate,
      baseline: baseline(),
      anchor: null,
      context: { toolVersion: '1' },
    })
    expect(text).toContain('imported_cohort: candidate: vllm-bench')
    expect(text).toContain('    interactive, P95 TTFT ms: 420 → 420 (0.0 %)')
    expect(
      renderText({ verdict, record: baseline(), baseline: baseline(), anchor: null, context: { toolVersion: '1' } }),
    ).not.toContain('P95')
  })
})
