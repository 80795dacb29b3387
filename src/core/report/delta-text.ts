import type { Delta } from '../gate/verdict.ts'
import { milliseconds, NONE, percent, rps, signed, signedPercent } from './numbers.ts'

/** How a delta's metric is called; another name is shown as it stands. */
export const METRIC_TITLES: ReadonlyMap<string, string> = new Map([
  ['attainment', 'attained %'],
  ['goodput_rps', 'good RPS'],
  ['p95_ttft_ms', 'P95 TTFT ms'],
  ['p95_tpot_ms', 'P95 TPOT ms'],
  ['error_rate', 'errors %'],
])

function isShare(metric: string): boolean {
  return metric === 'attainment' || metric === 'error_rate'
}

export function metricText(metric: string, value: number): string {
  if (isShare(metric)) return percent(value)
  return metric === 'goodput_rps' ? rps(value) : milliseconds(value)
}

/** Shares differ by points, all else by a percentage of the baseline. */
export function changeText({ metric, base, now, regression }: Delta): string {
  const worse = regression ? ' worse' : ''
  if (isShare(metric)) return `${signed((now - base) * 100, 1)} points${worse}`
  return (base === 0 ? NONE : `${signedPercent((now - base) / base)} %`) + worse
}
