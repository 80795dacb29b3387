import type { Reason } from '../kernel/evidence.ts'
import { isDecisive, openMilliRps } from '../capacity/by-rate.ts'
import type { CapacityResult, PointReport } from '../capacity/record.ts'
import { asPercent, reason } from './wording.ts'

/** Median clocks further than this share below the baseline's are another machine in effect. */
const CLOCK_LOSS_MAX = 0.03
/** Capped by its power limit for more of the load than this, a GPU's lower clocks are explained, and normal. */
const CAPPED_MIN = 0.05

/**
 * Why a state's points cannot be held against the baseline's: their GPUs ran slower, and not because of their power limit. Empty where they
 * did not, or where either record does not tell its clocks. Of each record the median over its decisive points.
 */
export function clockReasons(now: CapacityResult, base: CapacityResult): Reason[] {
  const [is, was] = [medianValue(now, 'host.clocks'), medianValue(base, 'host.clocks')]
  if (is === null || was === null || is >= was * (1 - CLOCK_LOSS_MAX)) return []
  if ((medianValue(now, 'host.power_cap') ?? 0) > CAPPED_MIN) return []
  const loss = asPercent(1 - is / was)
  const text = `the GPUs’ median clock was ${is} MHz, ${loss} below the baseline’s ${was} MHz, and the power limit did not hold it`
  return [{ ...reason('clocks_below_baseline', text), value: is, limit: was * (1 - CLOCK_LOSS_MAX) }]
}

function medianValue({ points }: CapacityResult, probe: string): number | null {
  const values = points
    .filter((point) => isDecisive(point) && openMilliRps(point) !== null)
    .flatMap((point) => valueOf(point, probe) ?? [])
    .toSorted((a, b) => a - b)
  return values[Math.ceil(values.length / 2) - 1] ?? null
}

function valueOf(point: PointReport, probe: string): number | null {
  const found = point.evidence.find((item) => item.probe === probe && item.state === 'pass')
  return found?.value ?? null
}
