import { readBesideManifest, type FileBreach, type ReadFile } from '../manifest/beside-manifest.ts'
import type { RuleText } from '../manifest/finding.ts'
import { policySchema, type Policy, type Waiver } from './policy-schema.ts'
import { isCapacity, sha256Of } from './requirement.ts'
import { DAY_MS, endOfDay } from './time.ts'

/** How far ahead a waiver may end: what is to hold for longer is no exception any more. */
const WAIVER_DAYS_MAX = 90

const error = { level: 'valid', severity: 'error' } as const

const RULES = {
  noCapacity: {
    id: 'sign-off-without-capacity',
    title: 'A sign-off requires no capacity',
    ...error,
    why: 'What is signed off is that the revision carries its capacity; a drill or parity alone does not show it.',
    mend: 'Require cold, warm or both.',
  },
  twice: {
    id: 'sign-off-twice',
    title: 'A requirement, or a waiver for one subject, stands twice',
    ...error,
    why: 'Two entries for one thing are read as two decisions.',
    mend: 'Keep one of them.',
  },
  noDate: {
    id: 'waiver-without-date',
    title: 'A waiver ends on no day of the calendar',
    ...error,
    why: 'A waiver that never ends is a change of the requirements that nobody reviewed as one.',
    mend: 'Write a day of the calendar, as YYYY-MM-DD.',
  },
  tooLong: {
    id: 'waiver-too-long',
    title: `A waiver ends more than ${WAIVER_DAYS_MAX} days ahead`,
    ...error,
    why: 'What holds for longer is no exception: it is a change of the requirements.',
    mend: `Let it end within ${WAIVER_DAYS_MAX} days, and renew it in a reviewed change.`,
  },
} as const satisfies Record<string, RuleText>

export const DEFAULT_POLICY: Policy = policySchema.parse({})

/** Reads `.capacity-gate/sign-off.yaml`: hostile text; whatever is wrong is a finding. `nowMs` is when it is read, since a waiver's end is held to it. */
export function readPolicy(text: string, nowMs: number): ReadFile<Policy> {
  return readBesideManifest(text, policySchema, (policy) => [
    ...requireBreaches(policy),
    ...waiverBreaches(policy, nowMs),
  ])
}

function requireBreaches({ requires }: Policy): FileBreach[] {
  const twice = requires.flatMap((name, index): FileBreach[] =>
    requires.indexOf(name) === index
      ? []
      : [{ rule: RULES.twice, path: ['requires', index], message: `${name} is required twice` }],
  )
  if (requires.some(isCapacity)) return twice
  return [...twice, { rule: RULES.noCapacity, path: ['requires'], message: 'neither cold nor warm is required' }]
}

function waiverBreaches({ waivers }: Policy, nowMs: number): FileBreach[] {
  return waivers.flatMap((waiver, index): FileBreach[] => {
    const first = waivers.findIndex((other) => keyOf(other) === keyOf(waiver))
    const twice =
      first === index
        ? []
        : [
            {
              rule: RULES.twice,
              path: ['waivers', index],
              message: `${waiver.requirement} is waived twice for one subject`,
            },
          ]
    const end = endOfDay(waiver.expires)
    const path = ['waivers', index, 'expires']
    if (end === null)
      return [...twice, { rule: RULES.noDate, path, message: `${waiver.expires} is no day of the calendar` }]
    if (end <= nowMs + (WAIVER_DAYS_MAX + 1) * DAY_MS) return twice
    return [
      ...twice,
      { rule: RULES.tooLong, path, message: `${waiver.expires} is more than ${WAIVER_DAYS_MAX} days ahead` },
    ]
  })
}

function keyOf({ requirement, subject }: Waiver): string {
  return `${requirement} ${sha256Of(subject) ?? subject}`
}
