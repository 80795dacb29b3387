import { autoRates } from '../auto-rates.ts'
import { showNumber, showValue, type Breach, type Path } from '../finding.ts'
import { manifestSchema } from '../schema.ts'
import { valueAt } from '../schema-findings.ts'
import { cancelledShare } from './prompts.ts'
import type { Rule, RuleInput } from './rule.ts'
import { namedClasses } from './workload.ts'

const RATES: Path = ['sweep', 'rates_rps']

/** None where the sweep is to find them. */
export function rates({ draft }: Pick<RuleInput, 'draft'>): readonly number[] {
  const declared = draft.sweep?.rates_rps ?? []
  return declared === 'auto' ? [] : declared
}

/** A rate as it is written in a sentence of ours: rounded up, so that it is admissible. */
function roundedUp(rate: number): string {
  return showNumber(Math.ceil(rate * 1000 - 1e-6) / 1000)
}

function notDeclared({ raw }: RuleInput): Breach[] {
  if (valueAt(raw, ['sweep']) !== undefined) return []
  return [{ path: ['sweep'], at: 'key', message: '`sweep` is missing: there is no rate to measure at' }]
}

function doesNotFit(input: RuleInput): Breach[] {
  const { initial_scheduled_requests: initial, maximum_duration_seconds: most } = input.draft.client ?? {}
  if (initial === undefined || most === undefined) return []
  const lowest = initial / most
  return rates(input).flatMap((rate, index): Breach[] => {
    if (rate >= lowest * (1 - 1e-9)) return []
    const message = `at ${rate} requests/s the ${showNumber(initial)} initial requests take ${showNumber(initial / rate)} s; maximum_duration_seconds is ${showNumber(most)}`
    const hint = `The lowest rate that fits is ${showNumber(initial)} / ${showNumber(most)} = ${roundedUp(lowest)} requests/s; or raise the maximum duration.`
    return [{ path: [...RATES, index], message, hint }]
  })
}

function floorOutOfReach(input: RuleInput): Breach[] {
  const most = input.draft.client?.maximum_duration_seconds
  const floor = input.draft.acceptance?.min_successful_samples_per_class
  const smallest = namedClasses(input)
    .flatMap(({ name, mix, output_tokens }) =>
      mix !== undefined && mix > 0
        ? [{ name, mix: Number((mix * (1 - cancelledShare(input, output_tokens))).toPrecision(12)) }]
        : [],
    )
    .toSorted((a, b) => a.mix - b.mix)[0]
  if (most === undefined || floor === undefined || smallest === undefined) return []
  const lowest = floor / (smallest.mix * most)
  return rates(input).flatMap((rate, index): Breach[] => {
    if (rate >= lowest * (1 - 1e-9)) return []
    const message = `at ${rate} requests/s the class ${showValue(smallest.name)} gets ${showNumber(Math.floor(rate * smallest.mix * most))} requests within the maximum duration; its floor is ${showNumber(floor)}`
    const hint = `The lowest rate that reaches it is ${showNumber(floor)} / (${smallest.mix} · ${showNumber(most)}) = ${roundedUp(lowest)} requests/s; or raise the maximum duration.`
    return [{ path: [...RATES, index], message, hint }]
  })
}

function tooShort(input: RuleInput): Breach[] {
  const { initial_scheduled_requests: initial, minimum_duration_seconds: least } = input.draft.client ?? {}
  if (initial === undefined || least === undefined) return []
  return rates(input).flatMap((rate, index): Breach[] => {
    if (initial / rate >= least * (1 - 1e-9)) return []
    const message = `at ${rate} requests/s the ${showNumber(initial)} initial requests last ${showNumber(initial / rate)} s; minimum_duration_seconds is ${showNumber(least)}`
    const hint = `Schedule ${showNumber(Math.ceil(rate * least))} requests or more, or lower the rate to ${showNumber(Math.floor((initial / least) * 1000) / 1000)}.`
    return [{ path: [...RATES, index], message, hint }]
  })
}

function resolution(input: RuleInput): Breach[] {
  return rates(input).flatMap((rate, index): Breach[] => {
    const milli = rate * 1000
    if (milli >= 1 && Math.abs(milli - Math.round(milli)) < 1e-6) return []
    return [{ path: [...RATES, index], message: `the rate ${rate} is no whole number of milli-requests a second` }]
  })
}

function repeated(input: RuleInput): Breach[] {
  const seen = new Set<number>()
  return rates(input).flatMap((rate, index): Breach[] => {
    const isSecond = seen.has(rate)
    seen.add(rate)
    return isSecond ? [{ path: [...RATES, index], message: `the rate ${rate} stands twice` }] : []
  })
}

function oneRate(input: RuleInput): Breach[] {
  if (new Set(rates(input)).size !== 1) return []
  return [{ path: RATES, at: 'key', message: 'one rate cannot make a bracket' }]
}

function noRefinement({ draft }: RuleInput): Breach[] {
  if (draft.sweep?.refine_step !== 0) return []
  return [
    {
      path: ['sweep', 'refine_step'],
      message: '`sweep.refine_step` is 0: the bracket stays as wide as the rates lie apart',
    },
  ]
}

function coarserThanTolerance({ draft }: RuleInput): Breach[] {
  const step = draft.sweep?.refine_step
  const tolerance = draft.acceptance?.capacity_tolerance
  if (step === undefined || tolerance === undefined || step <= tolerance) return []
  const message = `\`sweep.refine_step\` is ${step}, coarser than \`acceptance.capacity_tolerance\` (${tolerance})`
  return [{ path: ['sweep', 'refine_step'], message }]
}

/** The rates that `auto` chooses from; null where it is not asked for, or other parts of the manifest are not well-formed. */
function found({ raw, draft }: RuleInput): readonly number[] | null {
  if (draft.sweep?.rates_rps !== 'auto') return null
  const manifest = manifestSchema.safeParse(raw)
  return manifest.success ? autoRates(manifest.data) : null
}

function noRoomForAuto(input: RuleInput): Breach[] {
  const admitted = found(input)
  if (admitted === null || admitted.length > 1) return []
  const only = admitted.map((rate) => `${showNumber(rate / 1000)} requests/s alone`)[0] ?? 'no rate'
  return [{ path: RATES, message: `\`sweep.rates_rps\` is auto, and the manifest admits ${only}` }]
}

function floorOutside(input: RuleInput): Breach[] {
  const least = input.draft.acceptance?.min_capacity_rps
  const highest = Math.max(...rates(input), (found(input)?.at(-1) ?? 0) / 1000)
  if (least === undefined || highest === 0 || least <= highest) return []
  const message = `\`acceptance.min_capacity_rps\` is ${least}; the highest rate is ${highest}`
  return [{ path: ['acceptance', 'min_capacity_rps'], message }]
}

const error = { level: 'valid', severity: 'error' } as const

export const SWEEP_RULES: readonly Rule[] = [
  {
    id: 'sweep-not-declared',
    title: 'No rates are declared',
    level: 'deployable',
    severity: 'error',
    why: 'A run measures at declared rates.',
    mend: 'Add sweep.rates_rps: auto, or a list from a rate that passes surely to one that fails surely.',
    check: notDeclared,
  },
  {
    id: 'rate-schedule-does-not-fit',
    title: 'At a rate the schedule does not fit the maximum duration',
    ...error,
    why: 'The point would be cut off before its initial requests were sent: it is no longer the frozen schedule.',
    mend: 'Remove the rate, raise client.maximum_duration_seconds, or schedule fewer requests.',
    check: doesNotFit,
  },
  {
    id: 'rate-floor-out-of-reach',
    title: 'At a rate the smallest class cannot reach its floor in time',
    ...error,
    why: 'The point would end undersampled whatever the engine does.',
    mend: 'Remove the rate, raise client.maximum_duration_seconds, or lower the floor.',
    check: floorOutOfReach,
  },
  {
    id: 'rate-too-short',
    title: 'At a rate the schedule ends before the minimum duration',
    ...error,
    why: 'A short point does not reach steady state, and the queue trend cannot be told.',
    mend: 'Schedule more requests, or remove the rate.',
    check: tooShort,
  },
  {
    id: 'rate-resolution',
    title: 'A rate is finer than a milli-request a second',
    ...error,
    why: 'Rates are whole milli-requests a second, so that every due time is exact.',
    mend: 'Write at most three decimals.',
    check: resolution,
  },
  {
    id: 'rate-repeated',
    title: 'A rate stands twice',
    ...error,
    why: 'Repeats are asked for by sweep.repeats.',
    mend: 'Remove one of them.',
    check: repeated,
  },
  {
    id: 'one-rate',
    title: 'There is one rate only',
    level: 'valid',
    severity: 'warning',
    why: 'A capacity is a bracket: a rate that passes and a higher one that fails. A sweep over one rate finds at most half of it.',
    mend: 'Add rates below and above.',
    check: oneRate,
  },
  {
    id: 'no-refinement-step',
    title: 'The refinement step is 0',
    level: 'valid',
    severity: 'warning',
    why: 'Zero means no refinement. A baseline’s bracket may be no wider than the tolerance, and declared rates rarely lie so close.',
    mend: 'Use 0.02, or declare rates as close as the tolerance.',
    check: noRefinement,
  },
  {
    id: 'refinement-coarser-than-tolerance',
    title: 'The bracket is wider than the tolerance',
    level: 'valid',
    severity: 'warning',
    why: 'A capacity known less exactly than the tolerated loss cannot be promoted to a baseline.',
    mend: 'Lower sweep.refine_step to half the tolerance.',
    check: coarserThanTolerance,
  },
  {
    id: 'auto-without-room',
    title: 'There are no rates for auto to choose from',
    ...error,
    why: 'The schedule must fit the maximum duration and last the minimum, each class must reach its floor in time, and no session’s next turn may be due before its think time is over. That leaves a lowest and a highest rate; auto chooses between them.',
    mend: 'Raise client.maximum_duration_seconds, lower client.minimum_duration_seconds or the floor, or declare rates.',
    check: noRoomForAuto,
  },
  {
    id: 'minimum-above-rates',
    title: 'The least capacity lies above every rate',
    level: 'valid',
    severity: 'warning',
    why: 'A sweep cannot show a capacity that it does not test: every run would be regressed.',
    mend: 'Add a rate above acceptance.min_capacity_rps.',
    check: floorOutside,
  },
]
