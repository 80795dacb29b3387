import { showNumber, showPath, showValue, type Breach } from '../finding.ts'
import { valueAt } from '../schema-findings.ts'
import type { Rule, RuleInput } from './rule.ts'
import { namedClasses } from './workload.ts'

/** Values at which a gate can no longer fail. */
const TOOTHLESS = [
  ['class_slo_attainment_min', 0],
  ['attempted_attainment_min', 0],
  ['error_rate_max', 1],
  ['class_error_rate_max', 1],
  ['capacity_tolerance', 1],
] as const

function cannotFail({ draft }: RuleInput): Breach[] {
  return TOOTHLESS.flatMap(([name, toothless]): Breach[] => {
    if (draft.acceptance?.[name] !== toothless) return []
    return [{ path: ['acceptance', name], message: `\`acceptance.${name}\` is ${toothless}: it can never fail` }]
  })
}

function queueNotFlat({ raw }: RuleInput): Breach[] {
  const path = ['acceptance', 'queue_trend_required']
  const value = valueAt(raw, path)
  if (value === undefined || value === 'flat') return []
  return [{ path, message: `\`${showPath(path)}\` is ${showValue(value)}; only flat is a capacity` }]
}

function noUtilization({ draft }: RuleInput): Breach[] {
  if (draft.acceptance?.target_utilization !== 0) return []
  return [
    {
      path: ['acceptance', 'target_utilization'],
      message: '`acceptance.target_utilization` is 0: no number of replicas would do',
    },
  ]
}

function tolerance({ draft }: RuleInput): Breach[] {
  const value = draft.acceptance?.capacity_tolerance
  const path = ['acceptance', 'capacity_tolerance']
  if (value === 0) return [{ path, message: '`acceptance.capacity_tolerance` is 0: any noise is a regression' }]
  if (value === undefined || value <= 0.2 || value === 1) return []
  return [
    {
      path,
      message: `\`acceptance.capacity_tolerance\` is ${value}: a loss of ${showNumber(value * 100)} % would be held`,
    },
  ]
}

function clientUnproven({ draft }: RuleInput): Breach[] {
  const required = draft.acceptance?.required_evidence
  if (required === undefined) return []
  return (['client', 'queue'] as const).flatMap((group): Breach[] => {
    if (required.includes(group)) return []
    return [
      { path: ['acceptance', 'required_evidence'], message: `\`acceptance.required_evidence\` does not name ${group}` },
    ]
  })
}

function blindSpot(input: RuleInput): Breach[] {
  const acceptance = input.draft.acceptance
  if (acceptance?.error_rate_max === undefined) return []
  if (acceptance.class_error_rate_max !== undefined || acceptance.attempted_attainment_min !== undefined) return []
  const smallest = namedClasses(input)
    .flatMap(({ name, mix }) => (mix !== undefined && mix > 0 ? [{ name, mix }] : []))
    .toSorted((a, b) => a.mix - b.mix)[0]
  if (!smallest || smallest.mix > 0.5) return []
  const lost = Math.min(1, acceptance.error_rate_max / smallest.mix)
  if (lost <= acceptance.error_rate_max) return []
  const message = `an error rate of ${showNumber(acceptance.error_rate_max * 100)} % over all lets the class ${showValue(smallest.name)} lose ${showNumber(lost * 100)} % of its requests`
  return [{ path: ['acceptance', 'error_rate_max'], message }]
}

const error = { level: 'valid', severity: 'error' } as const
const warning = { level: 'valid', severity: 'warning' } as const

export const ACCEPTANCE_RULES: readonly Rule[] = [
  {
    id: 'gate-cannot-fail',
    title: 'A limit is set where it can never fail',
    ...error,
    why: 'A gate that passes everything is worse than none: it is believed.',
    mend: 'Set a limit that means something: attainment 0.95, errors 0.01, tolerance 0.04.',
    check: cannotFail,
  },
  {
    id: 'queue-trend-not-flat',
    title: 'A growing queue is accepted',
    ...error,
    why: 'A queue that grows has no steady state; the rate is above capacity, however good its latencies still are.',
    mend: 'Set acceptance.queue_trend_required to flat.',
    check: queueNotFlat,
  },
  {
    id: 'no-utilization',
    title: 'The target utilization is 0',
    ...error,
    why: 'Replicas are computed by dividing by it.',
    mend: 'Use 0.75, which keeps a quarter in reserve.',
    check: noUtilization,
  },
  {
    id: 'tolerance-extreme',
    title: 'The tolerated loss is none, or very large',
    ...warning,
    why: 'Two boots of one engine differ by about a percent; a tolerance under three times that spread calls noise a regression, a large one calls a regression held.',
    mend: 'Use 0.04.',
    check: tolerance,
  },
  {
    id: 'evidence-not-required',
    title: 'Client or queue evidence is not required',
    ...warning,
    why: 'Without proof that the client kept its schedule, a slow client is taken for a slow engine; without the queue, overload passes.',
    mend: 'Name identity, client, queue, cache_hit and stability in acceptance.required_evidence.',
    check: clientUnproven,
  },
  {
    id: 'error-blind-spot',
    title: 'A small class may fail unseen',
    level: 'deployable',
    severity: 'warning',
    why: 'The error limit is over all requests: every one of them may fall on the smallest class, which still passes on its few successes.',
    mend: 'Set acceptance.class_error_rate_max, or acceptance.attempted_attainment_min.',
    check: blindSpot,
  },
]
