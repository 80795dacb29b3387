import { showNumber, type Breach, type Path } from '../finding.ts'
import type { Rule, RuleInput } from './rule.ts'

const PERIOD: Path = ['client', 'burst', 'period_requests']
/** Fewer bursts than these in a cohort are few draws of what is to be measured. */
const FEW_PERIODS = 10
/** A schedule is looked at to the end of so many extension blocks. */
const MOST_BLOCKS = 20

function burstTooTall({ draft }: RuleInput): Breach[] {
  const { height, width_share: share } = draft.client?.burst ?? {}
  if (height === undefined || share === undefined || height * share <= 1 + 1e-12) return []
  const message = `bursts of ${height} times the mean rate for ${share} of the time are ${showNumber(height * share)} times the mean: there is nothing left for the rest`
  const hint = `Lower the height to ${showNumber(Math.floor(1000 / share) / 1000)} or less, or make bursts shorter.`
  return [{ path: ['client', 'burst', 'height'], message, hint }]
}

function fewBursts({ draft }: RuleInput): Breach[] {
  const period = draft.client?.burst?.period_requests
  const initial = draft.client?.initial_scheduled_requests
  if (period === undefined || initial === undefined || initial >= FEW_PERIODS * period || initial < period) return []
  const message = `bursts come every ${showNumber(period)} requests: ${showNumber(initial)} initial requests have ${showNumber(initial / period)} of them`
  return [{ path: PERIOD, message }]
}

function burstNotWhole({ draft }: RuleInput): Breach[] {
  const period = draft.client?.burst?.period_requests
  const initial = draft.client?.initial_scheduled_requests
  if (period === undefined || initial === undefined || initial >= period) return []
  const message = `bursts come every ${period} requests, and there are ${showNumber(initial)} initial requests: not one whole period`
  return [{ path: PERIOD, message }]
}

/**
 * The mean rate of that many requests over the one that is asked for: a part of a period has a rate of its own. Lull, burst and lull pass
 * one after the other, so that `requests` are reached at the time whose cumulative intensity they are.
 */
function meanRate(burst: { height: number; share: number; period: number }, requests: number): number {
  const { height, share, period } = burst
  const rest = requests % period
  const lullRate = Math.max(0, (1 - height * share) / (1 - share))
  const halfLull = ((1 - share) / 2) * period
  const beforeBurst = lullRate * halfLull
  const inBurst = Math.min(Math.max(0, rest - beforeBurst), height * share * period)
  const inLull = rest - inBurst
  return (
    requests / (requests - rest + inBurst / height + (lullRate === 0 ? (rest > 0 ? halfLull : 0) : inLull / lullRate))
  )
}

function burstCut({ draft }: RuleInput): Breach[] {
  const { height, width_share: share, period_requests: period } = draft.client?.burst ?? {}
  const {
    initial_scheduled_requests: initial,
    extension_requests: block = 0,
    extension_blocks: blocks = 1,
  } = draft.client ?? {}
  const tolerance = 1 - (draft.client?.offered_rate_min_share ?? Number.NaN)
  if (height === undefined || share === undefined || period === undefined || initial === undefined) return []
  if (initial < period || height * share > 1) return []
  const cohorts = Array.from(
    { length: block === 0 ? 1 : Math.min(blocks, MOST_BLOCKS) + 1 },
    (_, index) => initial + index * block,
  )
  const offBy = (requests: number) => meanRate({ height, share, period }, requests) - 1
  const worst = cohorts.reduce((most, requests) =>
    Math.abs(offBy(requests)) > Math.abs(offBy(most)) ? requests : most,
  )
  const off = offBy(worst)
  if (!(Math.abs(off) > tolerance)) return []
  const side = off < 0 ? 'below' : 'above'
  const message = `bursts come every ${showNumber(period)} requests: ${showNumber(worst)} requests cut the last period, and their mean rate lies ${(Math.abs(off) * 100).toFixed(1)} % ${side} the one that is asked for`
  return [{ path: PERIOD, message, ...(block === 0 ? { hint: wholePeriods(initial, period) } : {}) }]
}

function wholePeriods(initial: number, period: number): string {
  const periods = Math.round(initial / period)
  return `Write ${showNumber(initial / periods)}: ${showNumber(initial)} requests then have ${showNumber(periods)} whole periods.`
}

const error = { level: 'valid', severity: 'error' } as const

export const BURST_RULES: readonly Rule[] = [
  {
    id: 'burst-above-mean',
    title: 'Bursts alone exceed the mean rate',
    ...error,
    why: 'The offered rate is the mean over a whole period: height × width_share is the part of it that falls into the burst, and no more than all of it can.',
    mend: 'Lower client.burst.height or width_share until their product is at most 1.',
    check: burstTooTall,
  },
  {
    id: 'burst-longer-than-cohort',
    title: 'The cohort ends within its first burst period',
    ...error,
    why: 'The rate is the mean over whole periods. A part of one has another: a third of it, or four times as much.',
    mend: 'Shorten client.burst.period_requests to a tenth of the initial requests or less, or schedule more requests.',
    check: burstNotWhole,
  },
  {
    id: 'few-bursts',
    title: 'A cohort has few bursts',
    level: 'valid',
    severity: 'warning',
    why: 'What bursts do is then told by a handful of them, and the queue trend by where the last one falls.',
    mend: 'Shorten client.burst.period_requests to a tenth of the initial requests or less, or schedule more requests.',
    check: fewBursts,
  },
  {
    id: 'burst-cut',
    title: 'The last burst period is cut',
    level: 'valid',
    severity: 'warning',
    why: 'The rate is the mean over whole periods. What is left of the last one has another, and draws the mean of the whole cohort to its side: a capacity in requests a second is off by as much. It is the same in baseline and candidate.',
    mend: 'Choose a client.burst.period_requests that divides the initial requests and the extension block without a rest.',
    check: burstCut,
  },
]
