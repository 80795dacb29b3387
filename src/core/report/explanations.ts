import { isDecisive, openMilliRps } from '../capacity/by-rate.ts'
import type { CapacityRecord, PointReport } from '../capacity/record.ts'
import type { StateVerdict } from '../gate/verdict.ts'
import { NONE, plainNumber, signedPercent } from './numbers.ts'
import { columns, cut, table } from './table.ts'

/** A fact beside the capacity that may explain it, at the baseline's point and at the candidate's; null where it is not known. */
interface Fact {
  title: string
  was: number | null
  is: number | null
}

/** Probes whose value says how the engine or the machine fared, and how each is called. */
const PROBES: ReadonlyMap<string, string> = new Map([
  ['stability.preemptions', 'preemptions'],
  ['stability.kv_usage', 'KV in use at most, share'],
  ['host.clocks', 'median SM clock, MHz'],
  ['host.power_cap', 'held by the power cap, share'],
  ['host.slowdown', 'hardware slowdowns'],
  ['host.gpu_processes', 'other processes on the GPUs'],
  ['client.send_lag', 'send lag P99, ms'],
])
/** A smaller change explains nothing. */
const CHANGE_MIN = 0.001

/**
 * What differs beside the capacity between the two points that the deltas compare: hit rate, KV, preemptions, clocks, the GPUs' state,
 * tokens a chunk. The largest change stands first. It explains, and decides nothing.
 */
export function explanationSection(
  state: StateVerdict,
  record: CapacityRecord,
  baseline: CapacityRecord | null,
  max: number,
): string[] {
  const { deltaRates, cache } = state
  if (max === 0 || baseline === null || deltaRates === null) return []
  const was = pointAt(baseline, cache, deltaRates.baseMilliRps)
  const is = pointAt(record, cache, deltaRates.nowMilliRps)
  if (was === undefined || is === undefined) return []
  const facts = factsOf(was, baseline).map(({ title, value }, index): Fact => {
    return { title, was: value, is: factsOf(is, record)[index]?.value ?? null }
  })
  const changed = facts.filter((fact) => changeOf(fact) >= CHANGE_MIN).toSorted((a, b) => changeOf(b) - changeOf(a))
  const unknown = facts
    .filter((fact) => fact.was === null || fact.is === null)
    .map(({ title }) => title.split(',', 1)[0])
  const { shown, rest } = cut(changed, max, 'changes')
  const rows = shown.map((fact) => [fact.title, numberText(fact.was), numberText(fact.is), changeText(fact)])
  const lacking = unknown.length === 0 ? '' : `Not known of both: ${unknown.join(', ')}.`
  if (rows.length === 0) return [`Nothing else that is known changed. ${lacking}`.trim()]
  return [
    'What else changed, the largest first; it explains and decides nothing:',
    table(columns('what', 'baseline:', 'now:', 'Δ %:'), rows),
    rest,
    lacking,
  ]
}

function pointAt(record: CapacityRecord, cache: string, rate: number): PointReport | undefined {
  const result = record.capacity.find((item) => item.cache === cache)
  return result?.points.findLast((point) => openMilliRps(point) === rate && isDecisive(point))
}

function factsOf(point: PointReport, record: CapacityRecord): { title: string; value: number | null }[] {
  const { slo } = point
  const boot = record.boots.find(({ deployId }) => deployId === point.deployId)
  const hits = slo.cached_tokens === null || !slo.input_tokens ? null : slo.cached_tokens / slo.input_tokens
  return [
    { title: 'prompt tokens from the cache, share', value: hits },
    { title: 'KV size, tokens', value: boot?.kvTokens ?? null },
    { title: 'tokens a chunk', value: tokensPerChunk(point) },
    ...[...PROBES].map(([probe, title]) => ({
      title,
      value: point.evidence.findLast((item) => item.probe === probe)?.value ?? null,
    })),
  ]
}

/** Over all classes, each weighed by its chunks. */
function tokensPerChunk({ slo }: PointReport): number | null {
  let [tokens, chunks] = [0, 0]
  for (const { tokens_per_chunk: told } of Object.values(slo.classes)) {
    if (!told || told.mean === null) continue
    tokens += told.mean * told.n
    chunks += told.n
  }
  return chunks === 0 ? null : tokens / chunks
}

/** The share by which a fact changed; from nothing to something is the largest change there is. */
function changeOf({ was, is }: Fact): number {
  if (was === null || is === null || was === is) return 0
  return was === 0 ? Infinity : Math.abs((is - was) / was)
}

function changeText({ was, is }: Fact): string {
  return was === null || is === null || was === 0 ? NONE : signedPercent((is - was) / was)
}

function numberText(value: number | null): string {
  return value === null ? NONE : plainNumber(value)
}
