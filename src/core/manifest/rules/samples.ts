import { showNumber, showValue, type Breach } from '../finding.ts'
import { cancelledShare } from './prompts.ts'
import type { Rule, RuleInput } from './rule.ts'
import { namedClasses } from './workload.ts'

/** What a schedule's one file and its reader hold: some 120 bytes a row, of 256 MiB. */
export const MOST_REQUESTS = 2_000_000

/**
 * Every class's requests with all committed extension blocks, less those that are left as planned; each block has the mix's proportions,
 * rounded.
 */
function requestsWithExtension(input: RuleInput) {
  const client = input.draft.client
  const counts = client?.class_schedule_counts
  const block = client?.extension_requests
  const blocks = client?.extension_blocks
  if (counts === undefined || block === undefined || blocks === undefined) return []
  return namedClasses(input).flatMap((shape) => {
    const initial = Object.hasOwn(counts, shape.name) ? counts[shape.name] : undefined
    if (initial === undefined || shape.mix === undefined) return []
    const scheduled = initial + blocks * Math.floor(shape.mix * block + 1e-9)
    const kept = 1 - cancelledShare(input, shape.output_tokens)
    return [{ ...shape, initial, most: Math.floor(scheduled * kept + 1e-9), kept }]
  })
}

function floorUnreachable(input: RuleInput): Breach[] {
  const floor = input.draft.acceptance?.min_successful_samples_per_class
  if (floor === undefined) return []
  return requestsWithExtension(input).flatMap(({ name, most, kept }): Breach[] => {
    if (most >= floor) return []
    const left = kept < 1 ? ', without those that are left as planned' : ''
    const message = `the class ${showValue(name)} has ${showNumber(most)} requests with every extension${left}; its floor is ${showNumber(floor)} successes`
    return [{ path: ['client', 'class_schedule_counts', name], message }]
  })
}

function floorWithoutMargin(input: RuleInput): Breach[] {
  const floor = input.draft.acceptance?.min_successful_samples_per_class
  const errors = input.draft.acceptance?.error_rate_max
  if (floor === undefined || errors === undefined) return []
  return requestsWithExtension(input).flatMap(({ name, most }): Breach[] => {
    if (most < floor || most * (1 - errors) >= floor) return []
    const message = `the class ${showValue(name)} has ${showNumber(most)} requests with every extension: at ${showNumber(errors * 100)} % errors it falls short of its floor of ${showNumber(floor)}`
    return [{ path: ['client', 'class_schedule_counts', name], message }]
  })
}

function tooLarge({ draft }: RuleInput): Breach[] {
  const {
    initial_scheduled_requests: initial,
    extension_requests: block,
    extension_blocks: blocks,
  } = draft.client ?? {}
  if (initial === undefined) return []
  const total = initial + (block ?? 0) * (blocks ?? 1)
  if (total <= MOST_REQUESTS) return []
  const message = `the schedule has ${showNumber(total)} requests; at most ${showNumber(MOST_REQUESTS)} are held`
  return [{ path: ['client', 'initial_scheduled_requests'], message }]
}

function fewSamples({ draft, dialect }: RuleInput): Breach[] {
  const floor = draft.acceptance?.min_successful_samples_per_class
  const attainment = draft.acceptance?.class_slo_attainment_min
  if (floor === undefined || attainment === undefined || dialect.simulated) return []
  const misses = floor * (1 - attainment)
  if (misses >= 20 || attainment === 0) return []
  const message = `a floor of ${showNumber(floor)} successes leaves ${showNumber(misses)} misses to decide a class`
  return [{ path: ['acceptance', 'min_successful_samples_per_class'], message }]
}

export const SAMPLE_RULES: readonly Rule[] = [
  {
    id: 'sample-floor-unreachable',
    title: 'A class can never reach its sample floor',
    level: 'valid',
    severity: 'error',
    why: 'Even with every committed extension the class has fewer requests than acceptance.min_successful_samples_per_class: every point would end undersampled.',
    mend: 'Schedule more requests (initial_scheduled_requests, class_schedule_counts, extension_requests), or lower the floor.',
    check: floorUnreachable,
  },
  {
    id: 'sample-floor-without-margin',
    title: 'A few errors leave a class short of its floor',
    level: 'valid',
    severity: 'warning',
    why: 'The floor counts successes. A class scheduled just above it ends undersampled at an error rate that the acceptance allows.',
    mend: 'Schedule more requests of the class, or commit extension blocks.',
    check: floorWithoutMargin,
  },
  {
    id: 'schedule-too-large',
    title: 'The schedule is too large',
    level: 'valid',
    severity: 'error',
    why: 'Schedules and records are held in memory while a point is judged.',
    mend: 'Schedule fewer requests.',
    check: tooLarge,
  },
  {
    id: 'few-samples',
    title: 'The sample floor is too low to decide',
    level: 'valid',
    severity: 'warning',
    why: 'With fewer than twenty misses between pass and fail, chance decides: the same revision passes today and fails tomorrow.',
    mend: 'Raise acceptance.min_successful_samples_per_class: 2,000 at 95 % attainment.',
    check: fewSamples,
  },
]
