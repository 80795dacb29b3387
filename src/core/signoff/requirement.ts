/** What a release can be asked to show. Cold and warm are verdicts of our own; a drill and parity are other tools' test results. */
export const REQUIREMENTS = ['cold', 'warm', 'drill', 'parity'] as const

export type Requirement = (typeof REQUIREMENTS)[number]

export function isRequirement(text: string): text is Requirement {
  return REQUIREMENTS.some((name) => name === text)
}

/** Whether it is a capacity of a cache state, which only a pack can show. */
export function isCapacity(requirement: Requirement): requirement is 'cold' | 'warm' {
  return requirement === 'cold' || requirement === 'warm'
}

/** The 64 hex digits of `sha256:…`, `name@sha256:…` or bare ones; null for anything else. */
export function sha256Of(text: string): string | null {
  return /^(?:(?:[^\s@]{1,400}@)?sha256:)?([0-9a-f]{64})$/.exec(text.trim())?.[1] ?? null
}
