import type { RuleText } from '../../manifest/finding.ts'

const error = { level: 'valid', severity: 'error' } as const

/** The farthest day on which an accepted loss may end: a loss that is to stay becomes the baseline. */
export const EXPIRY_DAYS_MAX = 90

/** What an accepted loss must say beside what its schema asks. */
export const ACCEPTED_RULES = {
  rate: {
    id: 'accepted-rate',
    title: 'A rate has more than three decimals',
    ...error,
    why: 'Rates are whole milli-requests a second, so that every due time is exact.',
    mend: 'Write it with at most three decimals.',
  },
  noLoss: {
    id: 'accepted-no-loss',
    title: 'The floor is not below the guard rate',
    ...error,
    why: 'What carries the guard rate has lost nothing that would have to be accepted.',
    mend: 'State the rate that is carried as `floor_rps`, and the rate that was missed as `guard_rps`.',
  },
  underMinimum: {
    id: 'accepted-under-minimum',
    title: 'The floor is below the declared minimum',
    ...error,
    why: '`acceptance.min_capacity_rps` is what the service needs, whatever is accepted.',
    mend: 'Raise the floor; or change the minimum in the manifest, which is another experiment with a baseline of its own.',
  },
  notADay: {
    id: 'accepted-not-a-day',
    title: 'The expiry is no day of the calendar',
    ...error,
    why: 'An acceptance that nobody can tell the end of would have none.',
    mend: 'Write a day as YYYY-MM-DD.',
  },
  tooFar: {
    id: 'accepted-expiry-too-far',
    title: `The expiry is more than ${EXPIRY_DAYS_MAX} days ahead`,
    ...error,
    why: 'A loss that is meant to stay is a new baseline. Until then somebody has to look again.',
    mend: `Choose a day at most ${EXPIRY_DAYS_MAX} days from today, and promote a sweep of the revision before it.`,
  },
  expired: {
    id: 'accepted-expired',
    title: 'The acceptance has expired',
    level: 'valid',
    severity: 'warning',
    why: 'It is ignored: the loss counts again.',
    mend: 'Remove it; or renew it in a reviewed change.',
  },
  twice: {
    id: 'accepted-twice',
    title: 'A loss stands twice',
    ...error,
    why: 'Which of two floors holds for a gate, a subject and a cache state cannot be known.',
    mend: 'Keep one of them.',
  },
  placeholder: {
    id: 'accepted-placeholder',
    title: 'A placeholder was not filled in',
    ...error,
    why: 'Who accepts a loss and why is what a reviewer looks at.',
    mend: 'Write who and why.',
  },
} as const satisfies Record<string, RuleText>
