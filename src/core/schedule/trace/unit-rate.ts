import { EXIT, GateError } from '../../kernel/errors.ts'
import { MEAN_GAP_US } from '../arrivals.ts'

/**
 * Each row's offset at one request a second, whole microseconds:
 *
 *   offset_i = 1,000,000 + floor(at_i · (m − 1) · 1,000,000 / at_(m−1))     (rows from 0, m = `over`, all of them by default)
 *
 * One factor for every row, a ratio of whole numbers, so that order, bunching and the ratios of gaps stay as they were. The first of the
 * `over` rows comes one mean gap after the start and the last at exactly m seconds: m requests in m seconds, and a seam to the warm-up
 * as in a constant schedule. Rows after them go on by the same factor, so that more of them change none before.
 *
 * @throws GateError `trace_no_span` where the `over` rows all came at once (exit 4)
 */
export function traceToUnitRate(rows: readonly { atUs: number }[], over: number = rows.length): number[] {
  // Two rows are the fewest that have a rate.
  const counted = Math.min(rows.length, Math.max(2, over))
  const spanUs = rows[counted - 1]?.atUs ?? 0
  if (counted > 1 && spanUs === 0) {
    throw new GateError({
      code: 'trace_no_span',
      message: `the trace's first ${counted} requests all came at the same time: there is no rate to scale`,
      hint: 'take more of the trace, or another arrival pattern',
      exitCode: EXIT.invalid,
    })
  }
  const numerator = BigInt(counted - 1) * BigInt(MEAN_GAP_US)
  const denominator = BigInt(Math.max(1, spanUs))
  return rows.map(({ atUs }) => MEAN_GAP_US + Number((BigInt(atUs) * numerator) / denominator))
}
