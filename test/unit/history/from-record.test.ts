import { describe, expect, it } from 'vitest'
import { gate } from '../../../src/core/gate/gate.ts'
import { recordSha256 } from '../../../src/core/gate/read.ts'
import { historyPoints } from '../../../src/core/history/from-record.ts'
import { historyLine, readHistory } from '../../../src/core/history/lines.ts'
import { baseline, boots, GUARD, heldCandidate, record, result, sweep } from '../gate/record-fixture.ts'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'

const facts = { series: null, runUrl: 'https://github.com/acme/serving/actions/runs/7' }
const judged = (candidate: CapacityRecord, base: CapacityRecord | null = baseline()) =>
  gate({ candidate, baseline: base, anchor: null, onMissingBaseline: 'record' })

describe('a run’s points', () => {
  it('are one a cache state, with what the record and the verdict say', () => {
    const candidate = record([
      sweep('cold', [20_000, 22_000], [22_400], { bootSpread: 0.012, attainmentSpread: [0.955, 0.972] }),
      sweep('warm', [28_000], [28_500]),
    ])
    const points = historyPoints(candidate, judged(candidate, null), facts)
    expect(points.map(({ cache }) => cache)).toEqual(['cold', 'warm'])
    expect(points[0]).toMatchObject({
      at: candidate.createdAt,
      run: recordSha256(candidate),
      series: candidate.gateId,
      kind: 'measured',
      experiment: candidate.experiment.sha256,
      machine: 'driver_major 580, gpu NVIDIA H100 80GB HBM3, gpu_count 8',
      subject: { sha256: candidate.subject.sha256, name: 'vllm', version: '0.32.0' },
      plan: 'sweep',
      outcome: 'recorded',
      capacityMilliRps: 22_000,
      failMilliRps: 22_400,
      perReplicaRps: 5.5,
      attainmentSpread: [0.955, 0.972],
      bootSpread: 0.012,
      toleranceShare: 0.04,
      runUrl: facts.runUrl,
      merged: null,
    })
    expect(readHistory(points.map(historyLine).join('')).points).toEqual(points)
  })

  it('hold the worst class’s attainment at the guard rate where that was measured', () => {
    const candidate = heldCandidate()
    const [point] = historyPoints(candidate, judged(candidate), facts)
    expect(point).toMatchObject({ outcome: 'held', plan: 'confirm', guardMilliRps: GUARD.cold })
    expect(point?.attainmentAtGuard).toBeCloseTo(0.971, 3)
  })

  it('hold no attainment where a class has none: the worst of the others would flatter it', () => {
    const candidate = heldCandidate()
    const [first] = candidate.capacity[0]?.points ?? []
    Object.assign(first?.slo.classes['long_context'] ?? {}, { attainment: null })
    expect(historyPoints(candidate, judged(candidate), facts)[0]?.attainmentAtGuard).toBeNull()
  })

  it('hold the limiting class of a loss', () => {
    const points = boots('cold', GUARD.cold, 'fail', 'fail')
    const candidate = record([result('confirm', points)])
    const [point] = historyPoints(candidate, judged(candidate), facts)
    expect(point).toMatchObject({ outcome: 'regressed', limiting: { class: 'long_context', metric: 'ttft' } })
  })

  it('belong to the series that was named', () => {
    const candidate = heldCandidate()
    const [point] = historyPoints(candidate, judged(candidate), { series: 'vllm-0.32', runUrl: null })
    expect(point).toMatchObject({ series: 'vllm-0.32', runUrl: null })
  })

  it('have one hardware key for equal facts in any order', () => {
    const candidate = heldCandidate()
    const mustEqual = Object.fromEntries(Object.entries(candidate.hardware.mustEqual).toReversed())
    const other = { ...candidate, hardware: { ...candidate.hardware, mustEqual } }
    const more = { ...candidate, hardware: { ...candidate.hardware, mustEqual: { ...mustEqual, mig: 'on' } } }
    const keys = [candidate, other, more].map((each) => historyPoints(each, judged(each), facts)[0]?.hardware)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  it('take long text in part, and no half characters', () => {
    const candidate = heldCandidate()
    const subject = { ...candidate.subject, version: 'x'.repeat(5000), name: `${'n'.repeat(199)}😀` }
    const changed = { ...candidate, subject }
    const [point] = historyPoints(changed, { ...judged(candidate), candidateSha256: recordSha256(changed) }, facts)
    expect(point?.subject.version).toHaveLength(200)
    expect(point?.subject.name).toBe(`${'n'.repeat(199)}\u{fffd}`)
  })

  it('are refused with a reason where they cannot be', () => {
    const candidate = heldCandidate()
    const verdict = judged(candidate)
    const other = { ...candidate, createdAt: 'yesterday' }
    expect(() => historyPoints(other, verdict, facts)).toThrow(/another record/)
    expect(() => historyPoints(other, { ...verdict, candidateSha256: recordSha256(other) }, facts)).toThrow(/at: /)
    const imported = { ...candidate, kind: 'imported' as const }
    expect(() => historyPoints(imported, { ...verdict, candidateSha256: recordSha256(imported) }, facts)).toThrow(
      /imported/,
    )
  })
})
