import type { Outcome } from '../gate/verdict.ts'
import type { Change } from './changes.ts'
import { leastShare, VALUES_MIN } from './changes.ts'
import type { DayValue } from './days.ts'
import { median } from './medians.ts'

/** Values whose median must be back at the former level where no change upwards was found. */
const RECOVERY_VALUES = 5

/** The run on one side of a fall: the last day before it, or the first after it. */
export interface FallSide {
  /** `2026-11-30` */
  day: string
  /** The subject's. */
  version: string
  sha256: string
  /** Of the repository that the run was started in. */
  commit: string | null
  runUrl: string | null
}

/** A fall: the first day after it, the level before, and what is left of it now. Rates in milli-requests a second. */
export interface Fall {
  since: string
  /** The first day after the latest fall: `since` where it has not fallen further. */
  latest: string
  from: FallSide
  to: FallSide
  beforeMilliRps: number
  nowMilliRps: number
  /** now / before − 1 */
  share: number
  by: Change['by']
  p: number | null
}

/**
 * What a series does. `short`: too few values to say anything. `drifting`: a fall stands. `recovered` and `accepted`: the last fall is
 * over, by its level or because a lower baseline was accepted since. `abandoned`: a fall stood when the series was last measured, which was
 * long ago.
 */
export type Drift =
  | { state: 'short'; values: number; needed: number }
  | { state: 'steady' }
  | { state: 'drifting' | 'recovered' | 'accepted' | 'abandoned'; fall: Fall }

/**
 * A fall stands until a change upwards brings the level back to within half the tolerance of where it was, or the last five values have
 * their median there, or one of the latest two days held against a baseline that was accepted below it since. Falls after a standing one deepen it; one after an accepted
 * one is another.
 */
export function driftOf(days: readonly DayValue[], changes: readonly Change[], toleranceShare: number): Drift {
  if (days.length < VALUES_MIN) return { state: 'short', values: days.length, needed: VALUES_MIN }
  let first: Change | null = null
  let last: Change | null = null
  let isOver = false
  for (const change of changes) {
    // What has fallen since somebody accepted the level is no part of what was accepted.
    if (first !== null && change.share < 0) isOver ||= isAccepted(days.slice(0, change.index), first)
    if (first === null || isOver) {
      if (change.share < 0) [first, last, isOver] = [change, change, false]
    } else {
      if (change.share < 0) last = change
      isOver = change.after >= first.before * (1 - leastShare(toleranceShare))
    }
  }
  if (first === null || last === null) return { state: 'steady' }
  const fall = fallOf(days, first, last, changes.at(-1)?.after ?? first.after)
  if (isOver || isBack(days, first)) return { state: 'recovered', fall }
  return { state: isAccepted(days, first) ? 'accepted' : 'drifting', fall }
}

function fallOf(days: readonly DayValue[], { index, before, by, p }: Change, last: Change, now: number): Fall {
  const nowMilliRps = Math.round(now)
  const to = sideOf(days[index])
  return {
    since: to.day,
    latest: days[last.index]?.day ?? to.day,
    from: sideOf(days[index - 1]),
    to,
    beforeMilliRps: Math.round(before),
    nowMilliRps,
    share: now / before - 1,
    by,
    p,
  }
}

function sideOf(value: DayValue | undefined): FallSide {
  const { subject, commit = null, runUrl = null } = value?.point ?? {}
  return { day: value?.day ?? '', version: subject?.version ?? '', sha256: subject?.sha256 ?? '', commit, runUrl }
}

function isBack(days: readonly DayValue[], { index, before }: Change): boolean {
  const recent = days.slice(Math.max(index, days.length - RECOVERY_VALUES))
  return recent.length === RECOVERY_VALUES && median(recent.map(({ milliRps }) => milliRps)) >= before
}

/** Days of which one must hold against what was accepted: one bad night alone takes nothing back. */
const ACCEPTED_DAYS = 2

/** Somebody accepted less than was there before the fall, and it holds. */
function isAccepted(days: readonly DayValue[], { index, before }: Change): boolean {
  const former = days[index - 1]?.point.baselineMilliRps ?? null
  const accepted = days.at(-1)?.point.baselineMilliRps ?? null
  if (former === null || accepted === null || accepted === former || accepted >= before) return false
  return days
    .slice(Math.max(index, days.length - ACCEPTED_DAYS))
    .some(({ point: { outcome, baselineMilliRps } }) => baselineMilliRps === accepted && HELD.includes(outcome))
}

const HELD: readonly Outcome[] = ['held', 'improved']
