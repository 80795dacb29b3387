import { z } from 'zod'
import { EXIT, GateError } from '../kernel/errors.ts'
import { canonicalSha256 } from '../kernel/canonical.ts'
import type { Fall } from './drift.ts'
import type { Trend } from './trend.ts'
import { latest } from './trend.ts'

/** An issue of a drift, as the marker in its body and the tracker tell it. */
export interface DriftIssue {
  number: number
  /** Of which series. */
  key: string
  /** Digest of the facts that it shows; `OVER` or `DUPLICATE` where the gate itself ended it. */
  facts: string
  /** Day (UTC) on which it was closed; null while it is open. */
  closedOn: string | null
}

/** Facts of an issue that the gate closed because its fall was over. */
export const OVER = 'over'
/** Facts of one that another job opened at the same time as the issue that counts. */
export const DUPLICATE = 'duplicate'

/**
 * `keep`: an issue is open and stays as it is. `leave`: a person closed it, and nothing has fallen since. `none`: there is none, and
 * nothing calls for one.
 */
export type DriftAction = 'open' | 'reopen' | 'update' | 'close' | 'keep' | 'leave' | 'none'

export interface PlannedDrift {
  action: DriftAction
  key: string
  /** Digest of what the issue would say, for its marker; null where there is no fall. */
  facts: string | null
  trend: Trend
  /** The one that the action is about; null where there is none yet. */
  issue: DriftIssue | null
  /** Open ones beside it, which are to be closed. */
  duplicates: readonly DriftIssue[]
}

/**
 * What is to be done about each trend, one open issue a series: opened where a fall stands, updated where what it says has changed, closed where
 * the fall is over or the series is measured no more. A series too short to say anything leaves its issue alone, and so does one that is not in
 * the history: it may be in another.
 */
export function planDrifts(trends: readonly Trend[], issues: readonly DriftIssue[]): PlannedDrift[] {
  const sorted = issues.filter(({ facts }) => facts !== DUPLICATE).toSorted((one, other) => one.number - other.number)
  const ofSeries = Map.groupBy(sorted, ({ key }) => key)
  return trends.map((trend) => {
    const { key, drift } = trend
    const own = ofSeries.get(key) ?? []
    // Whoever looks comes to the same one: the first that was opened.
    const [open, ...duplicates] = own.filter(({ closedOn }) => closedOn === null)
    const issue = open ?? own.at(-1) ?? null
    const facts = 'fall' in drift ? factsOf(drift.fall, trend) : null
    const action = actionOf(trend, facts, issue)
    return { action, key, facts, trend, issue: action === 'open' ? null : issue, duplicates }
  })
}

function actionOf({ drift }: Trend, facts: string | null, issue: DriftIssue | null): DriftAction {
  const open = issue?.closedOn === null ? issue : null
  switch (drift.state) {
    case 'drifting':
      if (issue === null) return 'open'
      if (issue.closedOn !== null) return afterClosing(drift.fall, { facts: issue.facts, closedOn: issue.closedOn })
      return issue.facts === facts ? 'keep' : 'update'
    case 'recovered':
    case 'accepted':
    case 'abandoned':
    case 'steady':
      if (open === null) return 'none'
      // It says so already: a person opened it again.
      return open.facts === OVER ? 'keep' : 'close'
    case 'short':
      return open === null ? 'none' : 'keep'
  }
}

/** A fall that begins later than this after its series' issue was closed is another one. */
const SAME_DRIFT_DAYS = 14
const DAY_MS = 86_400_000

/**
 * A fall is seen from its second day on, so that what had fallen before the day of closing was known then, and what has fallen since was not. A
 * person who closed the issue knew what it said; where the gate had closed it, the fall was taken to be over and is not.
 */
function afterClosing(fall: Fall, { facts, closedOn }: { facts: string; closedOn: string }): DriftAction {
  if (fall.latest < closedOn) return facts === OVER ? 'reopen' : 'leave'
  const daysLater = (Date.parse(fall.since) - Date.parse(closedOn)) / DAY_MS
  return daysLater > SAME_DRIFT_DAYS ? 'open' : 'reopen'
}

/** Not the level to the last digit: each night's value moves the median a little, and nobody wants a notice a night. */
function factsOf(fall: Fall, trend: Trend): string {
  const lost = Math.round(fall.share * 100)
  const limiting = latest(trend).limiting
  return canonicalSha256({
    since: fall.since,
    lost,
    to: fall.to.sha256,
    limiting: limiting === null ? null : [limiting.class, limiting.metric],
  }).slice(0, 16)
}

const hex16 = /^[0-9a-f]{16}$/
const openSchema = z.array(z.object({ key: z.string().regex(hex16), facts: z.string().regex(hex16) })).max(10_000)

/** Reads the list of open issues, in the order of their numbers. Throws GateError `open_drifts_invalid` (exit 4). */
export function parseOpenDrifts(text: string, name: string): DriftIssue[] {
  try {
    return openSchema.parse(JSON.parse(text)).map((open, index) => ({ ...open, number: index + 1, closedOn: null }))
  } catch (cause) {
    throw new GateError({
      code: 'open_drifts_invalid',
      message: `${name} is no list of open drift issues`,
      hint: 'give a JSON list of {"key", "facts"}, both as the marker in each issue’s body has them',
      exitCode: EXIT.invalid,
      cause,
    })
  }
}
