import type { PlannedDrift } from '../history/drift-plan.ts'
import type { Trend } from '../history/trend.ts'
import { latest } from '../history/trend.ts'
import { capacityText, driftText } from './drift-issue.ts'
import { plainText } from './escape.ts'
import { milliRps, plural, signedPercent } from './numbers.ts'

/** The plan as JSON, an entry a series: what to do, and the text to publish, whose first line is the marker by which its issue is found again. */
export function driftPlanJson(plan: readonly PlannedDrift[]) {
  const issues = plan.map((planned) => {
    const { action, key, facts, trend } = planned
    const { series, cache, experiment, hardware } = latest(trend)
    const text = driftText(planned)
    return {
      action,
      key,
      facts,
      series,
      cache,
      experiment,
      hardware,
      drift: trend.drift,
      title: text?.title ?? null,
      body: text?.body ?? null,
    }
  })
  return { schema: 1, issues }
}

/** The plan as lines for a terminal. */
export function driftPlanText(plan: readonly PlannedDrift[]): string {
  if (plan.length === 0) return 'the history is empty'
  return plan.map(lineOf).join('\n')
}

function lineOf({ action, key, trend }: PlannedDrift): string {
  const { series, cache } = latest(trend)
  return `${plainText(series, 80)}, ${cache} (${key}): ${trendText(trend)}${ACTIONS[action]}`
}

const ACTIONS: Readonly<Record<PlannedDrift['action'], string>> = {
  open: ' → open an issue',
  reopen: ' → open its issue again',
  update: ' → update its issue',
  keep: '; its issue stays as it is',
  close: ' → close its issue',
  leave: '; its issue was closed by hand',
  none: '',
}

/** What a trend does, for a line. */
export function trendText(trend: Trend): string {
  const { drift } = trend
  switch (drift.state) {
    case 'short':
      return `${plural(drift.values, 'day')} with a value, from ${drift.needed} on there is something to say`
    case 'steady':
      return `steady, last ${capacityText(latest(trend))} RPS`
    case 'drifting':
    case 'recovered':
    case 'accepted':
    case 'abandoned': {
      const { fall } = drift
      const rates = `${milliRps(fall.beforeMilliRps)} → ${milliRps(fall.nowMilliRps)} RPS`
      return `${drift.state}, ${rates} (${signedPercent(fall.share)} %) since ${fall.since}`
    }
  }
}
