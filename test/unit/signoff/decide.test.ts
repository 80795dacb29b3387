import { describe, expect, it } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { decideSignOff } from '../../../src/core/signoff/decide.ts'
import type { SignOffInput } from '../../../src/core/signoff/gather.ts'
import type { Policy } from '../../../src/core/signoff/policy-schema.ts'
import { DEFAULT_POLICY } from '../../../src/core/signoff/policy.ts'
import { signOffExitCode } from '../../../src/core/signoff/predicate.ts'
import {
  evidence,
  heldCandidate,
  record,
  result,
  boots,
  GUARD,
  withExperiment,
  experimentValue,
} from '../gate/record-fixture.ts'
import {
  drill,
  IMAGE,
  input,
  invalidCold,
  lostCold,
  NOW,
  only,
  pack,
  SUBJECT,
  undecidedCold,
  waiver,
} from './sign-off-fixture.ts'

function decided(over: Partial<SignOffInput> = {}) {
  const signOff = decideSignOff(input(over))
  const statuses = Object.fromEntries(signOff.requirements.map(({ requirement, status }) => [requirement, status]))
  return { ...signOff, statuses, exitCode: signOffExitCode(signOff.requirements, signOff.refusals) }
}

const RUNS = 'https://github.com/acme/engine/actions/runs'
const SOURCE = { url: `${RUNS}/17`, event: 'push', branch: 'main', commit: 'f'.repeat(40) }
const policy = (over: Partial<Policy>): Policy => ({ ...DEFAULT_POLICY, ...over })
const codes = ({ refusals }: { refusals: readonly { code: string }[] }) => refusals.map(({ code }) => code)

describe('what is signed off', () => {
  it('is one pack that holds both states, for ninety days', () => {
    expect(decided()).toMatchObject({
      result: 'PASSED',
      exitCode: 0,
      statuses: { cold: 'passed', warm: 'passed' },
      subject: { name: 'vllm/vllm-openai', digest: IMAGE, kind: 'image', subjectSha256: SUBJECT },
      signedAt: '2026-11-26T08:00:00.000Z',
      expiresOn: '2027-02-24T08:00:00.000Z',
      refusals: [],
      notes: [],
    })
  })

  it('is two packs of one subject with a state each', () => {
    const packs = [pack(only('cold'), { source: 'a' }), pack(only('warm'), { source: 'b' })]
    const signOff = decided({ packs })
    expect([signOff.result, signOff.statuses]).toEqual(['PASSED', { cold: 'passed', warm: 'passed' }])
    expect(signOff.configuration.map(({ name }) => name)).toEqual([
      'sign-off.yaml',
      'a/workload-manifest.yaml',
      'a/capacity.json',
      'a/schedules/cold.jsonl',
      'b/workload-manifest.yaml',
      'b/capacity.json',
      'b/schedules/warm.jsonl',
    ])
  })

  it.each([SUBJECT, IMAGE])('is the subject that was named, by its hash or by its image', (subject) => {
    expect(decided({ subject }).result).toBe('PASSED')
  })

  it('is a drill by another tool that is about the image', () => {
    const asked = { policy: policy({ requires: ['cold', 'warm', 'drill'] }) }
    expect(decided({ ...asked, tests: [drill()] })).toMatchObject({ result: 'PASSED', statuses: { drill: 'passed' } })
    const warned = decided({ ...asked, tests: [drill({ predicate: { result: 'WARNED', configuration: [] } })] })
    expect(warned).toMatchObject({ result: 'WARNED', exitCode: 0, statuses: { drill: 'warned' } })
  })

  it('names an image without its tag, and a subject without an image by its hash', () => {
    const named = (image: string | null) => {
      const candidate = heldCandidate()
      return decided({ packs: [pack({ ...candidate, subject: { ...candidate.subject, image } })] }).subject
    }
    expect(named(`localhost:5000/acme/x:v1@sha256:${IMAGE}`)).toMatchObject({
      name: 'localhost:5000/acme/x',
      digest: IMAGE,
    })
    const own = { name: 'capacity-gate-subject/vllm/0.32.0', digest: SUBJECT, kind: 'subject_hash' }
    expect(named(null)).toMatchObject(own)
    // A local image's own id is a digest under which no registry has anything.
    expect(named(`sha256:${IMAGE}`)).toMatchObject(own)
    expect(named(`a b@sha256:${IMAGE}`)).toMatchObject(own)
  })
})

describe('a requirement that is not met', () => {
  it.each<[string, CapacityRecord, string, number]>([
    ['a loss', lostCold(), 'failed', 2],
    ['a disturbed measurement', invalidCold(), 'invalid', 4],
    ['boots that do not agree', undecidedCold(), 'undecided', 3],
    ['a state that no pack holds', only('warm'), 'missing', 3],
  ])('by %s ends as %s', (_, candidate, status, exitCode) => {
    expect(decided({ packs: [pack(candidate)] })).toMatchObject({
      result: 'FAILED',
      exitCode,
      statuses: { cold: status, warm: 'passed' },
    })
  })

  it('counts by the worst of several packs', () => {
    const packs = [pack(heldCandidate(), { source: 'a' }), pack(lostCold(), { source: 'b' })]
    expect(decided({ packs }).statuses).toEqual({ cold: 'failed', warm: 'passed' })
  })

  it('is a drill that is missing, or that failed', () => {
    const asked = policy({ requires: ['cold', 'drill'] })
    expect(decided({ policy: asked })).toMatchObject({ result: 'FAILED', exitCode: 3, statuses: { drill: 'missing' } })
    const failed = drill({ predicate: { result: 'FAILED', configuration: [], failedTests: ['kill one replica'] } })
    const signOff = decided({ policy: asked, tests: [failed] })
    expect(signOff).toMatchObject({ result: 'FAILED', exitCode: 2, statuses: { drill: 'failed' } })
    expect(signOff.requirements[1]?.text).toBe('FAILED: kill one replica')
  })

  it('is a run whose identity was not proven, whatever it carries', () => {
    const unknown = heldCandidate({ identity: [evidence('identity.version', { state: 'unknown', blames: 'engine' })] })
    const waived = { policy: policy({ waivers: [waiver()] }) }
    expect(decided({ ...waived, packs: [pack(unknown)] })).toMatchObject({
      result: 'FAILED',
      statuses: { cold: 'undecided' },
    })
  })

  it('is a run that came to no state', () => {
    const unreadable = heldCandidate({ experiment: { sha256: 'f'.repeat(64), value: {} } })
    expect(decided({ packs: [pack(unreadable)] })).toMatchObject({
      exitCode: 4,
      statuses: { cold: 'invalid', warm: 'invalid' },
    })
  })
})

describe('a waiver', () => {
  const waived = (candidate: CapacityRecord, over = {}) =>
    decided({ policy: policy({ waivers: [waiver(over)] }), packs: [pack(candidate)] })

  it('stands for a measured loss, and ends the sign-off with it', () => {
    expect(waived(lostCold())).toMatchObject({
      result: 'WARNED',
      exitCode: 0,
      statuses: { cold: 'waived' },
      expiresOn: '2026-12-31T23:59:59.000Z',
      requirements: [{ waiver: { by: 'ada', expires: '2026-12-31' } }, {}],
    })
  })

  it('stands for boots that do not agree', () => {
    expect(waived(undecidedCold()).statuses['cold']).toBe('waived')
  })

  it('stands for a drill that is missing', () => {
    const asked = policy({ requires: ['cold', 'drill'], waivers: [waiver({ requirement: 'drill' })] })
    expect(decided({ policy: asked })).toMatchObject({
      result: 'WARNED',
      statuses: { cold: 'passed', drill: 'waived' },
    })
  })

  it.each<[string, CapacityRecord]>([
    ['an invalid measurement', invalidCold()],
    ['a capacity that nobody measured', only('warm')],
  ])('never stands for %s', (_, candidate) => {
    const signOff = waived(candidate)
    expect(signOff.result).toBe('FAILED')
    expect(signOff.requirements[0]?.text).toMatch(/it cannot be waived, since nothing was measured/)
  })

  it('never stands for a loss beside an invalid measurement of the same state', () => {
    const packs = [pack(lostCold(), { source: 'a' }), pack(invalidCold(), { source: 'b' })]
    expect(decided({ policy: policy({ waivers: [waiver()] }), packs })).toMatchObject({ result: 'FAILED' })
  })

  it('that expired stands for nothing, and is named', () => {
    const signOff = waived(lostCold(), { expires: '2026-11-25' })
    expect(signOff).toMatchObject({ result: 'FAILED', exitCode: 2 })
    expect(signOff.requirements[0]?.text).toMatch(/; the waiver by ada expired on 2026-11-25$/)
    // Its last day still counts.
    expect(waived(lostCold(), { expires: '2026-11-26' }).result).toBe('WARNED')
  })

  it('for another subject stands for nothing, and is named', () => {
    const signOff = waived(lostCold(), { subject: '0'.repeat(64) })
    expect([signOff.result, signOff.notes]).toEqual(['FAILED', ['the waiver of cold by ada is for another subject']])
  })

  it('that nothing needs is named', () => {
    const signOff = waived(heldCandidate())
    expect([signOff.result, signOff.notes]).toEqual(['PASSED', ['the waiver of cold by ada is not needed: remove it']])
  })
})

describe('evidence is refused, and nothing signed off,', () => {
  const other = (over: Partial<CapacityRecord>) => pack({ ...heldCandidate(), ...over }, { source: 'other' })
  it.each<[string, Partial<SignOffInput>, string]>([
    [
      'that verify refuses',
      { packs: [pack(heldCandidate(), { faults: ['capacity.json does not follow'] })] },
      'pack_altered',
    ],
    [
      'that could not be read',
      {
        packs: [
          pack(),
          { kind: 'unreadable', source: 'x', code: 'pack_incomplete', text: 'the pack has no capacity.json' },
        ],
      },
      'pack_incomplete',
    ],
    ['that is too old', { packs: [other({ createdAt: '2026-10-20T08:00:00.000Z' })] }, 'pack_stale'],
    ['from the future', { packs: [other({ createdAt: '2026-12-20T08:00:00.000Z' })] }, 'pack_from_future'],
    ['that does not say when it was measured', { packs: [other({ createdAt: 'yesterday' })] }, 'pack_undated'],
    ['of the embedded engine', { packs: [other({ kind: 'simulated' })] }, 'pack_simulated'],
    ['of another tool', { packs: [other({ kind: 'imported' })] }, 'pack_imported'],
    [
      'of an engine that was up already',
      { packs: [other({ subject: { ...heldCandidate().subject, image: null, argv: [] } })] },
      'pack_not_deployed',
    ],
    ['of another subject than was named', { subject: '0'.repeat(64) }, 'subject_differs'],
    [
      'of another subject than the first',
      { packs: [pack(), other({ subject: { ...heldCandidate().subject, sha256: '0'.repeat(64) } })] },
      'subject_differs',
    ],
    [
      'of another experiment than the first',
      { packs: [pack(), other(withExperiment(experimentValue({ error_rate_max: 0.02 })))] },
      'experiment_differs',
    ],
    ['of another gate than the first', { packs: [pack(), other({ gateId: 'other' })] }, 'experiment_differs'],
    [
      'of another kind than the first',
      { allowSimulated: true, packs: [pack(), other({ kind: 'simulated' })] },
      'kind_differs',
    ],
    [
      'that was compared with what nobody accepted',
      { accepted: { all: ['0'.repeat(64)], current: '0'.repeat(64), anchor: null } },
      'baseline_not_accepted',
    ],
    ['of a drill on another subject', { tests: [drill({ subjects: ['0'.repeat(64)] })] }, 'subject_differs'],
    ['of a drill on it does not say what', { tests: [drill({ subjects: null })] }, 'test_without_subject'],
    [
      'of a drill is a sign-off',
      { tests: [drill({ predicate: { result: 'PASSED', configuration: [], capacityGateSignOff: {} } })] },
      'test_is_sign_off',
    ],
    ['of a drill that is too old', { tests: [drill({ atMs: NOW - 40 * 86_400_000 })] }, 'test_stale'],
    ['of a drill without a time', { tests: [drill({ atMs: null })] }, 'test_undated'],
    [
      'of another run than they were taken from',
      { packsFrom: { ...SOURCE, url: `${RUNS}/18` } },
      'pack_of_another_run',
    ],
    [
      'of no run that they name',
      { packs: [pack(heldCandidate(), { url: null })], packsFrom: SOURCE },
      'pack_of_another_run',
    ],
  ])('%s', (_, over, code) => {
    const signOff = decided(over)
    expect(codes(signOff)).toContain(code)
    expect([signOff.result, signOff.exitCode]).toEqual(['FAILED', 4])
  })

  it.each([`${RUNS}/17`, `${RUNS}/17/attempts/2`, `${RUNS.replace('acme', 'Acme')}/17`])(
    'but not of that run: %s',
    (url) => {
      const signOff = decided({ packs: [pack(heldCandidate(), { url })], packsFrom: SOURCE })
      expect([codes(signOff), signOff.exitCode]).toEqual([[], 0])
    },
  )

  describe('of the attestations that a verifier prints of one subject', () => {
    const stale = drill({ atMs: NOW - 40 * 86_400_000, predicate: { result: 'FAILED', configuration: [] } })
    const signed = drill({ predicate: { result: 'PASSED', configuration: [], capacityGateSignOff: {} } })
    const asked = policy({ requires: ['cold', 'warm', 'drill'] })

    it('those that are too old, and sign-offs, do not count beside one that is not', () => {
      const signOff = decided({ policy: asked, tests: [stale, drill(), signed] })
      expect([codes(signOff), signOff.statuses['drill']]).toEqual([[], 'passed'])
    })

    it('a recent failure counts', () => {
      const failed = drill({ predicate: { result: 'FAILED', configuration: [] } })
      expect(decided({ policy: asked, tests: [stale, failed, drill()] }).exitCode).toBe(2)
    })

    it('one that is too old in a file of its own is refused', () => {
      const signOff = decided({ policy: asked, tests: [{ ...stale, source: 'other.json' }, drill()] })
      expect(codes(signOff)).toEqual(['test_stale'])
    })

    it('nothing but old ones and sign-offs is refused', () => {
      expect(codes(decided({ policy: asked, tests: [stale, signed] }))).toEqual(['test_stale', 'test_is_sign_off'])
    })
  })

  it('and a real loss beside it is still a loss', () => {
    const packs = [pack(lostCold()), other({ createdAt: '2026-10-20T08:00:00.000Z' })]
    expect(decided({ packs }).exitCode).toBe(2)
  })

  it('but the loss of a refused pack is none', () => {
    expect(decided({ packs: [pack(lostCold(), { faults: ['x'] })] }).exitCode).toBe(4)
  })
})

/** Cold is held under a loss that was accepted until that day. */
function withAcceptedCold(expires: string) {
  const { verdict } = pack()
  const loss = {
    subjectSha256: SUBJECT,
    guardMilliRps: 23_040,
    floorMilliRps: 21_000,
    reason: 'r',
    acceptedBy: 'ada',
    expires,
    covers: [],
  }
  const states = verdict.states.map((state) => (state.cache === 'cold' ? { ...state, acceptedLoss: loss } : state))
  return pack(heldCandidate(), { verdict: { ...verdict, states } })
}

it('a loss whose acceptance has passed counts again, and only a waiver stands for it', () => {
  const packs = [withAcceptedCold('2026-11-25')]
  const signOff = decided({ packs })
  expect(signOff).toMatchObject({ result: 'FAILED', exitCode: 2, statuses: { cold: 'failed', warm: 'passed' } })
  expect(signOff.requirements[0]?.text).toMatch(/accepted by ada until 2026-11-25, which has passed/)
  const waived = decided({ packs, policy: policy({ waivers: [waiver()] }) })
  expect(waived).toMatchObject({
    result: 'WARNED',
    statuses: { cold: 'waived' },
    expiresOn: '2026-12-31T23:59:59.000Z',
  })
})

describe('what is told and decides nothing', () => {
  it('is simulated evidence that was allowed: never more than WARNED', () => {
    const candidate = { ...heldCandidate(), kind: 'simulated' as const }
    const simulated = pack(candidate, { verdict: pack().verdict })
    const signOff = decided({ packs: [simulated], allowSimulated: true })
    expect(signOff).toMatchObject({ result: 'WARNED', simulated: true, statuses: { cold: 'warned' } })
  })

  it('is a loss that was accepted: held, never more than WARNED, and no longer than it was accepted', () => {
    const signOff = decided({ packs: [withAcceptedCold('2026-12-31')] })
    expect(signOff).toMatchObject({
      result: 'WARNED',
      statuses: { cold: 'warned', warm: 'passed' },
      expiresOn: '2026-12-31T23:59:59.000Z',
    })
    expect(signOff.requirements[0]?.text).toContain('a loss down to 21 was accepted by ada until 2026-12-31')
    const lastDay = decided({ packs: [withAcceptedCold('2026-11-26')] })
    expect(lastDay).toMatchObject({ result: 'WARNED', expiresOn: '2026-11-26T23:59:59.000Z' })
    const beside = decided({ packs: [withAcceptedCold('2026-12-31')], policy: policy({ requires: ['warm'] }) })
    expect(beside).toMatchObject({ result: 'PASSED', expiresOn: '2027-02-24T08:00:00.000Z' })
  })

  it('is a state that was not asked for and is lost', () => {
    const signOff = decided({ policy: policy({ requires: ['warm'] }), packs: [pack(lostCold())] })
    expect(signOff.result).toBe('PASSED')
    expect(signOff.notes[0]).toMatch(/^cold is not required, and decides nothing: regressed/)
  })

  it('is a baseline that was replaced since, and that none was named', () => {
    const { accepted } = input()
    const replaced = decided({ accepted: { all: accepted?.all ?? [], current: '0'.repeat(64), anchor: null } })
    expect([replaced.result, replaced.notes]).toEqual([
      'PASSED',
      ['pack: the baseline that it was compared with has been replaced since'],
    ])
    expect(decided({ accepted: null, policySha256: null }).notes).toEqual([
      'no store of baselines was named: that the packs’ own baselines were accepted is not proven',
      'there is no policy file: what was asked for was said by the command',
    ])
  })

  it('is a last release that it was not held to', () => {
    const { accepted } = input()
    const anchored = (anchorSha256: string | null) =>
      decided({
        accepted: accepted && { ...accepted, anchor: '9'.repeat(64) },
        packs: [pack(heldCandidate(), { verdict: { ...pack().verdict, anchorSha256 } })],
      })
    const note = 'pack: it was not held to what is the last release’s record now'
    expect([null, '8'.repeat(64), '9'.repeat(64)].map((anchor) => anchored(anchor).notes)).toEqual([[note], [note], []])
  })

  it('is a first record: measured, compared with nothing, signed off only by a waiver', () => {
    const verdict = {
      ...pack().verdict,
      states: pack().verdict.states.map((state) => ({ ...state, outcome: 'recorded' as const })),
    }
    const packs = [pack(heldCandidate(), { verdict })]
    expect(decided({ packs })).toMatchObject({ exitCode: 3, statuses: { cold: 'undecided' } })
    const waivers = [waiver(), waiver({ requirement: 'warm' })]
    expect(decided({ packs, policy: policy({ waivers }) }).result).toBe('WARNED')
  })
})

it('a record without a passing or failing rate cannot be waived', () => {
  const nothing = record([result('confirm', boots('cold', GUARD.cold, 'undersampled'))])
  expect(
    decided({ policy: policy({ requires: ['cold'], waivers: [waiver()] }), packs: [pack(nothing)] }),
  ).toMatchObject({
    result: 'FAILED',
    statuses: { cold: 'undecided' },
  })
})
