import { z } from 'zod'
import { EXIT, GateError } from '../kernel/errors.ts'
import { canonicalSha256 } from '../kernel/canonical.ts'
import type { Fall } from './drift.ts'
import type { Trend } from './trend.ts'
import { latest } from './trend.ts'

/** An open issue as its body's marker says: of which series, and which facts it shows. */
export interface OpenDrift {
  key: string
  facts: string
}

/** `keep`: an issue is open and shows these facts already. `none`: there is none, and nothing calls for one. */
type DriftAction = 'open' | 'update' | 'keep' | 'close' | 'none'

export interface PlannedDrift {
  action: DriftAction
  key: string
  /** Digest of what the issue would say, for its marker; null where there is no fall. */
  facts: string | null
  trend: Trend
}

/**
 * What is to be done about each trend, one issue a series: opened where a fall stands, updated where what it says has changed, closed where the
 * fall is over. A series too short to say anything leaves its issue alone, and so does one that is not in the history.
 */
export function planDrifts(trends: readonly Trend[], open: readonly OpenDrift[]): PlannedDrift[] {
  const known = new Map(open.map(({ key, facts }) => [key, facts]))
  return trends.map((trend) => {
    const { key, drift } = trend
    const facts = 'fall' in drift ? factsOf(drift.fall, trend) : null
    return { action: actionOf(drift.state, known.get(key) ?? null, facts), key, facts, trend }
  })
}

function actionOf(state: Trend['drift']['state'], open: string | null, facts: string | null): DriftAction {
  switch (state) {
    case 'drifting':
      if (open === null) return 'open'
      return open === facts ? 'keep' : 'update'
    case 'recovered':
    case 'accepted':
    case 'steady':
      return open === null ? 'none' : 'close'
    case 'short':
      return open === null ? 'none' : 'keep'
  }
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

const openSchema = z
  .array(z.object({ key: z.string().regex(/^[0-9a-f]{16}$/), facts: z.string().regex(/^[0-9a-f]{16}$/) }))
  .max(10_000)

/** Reads the list of open issues. Throws GateError `open_drifts_invalid` (exit 4). */
export function parseOpenDrifts(text: string, name: string): OpenDrift[] {
  try {
    return openSchema.parse(JSON.parse(text))
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
