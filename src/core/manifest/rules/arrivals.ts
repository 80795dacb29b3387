import { showNumber, showPath, showValue, type Breach, type Path } from '../finding.ts'
import { valueAt } from '../schema-findings.ts'
import { isMapping } from '../schema-walk.ts'
import type { Rule, RuleInput } from './rule.ts'
import { namedClasses } from './workload.ts'

const PATTERN: Path = ['client', 'arrival_pattern']
/** Patterns that have a section of their name. */
const SECTIONS = ['gamma', 'burst', 'ramp', 'trace'] as const
/** What a cap of requests in flight is called where load tools have one. */
const CAPS = [
  'concurrency',
  'max_concurrency',
  'concurrency_limit',
  'max_in_flight',
  'max_inflight',
  'max_outstanding',
  'max_connections',
  'max_concurrent_requests',
]
const CAPPED: readonly Path[] = [['client'], ['client', 'connection'], ['sweep']]

function sectionMissing({ raw, draft }: RuleInput): Breach[] {
  const pattern = SECTIONS.find((name) => name === draft.client?.arrival_pattern)
  if (pattern === undefined || valueAt(raw, ['client', pattern]) !== undefined) return []
  return [{ path: PATTERN, message: `\`client.arrival_pattern\` is ${pattern}, and there is no \`client.${pattern}\`` }]
}

function sectionUnused({ raw, draft }: RuleInput): Breach[] {
  const pattern = draft.client?.arrival_pattern
  if (pattern === undefined) return []
  return SECTIONS.flatMap((name): Breach[] => {
    if (name === pattern || valueAt(raw, ['client', name]) === undefined) return []
    const message = `\`client.${name}\` is given, but \`client.arrival_pattern\` is ${pattern}`
    return [{ path: ['client', name], at: 'key', message }]
  })
}

/** The mean of n gaps varies by √(1/(shape · n)). */
function rateByChance({ draft }: RuleInput): Breach[] {
  const shape = draft.client?.gamma?.shape
  const initial = draft.client?.initial_scheduled_requests
  const tolerance = draft.acceptance?.capacity_tolerance
  if (shape === undefined || initial === undefined || tolerance === undefined) return []
  const deviation = Math.sqrt(1 / (shape * initial))
  if (deviation <= tolerance) return []
  const message = `the mean rate of ${showNumber(initial)} requests with gaps of shape ${shape} lies ${(deviation * 100).toFixed(1)} % (one standard deviation) off the rate that is asked for`
  return [{ path: ['client', 'gamma', 'shape'], message }]
}

function rampOfNothing({ draft }: RuleInput): Breach[] {
  const { from, to } = draft.client?.ramp ?? {}
  if (from !== 0 || to !== 0) return []
  return [{ path: ['client', 'ramp'], at: 'key', message: '`client.ramp` goes from 0 to 0: no request ever comes' }]
}

function risingRamp({ draft }: RuleInput): Breach[] {
  const { from, to } = draft.client?.ramp ?? {}
  if (from === undefined || to === undefined || draft.client?.arrival_pattern !== 'ramp' || to <= from) return []
  const message = `the rate rises from ${showNumber(from)} to ${showNumber(to)}, and the requests in flight with it: the queue's trend will be growing`
  return [{ path: ['client', 'ramp'], at: 'key', message }]
}

function traceHasLengths(input: RuleInput): Breach[] {
  if (input.draft.client?.arrival_pattern !== 'trace') return []
  const sessions = namedClasses(input).flatMap(({ name, session, index }): Breach[] =>
    session === undefined
      ? []
      : [
          {
            path: ['workload', index, 'session'],
            at: 'key',
            message: `the class ${showValue(name)} has sessions, but the trace gives each request its own length`,
          },
        ],
  )
  if (input.draft.client.dataset === undefined) return sessions
  const message = 'prompts are made of a dataset, but the trace gives each request its own length'
  return [...sessions, { path: ['client', 'dataset'], at: 'key', message }]
}

function concurrencyCap({ raw }: RuleInput): Breach[] {
  return CAPPED.flatMap((path) => {
    const section = valueAt(raw, path)
    if (!isMapping(section)) return []
    return CAPS.filter((key) => Object.hasOwn(section, key)).map((key): Breach => {
      const message = `\`${showPath([...path, key])}\` would cap the requests in flight beside a rate`
      return { path: [...path, key], at: 'key', message }
    })
  })
}

function thinkTimeUnused({ draft }: RuleInput): Breach[] {
  const seconds = draft.client?.closed_loop_think_seconds ?? 0
  const { rates_rps: rates, saturation_concurrency: concurrencies = [] } = draft.sweep ?? {}
  if (seconds === 0 || rates === 'auto' || concurrencies.length > 0) return []
  const message = `\`client.closed_loop_think_seconds\` is ${showNumber(seconds)}, and no closed loop is asked for: it does nothing to a rate`
  return [{ path: ['client', 'closed_loop_think_seconds'], message }]
}

const error = { level: 'valid', severity: 'error' } as const

export const ARRIVAL_RULES: readonly Rule[] = [
  {
    id: 'pattern-section-missing',
    title: 'The arrival pattern lacks its section',
    ...error,
    why: 'Gamma, burst, ramp and trace arrivals are not told by their name alone.',
    mend: 'Add the section that has the pattern’s name: gamma {shape}, burst {height, width_share, period_requests}, ramp {from, to}, trace {file, sha256, format}.',
    check: sectionMissing,
  },
  {
    id: 'pattern-section-unused',
    title: 'A section belongs to another arrival pattern',
    ...error,
    why: 'It would have no effect, and the reader would think it had.',
    mend: 'Remove it, or set client.arrival_pattern to its name.',
    check: sectionUnused,
  },
  {
    id: 'rate-by-chance',
    title: 'The seed decides what rate is offered',
    level: 'valid',
    severity: 'warning',
    why: 'Few requests in clumps have a mean rate of their own. It is the same in baseline and candidate, but a capacity in requests a second is off by as much.',
    mend: 'Schedule more requests, or raise client.gamma.shape. The rate that was really offered stands in every report.',
    check: rateByChance,
  },
  {
    id: 'ramp-of-nothing',
    title: 'The ramp has no rate',
    ...error,
    why: 'Both ends are relative to each other; where both are 0 there is nothing to scale to a rate.',
    mend: 'Give client.ramp.from or to a number above 0.',
    check: rampOfNothing,
  },
  {
    id: 'ramp-rises',
    title: 'The ramp rises',
    level: 'valid',
    severity: 'warning',
    why: 'Requests in flight are rate times latency. While the rate rises they do too, at any load: a point is never flat, and no capacity comes of it.',
    mend: 'Use a rising ramp to look at an engine, by replay. For a capacity choose poisson, or let the ramp fall.',
    check: risingRamp,
  },
  {
    id: 'trace-has-lengths',
    title: 'A trace is combined with what has lengths of its own',
    ...error,
    why: 'A trace says how long each prompt and answer is. Turns of a session grow by their history, and texts are as long as they are.',
    mend: 'Remove sessions and dataset, or draw the arrivals from another pattern.',
    check: traceHasLengths,
  },
  {
    id: 'concurrency-cap',
    title: 'Requests in flight are capped beside a rate',
    ...error,
    why: 'An open loop has no cap: one that waits for a place sends late just when the engine is slow, so that an overload hides itself.',
    mend: 'Remove it. Closed-loop points are asked for by sweep.saturation_concurrency, or replay --concurrency.',
    check: concurrencyCap,
  },
  {
    id: 'think-time-unused',
    title: 'A think time is given beside rates alone',
    level: 'valid',
    severity: 'warning',
    why: 'Open-loop requests are due by the schedule, whatever the ones before them do. Only a place of a closed loop stays empty for it.',
    mend: 'Remove client.closed_loop_think_seconds, or ask for a closed loop by sweep.saturation_concurrency (or replay --concurrency). Turns of a session have session.think_seconds.',
    check: thinkTimeUnused,
  },
]
