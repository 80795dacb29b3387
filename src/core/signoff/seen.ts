import type { StateVerdict } from '../gate/verdict.ts'
import { isMeasured } from './evidence.ts'
import type { PackEvidence } from './evidence.ts'
import type { Gathered } from './gather.ts'
import { isCapacity } from './requirement.ts'
import type { Requirement } from './requirement.ts'
import type { EvidenceRef, RequirementStatus } from './sign-off.ts'
import { isoTime } from './time.ts'
import { stateText } from './wording.ts'

/** What one pack or test result says of a requirement. */
export interface Seen {
  status: RequirementStatus
  isWaivable: boolean
  text: string
  ref: EvidenceRef
}

function ofPacks(cache: 'cold' | 'warm', { packs }: Gathered): Seen[] {
  return packs.flatMap((pack) => {
    const { states } = pack.verdict
    if (states.length === 0) return [ofNoState(pack)]
    return states.filter((state) => state.cache === cache).map((state) => ofState(pack, state))
  })
}

/** A run that came to no state at all says so of every state that it might have measured. */
function ofNoState({ source, record, verdict, url, capacitySha256 }: PackEvidence): Seen {
  const { outcome } = verdict
  const text = `${outcome}: ${verdict.reasons[0]?.text ?? 'nothing was measured'}`
  const ref = { source, sha256: capacitySha256, outcome, measuredAt: record.createdAt, url, text }
  return { status: outcome === 'regressed' ? 'failed' : 'invalid', isWaivable: false, text, ref }
}

function ofState({ source, record, verdict, url, capacitySha256 }: PackEvidence, state: StateVerdict): Seen {
  const text = stateText(state)
  const { outcome } = state
  const ref = { source, sha256: capacitySha256, outcome, measuredAt: record.createdAt, url, text }
  const isWaivable = isMeasured(state, verdict)
  switch (outcome) {
    case 'held':
    case 'improved': {
      const isExcepted = record.kind === 'simulated' || state.acceptedLoss !== undefined
      return { status: isExcepted ? 'warned' : 'passed', isWaivable, text, ref }
    }
    case 'regressed':
      return { status: 'failed', isWaivable, text, ref }
    case 'invalid':
      return { status: 'invalid', isWaivable: false, text, ref }
    case 'inconclusive':
    case 'recorded':
      return { status: 'undecided', isWaivable, text, ref }
  }
}

const TEST_STATUS = { PASSED: 'passed', WARNED: 'warned', FAILED: 'failed' } as const

function ofTests(requirement: Requirement, { tests }: Gathered): Seen[] {
  return tests
    .filter((test) => test.requirement === requirement)
    .map(({ source, sha256, predicate: { result, url, failedTests = [] }, atMs }) => {
      const which = failedTests.length === 0 ? '' : `: ${failedTests.slice(0, 5).join(', ')}`
      const text = `${result}${which}`
      const ref = { source, sha256, outcome: result, measuredAt: isoTime(atMs ?? 0), url: url ?? null, text }
      return { status: TEST_STATUS[result], isWaivable: true, text, ref }
    })
}

/** What all evidence that counts says of a requirement. */
export function seenOf(requirement: Requirement, gathered: Gathered): Seen[] {
  return isCapacity(requirement) ? ofPacks(requirement, gathered) : ofTests(requirement, gathered)
}
