import type { Figure, Side } from './cause.ts'
import { hitShare, probed, tokensPerChunk } from './cause.ts'

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

/** What differs between two points beside their capacity; it explains and decides nothing. */
export interface Changes {
  /** The largest first. */
  changed: Figure[]
  /** What one of the two lacks: no zero stands for it. */
  unknown: string[]
}

export function changesOf({ was, is }: { was: Side; is: Side }): Changes {
  const now = factsOf(is)
  const facts = factsOf(was).map(({ title, value }, index): Figure => {
    return { title, was: value, is: now[index]?.value ?? null }
  })
  return {
    changed: facts.filter((fact) => amount(fact) >= CHANGE_MIN).toSorted((a, b) => amount(b) - amount(a)),
    unknown: facts
      .filter((fact) => fact.was === null || fact.is === null)
      .map(({ title }) => title.split(',', 1)[0] ?? title),
  }
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
function amount({ was, is }: Figure): number {
  if (was === null || is === null || was === is) return 0
  return was === 0 ? Infinity : Math.abs((is - was) / was)
}

/** What is said of the facts that changed, and of those that are not known of both points. */
export function changesText({ changed, unknown }: Changes): { head: string; lacking: string } {
  return {
    head:
      changed.length === 0
        ? 'Nothing else that is known changed.'
        : 'What else changed, the largest first; it explains and decides nothing:',
    lacking: unknown.length === 0 ? '' : `Not known of both: ${unknown.join(', ')}.`,
  }
}
