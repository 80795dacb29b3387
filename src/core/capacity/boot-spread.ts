import { evidenceGroup } from '../kernel/evidence.ts'
import type { ClassReport } from '../slo/report.ts'
import { isDecisive, openMilliRps } from './by-rate.ts'
import type { PointReport } from './record.ts'

/** Rates this near to the pass rate, as a share of it, are taken for the knee: there the log-odds of a miss rise straight. */
const KNEE_SHARE = 0.1
/** Fewer boots give no spread. */
const BOOTS_MIN = 3
/** A slope below this many of its standard errors is no slope. */
const CLEAR_ERRORS = 2

/** What is read of a judged point. */
export type SpreadPoint = Pick<PointReport, 'key' | 'outcome' | 'deployId' | 'evidence'> & {
  slo: { classes: Readonly<Record<string, Pick<ClassReport, 'attainment' | 'successful_count'>>> }
}

/** The capacity's relative standard deviation from boot to boot, over so many boots; or why it is not known. */
export type BootSpread = { share: number; boots: number } | { share: null; boots: number; why: string }

interface Sample {
  boot: string
  /** Natural logarithm of the rate over the pass rate. */
  x: number
  /** Log-odds of a miss in the worst class, and their variance by sampling. */
  y: number
  variance: number
}

/**
 * How much the capacity differs from boot to boot, as a share of it: the standard deviation, over three or more boots measured at the pass
 * rate, of the worst class's log-odds of a miss (within a boot their mean), divided by their slope against the logarithm of the rate:
 *
 *     spread = sd(ȳ over boots) / β,   y = ln((m + ½) / (n − m + ½)) with m of n successes missing a cutoff,   x = ln(rate)
 *
 * A boot whose capacity is a share δ lower stands at a rate as one does that is offered a share δ more, so that a difference of y over
 * β is a difference of ln(capacity). Log-odds, since attainment itself bends towards 100 % while they rise straight up to the knee;
 * with halves added (the empirical logit: Cox, Analysis of Binary Data, 1970, 3.2), so that no misses have a value too. β by least
 * squares over the decisive open-loop points within a tenth of the pass rate, each boot by its own mean (the within estimator), since
 * the boots' own differences are what is sought; where no boot was measured at two rates, over all of them alike, which takes some of
 * the spread for want of slope and so says rather more of it. A slope counts where it is above twice its standard error by sampling.
 *
 * Points in which something other than speed decided (a crash, lost cache hits) are left out. What differs between two measurements of
 * one boot (drift, jitter, new prompts) is part of the answer, as it is part of what a comparison sees.
 */
export function bootSpreadOf(points: readonly SpreadPoint[], passMilliRps: number | null): BootSpread {
  if (passMilliRps === null) return { share: null, boots: 0, why: 'no rate passed' }
  const near = points.flatMap((point) => sampleOf(point, passMilliRps) ?? [])
  const atPass = Map.groupBy(
    near.filter(({ x }) => x === 0),
    ({ boot }) => boot,
  )
  const boots = atPass.size
  if (boots < BOOTS_MIN)
    return { share: null, boots, why: `the pass rate was measured on ${boots} of ${BOOTS_MIN} boots` }
  const slope = slopeOf(centred(near, ({ boot }) => boot)) ?? slopeOf(centred(near, () => ''))
  if (slope === null) {
    return { share: null, boots, why: 'attainment does not clearly fall with the rate around the pass rate' }
  }
  const means = [...atPass.values()].map((samples) => mean(samples.map(({ y }) => y)))
  const middle = mean(means)
  const variance = means.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (boots - 1)
  return { share: Math.sqrt(variance) / slope, boots }
}

function sampleOf(point: SpreadPoint, passMilliRps: number): Sample | null {
  const rate = openMilliRps(point)
  if (rate === null || !isDecisive(point) || Math.abs(rate / passMilliRps - 1) > KNEE_SHARE) return null
  if (point.evidence.some(({ probe, state }) => state === 'fail' && isOtherThanSpeed(probe))) return null
  const classes = Object.values(point.slo.classes).flatMap(({ attainment, successful_count: n }) =>
    attainment === null || n === 0 ? [] : [{ attainment, n }],
  )
  const worst = classes.toSorted((a, b) => a.attainment - b.attainment)[0]
  if (worst === undefined) return null
  const misses = (1 - worst.attainment) * worst.n + 0.5
  const hits = worst.attainment * worst.n + 0.5
  return {
    boot: point.deployId,
    x: Math.log(rate / passMilliRps),
    y: Math.log(misses / hits),
    variance: 1 / misses + 1 / hits,
  }
}

function isOtherThanSpeed(probe: string): boolean {
  return ['stability', 'cache_hit'].includes(evidenceGroup(probe))
}

/** Each sample less its group's mean, in x and y. */
function centred(samples: readonly Sample[], groupOf: (sample: Sample) => string): Sample[] {
  return [...Map.groupBy(samples, groupOf).values()].flatMap((group) => {
    const [x, y] = [mean(group.map((sample) => sample.x)), mean(group.map((sample) => sample.y))]
    return group.map((sample) => ({ ...sample, x: sample.x - x, y: sample.y - y }))
  })
}

/** Least squares through the origin; null where the slope is not clearly positive. */
function slopeOf(samples: readonly Sample[]): number | null {
  const spreadX = samples.reduce((sum, { x }) => sum + x * x, 0)
  if (!(spreadX > 1e-9)) return null
  const slope = samples.reduce((sum, { x, y }) => sum + x * y, 0) / spreadX
  const error = Math.sqrt(mean(samples.map(({ variance }) => variance)) / spreadX)
  return slope > CLEAR_ERRORS * error ? slope : null
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
