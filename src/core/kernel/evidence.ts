/** Why something is as it is. `code` is stable; `text` is for people. */
export interface Reason {
  code: string
  text: string
  class?: string
  value?: number
  limit?: number
}

export type Blame = 'engine' | 'client' | 'host'

/** The groups that `acceptance.required_evidence` names. A probe is `group` or `group.detail`, e.g. `identity.version`. */
export const EVIDENCE_GROUPS = ['identity', 'client', 'queue', 'cache_hit', 'stability', 'host', 'tokens'] as const

/** One probed fact. A missing probe is `unknown`, never zero and never pass. */
export interface Evidence {
  probe: string
  state: 'pass' | 'fail' | 'unknown'
  required: boolean
  blames: Blame
  value?: number
  limit?: number
  unit?: string
  /** One line for people: what was seen. */
  text?: string
  file?: string
  sha256?: string
}

/** The groups of which no probe at all is there: nobody asked, which is as little a pass as an answer of unknown. */
export function missingGroups(evidence: readonly Evidence[], groups: readonly string[]): string[] {
  const there = new Set(evidence.map(({ probe }) => evidenceGroup(probe)))
  return groups.filter((group) => !there.has(group))
}

/** The group of a probe: what stands before its first dot. */
export function evidenceGroup(probe: string): string {
  return probe.split('.', 1)[0] ?? probe
}
