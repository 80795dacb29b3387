import type { Manifest } from './schema.ts'

/** Preferred numbers, ten a decade (ISO 3, R10): each about a quarter above the one before. */
const PREFERRED = [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8]
/** From a thousandth of a request a second to 800,000. */
const DECADES = 9
const SERIES = [
  ...new Set(
    Array.from({ length: DECADES }, (_, decade) => PREFERRED.map((number) => Math.round(number * 10 ** decade))).flat(),
  ),
]

type Spanned = Pick<Manifest, 'client' | 'workload' | 'acceptance'>

/**
 * The rates, in whole milli-requests a second and lowest first, that `sweep.rates_rps: auto` chooses from: the preferred numbers within
 * the span that the manifest admits, and the span's two ends. A function of the experiment alone, so that two sweeps that may be compared
 * choose from the same rates. Empty where no rate is admitted.
 */
export function autoRates(manifest: Spanned): number[] {
  const lowest = lowestMilliRps(manifest)
  const highest = highestMilliRps(manifest)
  if (lowest > highest) return []
  return [...new Set([lowest, ...SERIES.filter((rate) => rate > lowest && rate < highest), highest])]
}

/** Below it the schedule does not fit the maximum duration, or the smallest class cannot reach its floor in it. */
function lowestMilliRps({ client, workload, acceptance }: Spanned): number {
  const { initial_scheduled_requests: initial, maximum_duration_seconds: most } = client
  const floor = acceptance.min_successful_samples_per_class
  const floors = workload.map((entry) => {
    const { share, after_tokens: after } =
      client.cancellation === 'none' ? { share: 0, after_tokens: 0 } : client.cancellation
    const kept = entry.mix * (entry.output_tokens > after ? 1 - share : 1)
    return kept > 0 ? floor / (kept * most) : 0
  })
  return Math.max(1, Math.ceil(Math.max(initial / most, ...floors) * 1000 - 1e-6))
}

/** Above it the schedule is shorter than the minimum duration, or a session's next turn is due before its think time is over. */
function highestMilliRps({ client, workload }: Spanned): number {
  const { initial_scheduled_requests: initial, minimum_duration_seconds: least } = client
  const thought = workload.map(({ mix, session }) => {
    const busy = mix * (session?.think_seconds ?? 0)
    return session === undefined || busy === 0 ? Infinity : session.concurrent / busy
  })
  return Math.floor(Math.min(initial / least, ...thought) * 1000 + 1e-6)
}
