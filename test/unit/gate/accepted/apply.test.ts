import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CapacityRecord, CapacityResult, PointOutcome, PointReport } from '../../../../src/core/capacity/record.ts'
import { withAcceptedLoss } from '../../../../src/core/gate/accepted/apply.ts'
import { judgeState } from '../../../../src/core/gate/state.ts'
import { readTerms } from '../../../../src/core/gate/terms.ts'
import { exitCodeOf } from '../../../../src/core/gate/exit.ts'
import { gate } from '../../../../src/core/gate/gate.ts'
import { parseVerdict } from '../../../../src/core/gate/read.ts'
import type { StateVerdict, Verdict } from '../../../../src/core/gate/verdict.ts'
import { isUnderAcceptedLoss } from '../../../../src/core/gate/verdict.ts'
import type { AcceptedLoss } from '../../../../src/core/gate/accepted/loss.ts'
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
  sweep,
  withExperiment,
} from '../record-fixture.ts'
import { lossesOf } from './accepted-fixture.ts'

const under = (
  candidate: CapacityRecord,
  losses: readonly AcceptedLoss[],
  base: CapacityRecord | null = baseline(),
  anchor: CapacityRecord | null = null,
): Verdict => gate({ candidate, baseline: base, anchor, onMissingBaseline: 'fail', acceptedLosses: losses })

function cold(verdict: Verdict): StateVerdict {
  const found = verdict.states.find(({ cache }) => cache === 'cold')
  if (found === undefined) throw new Error('no cold state')
  return found
}
const codes = (items: readonly { code: string }[]) => items.map(({ code }) => code)

const WARM = result('confirm', boots('warm', GUARD.warm, 'pass'))
const at = (milliRps: number, outcome: PointOutcome = 'pass', n = 3): PointReport =>
  point({ milliRps, outcome, repeat: n, deployId: `cold-boot-${n}` })
/** A confirmation whose cold guard rate is lost on two boots, and what else was measured there. */
const lost = (...more: PointReport[]): CapacityRecord =>
  record([result('confirm', [...boots('cold', GUARD.cold, 'fail', 'fail'), ...more]), WARM])

describe('a loss that was accepted', () => {
  test('is held where the floor is measured to pass, and says what it covers', () => {
    const verdict = under(lost(at(21_600)), lossesOf({}))
    expect([verdict.outcome, exitCodeOf(verdict), isUnderAcceptedLoss(verdict)]).toEqual(['held', 0, true])
    expect(cold(verdict)).toMatchObject({
      outcome: 'held',
      candidateMilliRps: 21_600,
      changeShare: -0.1,
      reasons: [
        {
          code: 'loss_accepted',
          text: 'passes at 21.6 RPS; a loss down to 21.6 RPS is accepted until 2026-12-20',
          value: 21.6,
          limit: 21.6,
        },
      ],
      acceptedLoss: {
        subjectSha256: 'd'.repeat(64),
        guardMilliRps: 23_040,
        floorMilliRps: 21_600,
        reason: 'the security fix is worth it',
        acceptedBy: '@ada',
        expires: '2026-12-20',
        covers: [{ code: 'below_baseline' }, { code: 'class_attainment' }],
      },
    })
    expect(parseVerdict(JSON.stringify(verdict))).toEqual(verdict)
  })

  test('is held by any measured rate between floor and guard rate below which nothing fails', () => {
    expect(cold(under(lost(at(22_154)), lossesOf({})))).toMatchObject({ outcome: 'held', candidateMilliRps: 22_154 })
    const swept = record([
      result('sweep', [
        ...sweep('cold', [20_000, 22_000], [22_400]).points,
        ...boots('cold', GUARD.cold, 'fail', 'fail'),
      ]),
      WARM,
    ])
    expect(cold(under(swept, lossesOf({})))).toMatchObject({ outcome: 'held', candidateMilliRps: 22_000 })
  })

  test('covers the anchor’s guard rate as well, with or without a baseline', () => {
    const anchor = record([sweep('cold', [24_000], [24_500]), sweep('warm', [30_000], [30_600])])
    const none = record([sweep('cold', [18_000], [18_400]), sweep('warm', [30_000], [30_600])])
    expect(cold(under(lost(at(21_600)), lossesOf({}), none, anchor))).toMatchObject({
      outcome: 'held',
      guardFrom: 'anchor',
    })
    const alone = under(lost(at(21_600)), lossesOf({}), null, anchor)
    expect(cold(alone).outcome).toBe('held')
  })

  test('leaves the other state’s own loss a regression', () => {
    const both = record([
      result('confirm', [...boots('cold', GUARD.cold, 'fail', 'fail'), at(21_600)]),
      result('confirm', boots('warm', GUARD.warm, 'fail', 'fail')),
    ])
    const verdict = under(both, lossesOf({}))
    expect([verdict.outcome, cold(verdict).outcome]).toEqual(['regressed', 'held'])
  })
})

describe('stays regressed', () => {
  const stays = (candidate: CapacityRecord, losses: readonly AcceptedLoss[], code: string, base = baseline()) => {
    const verdict = under(candidate, losses, base)
    expect([verdict.outcome, exitCodeOf(verdict, 'warn')]).toEqual(['regressed', 2])
    const state = cold(verdict)
    expect(state.acceptedLoss).toBeUndefined()
    expect(codes(state.reasons).slice(0, 2)).toEqual(['below_baseline', code])
    return state.reasons[1]?.text ?? ''
  }

  test('a loss deeper than the floor, with how much', () => {
    const deeper = lost(at(21_600, 'fail', 3), at(21_600, 'fail', 4), at(20_000, 'pass', 5))
    expect(stays(deeper, lossesOf({}), 'below_accepted_floor')).toBe(
      'the accepted floor of 21.6 RPS is not carried either: it carries 20.0, 7.4 % less',
    )
    const nothing = lost(at(21_600, 'fail', 3), at(21_600, 'fail', 4))
    expect(stays(nothing, lossesOf({}), 'below_accepted_floor')).toContain('no tested rate passed')
  })

  test('a floor that nothing shows: untested, passed only below, failed once', () => {
    const why = (...points: PointReport[]) => stays(lost(...points), lossesOf({}), 'accepted_floor_not_shown')
    expect(why()).toContain('it was not tested')
    expect(why(at(21_302))).toContain('it was not tested')
    expect(why(at(21_600, 'fail'))).toContain('two boots must agree')
    expect(why(at(21_600, 'invalid'))).toContain('nothing valid')
    // A pass above a rate that fails is a fluke, until two boots pass.
    expect(why(at(20_000, 'fail', 3), at(21_600, 'pass', 4))).toContain('a lower rate failed')
  })

  test('one that has expired, with the day', () => {
    const expired = lossesOf({ expires: '2026-11-29' })
    expect(stays(lost(at(21_600)), expired, 'accepted_loss_expired')).toContain('expired on 2026-11-29')
  })

  test('another subject, in one line', () => {
    const others = lossesOf({ subject: 'e'.repeat(64) }, { subject: 'f'.repeat(64) })
    expect(stays(lost(at(21_600)), others, 'accepted_loss_of_another')).toBe(
      'accepted losses of other subjects do not apply: eeeeeeeeeeee, ffffffffffff',
    )
  })

  test('one that was accepted against a lower guard rate, or whose floor is not under this one', () => {
    expect(stays(lost(at(21_600)), lossesOf({ guard_rps: 23.039 }), 'accepted_loss_outgrown')).toContain(
      'it is 23.04 now',
    )
    const above = lossesOf({ guard_rps: 30, floor_rps: 23.04 })
    expect(stays(lost(at(21_600)), above, 'accepted_loss_outgrown')).toContain('is not below the guard rate')
  })

  test.each([
    ['an exit', [evidence('stability.exit', { state: 'fail', blames: 'engine', text: 'replica 0 ended' })]],
    ['a failed start', [evidence('stability.start_failed', { state: 'fail', blames: 'engine' })]],
    ['lost warm hits', [evidence('cache_hit.warm', { state: 'fail', blames: 'engine' })]],
    ['a smoke request that failed', [evidence('tokens.smoke', { state: 'fail', blames: 'engine' })]],
  ])('what is no loss of capacity: %s', (_, failed) => {
    const broken = lost(at(21_600))
    const first = broken.capacity[0]?.points[0]
    first?.evidence.push(...failed)
    expect(stays(broken, lossesOf({}), 'loss_not_acceptable')).toContain(failed[0]?.probe)
  })

  test('wrong answers, and not refusals or timeouts', () => {
    const answered = (counts: Partial<PointReport['slo']['status_counts']>, failed: number) => {
      const candidate = lost(at(21_600))
      for (const { slo, outcome } of candidate.capacity[0]?.points ?? []) {
        if (outcome !== 'fail') continue
        Object.assign(slo.status_counts, counts)
        Object.assign(slo, { failed, successful: slo.attempted - failed })
      }
      return candidate
    }
    expect(stays(answered({ error: 221 }, 221), lossesOf({}), 'loss_not_acceptable')).toContain('221 of 22000 requests')
    expect(cold(under(answered({ error: 220 }, 220), lossesOf({}))).outcome).toBe('held')
    expect(cold(under(answered({ rejected: 3000, timeout: 3000 }, 6000), lossesOf({}))).outcome).toBe('held')
  })

  test('a queue that grows is a loss of capacity', () => {
    const queued = lost(at(21_600))
    queued.capacity[0]?.points[0]?.evidence.push(evidence('queue.intake', { state: 'fail', blames: 'engine' }))
    expect(cold(under(queued, lossesOf({}))).outcome).toBe('held')
  })

  test('what lies below the declared minimum, whatever was accepted', () => {
    const experiment = withExperiment(experimentValue({ min_capacity_rps: 21.7 }))
    const candidate = { ...lost(at(21_600)), ...experiment }
    const state = cold(under(candidate, lossesOf({}), baseline(experiment)))
    expect([state.outcome, codes(state.reasons)]).toMatchObject([
      'regressed',
      expect.arrayContaining(['accepted_floor_under_minimum']),
    ])
  })

  test('a run whose engine failed outside a point', () => {
    const evidenceOf = [evidence('stability.exit', { state: 'fail', blames: 'engine' })]
    const verdict = under({ ...lost(at(21_600)), evidence: evidenceOf }, lossesOf({}))
    expect([verdict.outcome, cold(verdict).outcome, cold(verdict).acceptedLoss]).toEqual([
      'regressed',
      'regressed',
      undefined,
    ])
  })
})

describe('changes nothing', () => {
  test('about what is not there: it says that it is not needed', () => {
    const state = cold(under(heldCandidate(), lossesOf({})))
    expect([state.outcome, state.acceptedLoss]).toEqual(['held', undefined])
    expect(state.notes).toMatchObject([
      { code: 'accepted_loss_not_needed', text: expect.stringContaining('remove its entry') },
    ])
    expect(isUnderAcceptedLoss(under(heldCandidate(), lossesOf({})))).toBe(false)
  })

  test('about another gate’s or cache state’s loss', () => {
    const candidate = lost(at(21_600))
    const plain = under(candidate, [])
    expect(under(candidate, lossesOf({ gate: 'another' }))).toEqual(plain)
    expect(under(candidate, lossesOf({ cache: 'warm', guard_rps: 28.8 })).outcome).toBe('regressed')
  })

  test('about a run that is void', () => {
    const identity = [evidence('identity.version', { state: 'fail', blames: 'engine' })]
    const verdict = under({ ...lost(at(21_600)), identity }, lossesOf({}))
    expect([verdict.outcome, cold(verdict).outcome, cold(verdict).acceptedLoss]).toEqual([
      'invalid',
      'invalid',
      undefined,
    ])
  })
})

const outcome = fc.constantFrom<PointOutcome>('pass', 'fail', 'invalid', 'unknown', 'undersampled')
const rates = [19_000, 21_000, 21_600, 22_000, GUARD.cold] as const
const measured = fc.array(
  fc.record({ rate: fc.constantFrom(...rates), outcome, boot: fc.integer({ min: 1, max: 4 }) }),
  {
    maxLength: 7,
  },
)
/** Half of the runs lose the guard rate on two boots before anything else. */
const losing = fc.constantFrom([], [1, 2])

const TERMS = termsOf(baseline())
const OWNER = { gateId: 'dense-70b-8xh100', subjectSha256: 'd'.repeat(64) }

function termsOf(accepted: CapacityRecord) {
  const terms = readTerms(accepted)
  if (terms === null) throw new Error('no terms')
  return terms
}

/** The verdict on a cold state against the usual baseline, without what hashing whole records takes. */
function judgedCold(now: CapacityResult): StateVerdict {
  const [base] = baseline().capacity
  if (base === undefined) throw new Error('no cold baseline')
  const comparison = { kind: 'baseline', result: base, boots: [] } as const
  return judgeState({
    cache: 'cold',
    terms: TERMS,
    result: now,
    boots: [],
    comparison,
    anchorMilliRps: null,
    notes: [],
  })
}

interface Voted {
  rate: number
  outcome: PointOutcome
  boot: number
}

/** What is wrong about a state's verdicts without and with an acceptance; null where nothing is. */
function unsound(
  points: readonly Voted[],
  floorMilliRps: number,
  before: StateVerdict,
  after: StateVerdict,
): string | null {
  if (after.outcome === before.outcome) return after.acceptedLoss === undefined ? null : 'accepted without effect'
  if (before.outcome !== 'regressed' || after.outcome !== 'held') return `${before.outcome} became ${after.outcome}`
  const passing = points.filter(({ outcome: came }) => came === 'pass')
  if (!passing.some(({ rate }) => rate >= floorMilliRps && rate < GUARD.cold)) return 'nothing shows the floor'
  if ((after.candidateMilliRps ?? 0) < floorMilliRps) return 'carries less than the floor'
  // A rate up to the floor that two boots fail, and none passes, is a deeper loss.
  const deeper = rates.filter((rate) => {
    const boot = new Set(points.filter((one) => one.rate === rate && one.outcome === 'fail').map((one) => one.boot))
    return rate <= floorMilliRps && boot.size >= 2 && !passing.some((one) => one.rate === rate)
  })
  return deeper.length === 0 ? null : `fails at ${deeper.join()}`
}

test('property: an acceptance only ever turns regressed into held, and only where the floor is shown', () => {
  let held = 0
  fc.assert(
    fc.property(losing, measured, fc.constantFrom(20_000, 21_600, 22_500), (losses, more, floorMilliRps) => {
      const atGuard = losses.map((boot): Voted => ({ rate: GUARD.cold, outcome: 'fail', boot }))
      const points = [...atGuard, ...more]
      fc.pre(points.length > 0)
      const now = result(
        'confirm',
        points.map(({ rate, outcome: came, boot }, index) =>
          point({ milliRps: rate, outcome: came, repeat: index + 1, deployId: `cold-boot-${boot}` }),
        ),
      )
      const before = judgedCold(now)
      const accepted = lossesOf({ floor_rps: floorMilliRps / 1000 })
      const after = withAcceptedLoss({ state: before, result: now, terms: TERMS, losses: accepted, owner: OWNER })
      if (after.acceptedLoss !== undefined) held += 1
      expect(unsound(points, floorMilliRps, before, after)).toBeNull()
    }),
    { numRuns: 150, seed: 7 },
  )
  expect(held).toBeGreaterThan(5)
})
