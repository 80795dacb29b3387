import { showNumber, showValue, type Breach } from '../finding.ts'
import { isMapping } from '../schema-walk.ts'
import type { Rule, RuleInput } from './rule.ts'

type Flat = Readonly<Record<string, unknown>>

/** Keys of the flat configurations that load tools take: a number comes out, and no evidence. */
const HALLMARKS = [
  'load_mode',
  'concurrency',
  'request_count',
  'num_requests',
  'num_prompts',
  'prompts',
  'prefix_cache',
  'clear_cache_before_run',
  'warmup_requests',
  'report',
  'model_revision',
  'engine_version',
]
const SECTIONS = ['model', 'engine', 'client', 'workload', 'acceptance']
/** Fewer than these cannot show a tail: the worked example's floor for one class. */
const FEW_REQUESTS = 2000

/** Whether a document is such a configuration and no manifest at all: the schema's complaints about it would be noise. */
export function isFlatBenchmark(raw: unknown): raw is Flat {
  if (!isMapping(raw)) return false
  const hallmarks = HALLMARKS.filter((key) => Object.hasOwn(raw, key))
  return hallmarks.length >= 3 && !SECTIONS.some((key) => typeof raw[key] === 'object' && raw[key] !== null)
}

function onFlat(check: (flat: Flat) => Breach[]): (input: RuleInput) => Breach[] {
  return ({ raw }) => (isFlatBenchmark(raw) ? check(raw) : [])
}

/** The first of some keys that the document has; the document itself where it has none. */
function at(flat: Flat, ...keys: string[]): Pick<Breach, 'path' | 'at'> {
  const key = keys.find((name) => Object.hasOwn(flat, name))
  return key === undefined ? { path: [] } : { path: [key], at: 'key' }
}

function words(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value])
    .filter((word) => typeof word === 'string')
    .map((word) => word.toLowerCase())
}

function concurrencyOnly(flat: Flat): Breach[] {
  const hasRate = ['request_rate', 'rate', 'rates', 'rates_rps', 'rate_rps'].some((key) => Object.hasOwn(flat, key))
  const isClosed =
    words(flat['load_mode']).some((mode) => /concurrency|closed/.test(mode)) || Object.hasOwn(flat, 'concurrency')
  if (!isClosed || hasRate) return []
  return [
    {
      ...at(flat, 'load_mode', 'concurrency'),
      message: 'traffic is bounded by concurrency only: it slows down with the engine, and tests no arrival rate',
    },
  ]
}

function tooFew(flat: Flat): Breach[] {
  const place = at(flat, 'request_count', 'num_requests', 'num_prompts')
  const count = flat[String(place.path[0] ?? '')]
  if (typeof count === 'number' && count >= FEW_REQUESTS) return []
  const what = typeof count === 'number' ? `${showNumber(count)} requests` : 'an unstated number of requests'
  return [{ ...place, message: `${what} give almost no evidence of the tail` }]
}

function mixedCache(flat: Flat): Breach[] {
  const repeats = words(flat['prompts']).some((prompt) => /repeat|same|single|identical/.test(prompt))
  const isUncleared = flat['clear_cache_before_run'] === false && flat['prefix_cache'] !== 'disabled'
  if (!repeats && !isUncleared) return []
  const what = [...(repeats ? ['repeated prompts'] : []), ...(isUncleared ? ['a cache that is not cleared'] : [])].join(
    ' and ',
  )
  return [
    {
      ...at(flat, 'prompts', 'clear_cache_before_run', 'prefix_cache'),
      message: `${what} mix cold and warm states into one number`,
    },
  ]
}

function meansOnly(flat: Flat): Breach[] {
  const report = words(flat['report'])
  const isTold =
    report.some((name) => /class/.test(name)) && report.some((name) => /^p\d\d|attainment|percentile/.test(name))
  if (isTold) return []
  const what = report.some((name) => /mean|avg|average/.test(name)) ? 'means hide' : 'what is reported hides'
  return [{ ...at(flat, 'report'), message: `${what} the tail, and the failure of a single class` }]
}

const TOLD = [
  ['errors', /error|fail|reject/],
  ['queue growth', /queue|waiting/],
  ['cancellations', /cancel|abort/],
  ['cache state', /cache|hit/],
] as const

function failuresAbsent(flat: Flat): Breach[] {
  const report = words(flat['report'])
  const absent = TOLD.filter(([, pattern]) => !report.some((name) => pattern.test(name))).map(([name]) => name)
  if (absent.length === 0) return []
  return [{ ...at(flat, 'report'), message: `${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} not reported` }]
}

function mutableVersions(flat: Flat): Breach[] {
  const moving = Object.entries(flat).filter(
    ([key, value]) =>
      /revision|version|image/.test(key) &&
      /^(?:.*[:/])?(?:latest|main|master|nightly|head|dev|stable|edge)$/i.test(String(value)),
  )
  const first = moving[0]
  if (!first) return []
  const named = moving.map(([key, value]) => `${key} ${showValue(value)}`).join(' and ')
  return [{ path: [first[0]], at: 'key', message: `${named} can move: the run cannot be reproduced` }]
}

const error = { level: 'valid', severity: 'error' } as const

export const BROKEN_BENCHMARK_RULES: readonly Rule[] = [
  {
    id: 'benchmark-concurrency-only',
    title: 'Load is bounded by concurrency only',
    ...error,
    why: 'A closed loop issues work only when earlier work completes. As latency rises arrivals slow down, so that an overload never shows and no independent arrival rate is validated.',
    mend: 'Measure at offered rates (sweep.rates_rps); keep concurrency for finding saturation (sweep.saturation_concurrency).',
    check: onFlat(concurrencyOnly),
  },
  {
    id: 'benchmark-too-few-requests',
    title: 'Too few requests',
    ...error,
    why: 'Of a hundred requests one is the last percent: there is no tail to speak of, and none for each class.',
    mend: 'Schedule thousands, with a floor for each class: client.initial_scheduled_requests, acceptance.min_successful_samples_per_class.',
    check: onFlat(tooFew),
  },
  {
    id: 'benchmark-mixed-cache',
    title: 'Cold and warm cache are mixed',
    ...error,
    why: 'Repeated prompts hit the prefix cache more and more; without clearing it each run starts where the last one ended. The average of two states describes neither.',
    mend: 'Declare cache.cold and cache.warm, and measure them apart.',
    check: onFlat(mixedCache),
  },
  {
    id: 'benchmark-means-only',
    title: 'Only means are reported',
    ...error,
    why: 'A mean looks healthy while a tail, or a whole class of small volume, misses its target.',
    mend: 'Give each class of the workload its cutoffs, and judge the share of requests that meet them.',
    check: onFlat(meansOnly),
  },
  {
    id: 'benchmark-failures-absent',
    title: 'Failures are not reported',
    ...error,
    why: 'Throughput without errors, queue growth, cancellations and cache state counts work that nobody got.',
    mend: 'Keep a record of every request, and gate on errors and queue: acceptance.error_rate_max, acceptance.queue_trend_required.',
    check: onFlat(failuresAbsent),
  },
  {
    id: 'benchmark-mutable-versions',
    title: 'Versions can move',
    ...error,
    why: '`latest` is another engine tomorrow: the number cannot be reproduced, nor compared with another.',
    mend: 'Pin model.revision, model.tokenizer_revision and the engine exactly.',
    check: onFlat(mutableVersions),
  },
]
