import type { CapacityRecord } from '../capacity/record.ts'
import type { StateVerdict } from '../gate/verdict.ts'
import { markdownInk, markdownText } from './escape.ts'
import { hitShare, probed, tokensPerChunk } from './explain/cause.ts'
import type { Figure, Side } from './explain/cause.ts'
import { comparedSides, explain } from './explain/explain.ts'
import { figuresText, lossText, NOTHING_STANDS_OUT, restText } from './explain/wording.ts'
import { NONE, percent, plainNumber, signedPercent } from './numbers.ts'
import { columns, cut, table } from './table.ts'

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
 * Why a state's point is worse than the baseline's at the rates that the deltas compare: the causes by what they account for, then whatever
 * else differs beside the capacity. It explains, and decides nothing.
 */
export function explanationSection(
  state: StateVerdict,
  record: CapacityRecord,
  baseline: CapacityRecord | null,
  max: number,
): string[] {
  const sides = comparedSides(state, record, baseline)
  return max === 0 || sides === null ? [] : [...causeSection(sides, max), ...changeSection(sides, max)]
}

function causeSection(sides: { was: Side; is: Side }, max: number): string[] {
  const explanation = explain(sides)
  const { parts, causes } = explanation
  if (parts.length === 0) return []
  const { shown, rest } = cut(causes, max, 'causes')
  const rows = shown.map((cause) => [
    markdownText(cause.title),
    percent(cause.share),
    cause.basis,
    markdownText(figuresText(cause), 300),
  ])
  const heads = columns('cause', 'of the loss %:', 'known', 'baseline → now')
  return [
    `**Why it fell.** ${lossText(explanation, markdownInk)}`,
    causes.length === 0 ? NOTHING_STANDS_OUT : table(heads, rows),
    rest,
    restText(explanation),
  ]
}

function changeSection({ was, is }: { was: Side; is: Side }, max: number): string[] {
  const now = factsOf(is)
  const facts = factsOf(was).map(({ title, value }, index): Figure => {
    return { title, was: value, is: now[index]?.value ?? null }
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

function factsOf(side: Side): { title: string; value: number | null }[] {
  const { work } = side.point
  return [
    { title: 'prompt tokens from the cache, share', value: hitShare(side) },
    { title: 'KV size, tokens', value: side.boot?.kvTokens ?? null },
    { title: 'tokens a chunk', value: tokensPerChunk(side) },
    ...[...PROBES].map(([probe, title]) => ({ title, value: probed(side, probe) })),
    ...(work === undefined
      ? []
      : [
          { title: 'queue wait at the engine, ms', value: work.queueWaitMs },
          { title: 'sequences decoded together', value: work.batch },
          { title: 'most requests running at a replica', value: work.runningMax },
        ]),
  ]
}

/** The share by which a fact changed; from nothing to something is the largest change there is. */
function changeOf({ was, is }: Figure): number {
  if (was === null || is === null || was === is) return 0
  return was === 0 ? Infinity : Math.abs((is - was) / was)
}

function changeText({ was, is }: Figure): string {
  return was === null || is === null || was === 0 ? NONE : signedPercent((is - was) / was)
}

function numberText(value: number | null): string {
  return value === null ? NONE : plainNumber(value)
}
