import type { AcceptedLossFacts, StateVerdict } from '../gate/verdict.ts'
import { isMeasured } from './evidence.ts'
import type { PackEvidence } from './evidence.ts'
import type { Gathered } from './gather.ts'
import { isCapacity } from './requirement.ts'
import type { Requirement } from './requirement.ts'
import type { EvidenceRef, RequirementStatus } from './sign-off.ts'
import { endOfDay, isoTime } from './time.ts'
import { stateText } from './wording.ts'

/** What one pack or test result says of a requirement. */
export interface Seen {
  status: RequirementStatus
  isWaivable: boolean
  text: string
  ref: EvidenceRef
}

function ofPacks(cache: 'cold' | 'warm', { packs }: Gathered, nowMs: number): Seen[] {
  return packs.flatMap((pack) => {
    const { states } = pack.verdict
    if (states.length === 0) return [ofNoState(pack)]
    return states.filter((state) => state.cache === cache).map((state) => ofState(pack, state, nowMs))
  })
}

/** A run that came to no state at all says so of every state that it might have measured. */
function ofNoState({ source, record, verdict, url, capacitySha256 }: PackEvidence): Seen {
  const { outcome } = verdict
  const text = `${outcome}: ${verdict.reasons[0]?.text ?? 'nothing was measured'}`
  const ref = { source, sha256: capacitySha256, outcome, measuredAt: record.createdAt, url, text }
  return { status: outcome === 'regressed' ? 'failed' : 'invalid', isWaivable: false, text, ref }
}

function ofState(pack: PackEvidence, state: StateVerdict, nowMs: number): Seen {
  const { source, record, verdict, url, capacitySha256 } = pack
  const isOver = state.acceptedLoss !== undefined && acceptedUntilMs(state.acceptedLoss) < nowMs
  const text = `${stateText(state)}${isOver ? ', which has passed: the loss counts again' : ''}`
  const { outcome } = state
  const ref = { source, sha256: capacitySha256, outcome, measuredAt: record.createdAt, url, text }
  const isWaivable = isMeasured(state, verdict)
  switch (outcome) {
    case 'held':
    case 'improved': {
      if (isOver) return { status: 'failed', isWaivable, text, ref }
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

/** The last moment at which an accepted loss holds; long ago for a day that is none. */
export function acceptedUntilMs({ expires }: Pick<AcceptedLossFacts, 'expires'>): number {
  return endOfDay(expires) ?? 0
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
export function seenOf(requirement: Requirement, gathered: Gathered, nowMs: number): Seen[] {
  return isCapacity(requirement) ? ofPacks(requirement, gathered, nowMs) : ofTests(requirement, gathered)
}
