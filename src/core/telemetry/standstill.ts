import type { GapHistogram } from '../record/gaps.ts'
import type { RequestRecord } from '../record/record.ts'
import { rounded } from './rounded.ts'
import type { StepCost } from './step-cost.ts'
import { mostTogether } from './work-done.ts'
import type { DecodeWindow } from './work-done.ts'

/** Time in which an engine stood still: its share, and how long a request that comes must expect to wait for it. */
export interface Standstill {
  share: number
  waitMs: number
}

/** No step takes as long: three times the gaps' P95, or twice a step that computes the longest prompt (in tokens) at once. */
export function longestStepUs(
  cost: StepCost | null,
  windows: readonly DecodeWindow[],
  prompt: number,
  gaps: GapHistogram,
): number {
  const batch = windows.reduce((most, { batchTokens, tokens }) => Math.max(most, batchTokens / tokens), 0)
  const stepUs = cost === null ? 0 : cost.stepUs + cost.sequenceUs * batch + cost.prefillTokenUs * prompt
  return Math.max(3 * (gaps.percentileUs(0.95) ?? 0), 2 * stepUs)
}

/** Each replica's requests, and until when requests came. */
interface Watched {
  replicas: readonly (readonly RequestRecord[])[]
  untilUs: number
}

/**
 * Gaps between an answer's tokens that no step explains, as a share of all gaps, and time in which a replica had requests and sent no token of
 * any. What comes at any time falls into a gap by its length, and half of it is still to come: Σ gap² / 2 Σ gap.
 */
export function standstillOf(gaps: GapHistogram, longestUs: number, { replicas, untilUs }: Watched): Standstill | null {
  if (gaps.count === 0 || gaps.sumUs === 0) return null
  const usualUs = gaps.percentileUs(0.5) ?? 0
  let [idleUs, squares] = [0, 0]
  for (const [gapUs, count] of gaps.bins()) {
    if (gapUs <= longestUs) continue
    idleUs += count * (gapUs - usualUs)
    squares += count * gapUs * gapUs
  }
  const silentUs = replicas.flatMap((records) => silencesUs(records, longestUs))
  const watchedUs = Math.max(1, replicas.length * untilUs)
  const sum = (of: (us: number) => number) => silentUs.reduce((total, us) => total + of(us), 0)
  return {
    share: rounded(Math.min(1, idleUs / gaps.sumUs + sum((us) => us) / watchedUs)),
    waitMs: rounded((squares / (2 * gaps.sumUs) + sum((us) => us * us) / (2 * watchedUs)) / 1000),
  }
}

/**
 * Spans in which requests waited and none was decoded, longer than computing as many of their prompts as run at once, one after the other, and
 * than what any request waits for its first token: that a way is long is no standstill.
 */
function silencesUs(records: readonly RequestRecord[], longestUs: number): number[] {
  const turns: { atUs: number; waiting: number; decoding: number }[] = []
  let leastUs = Infinity
  for (const { sentUs, firstTokenUs, lastTokenUs } of records) {
    if (sentUs === null || firstTokenUs === null || lastTokenUs === null) continue
    leastUs = Math.min(leastUs, firstTokenUs - sentUs)
    turns.push({ atUs: sentUs, waiting: 1, decoding: 0 })
    turns.push({ atUs: firstTokenUs, waiting: -1, decoding: 1 })
    turns.push({ atUs: lastTokenUs, waiting: 0, decoding: -1 })
  }
  const roomFor = mostTogether(records)
  const silences: number[] = []
  let [waiting, decoding] = [0, 0]
  let fromUs: number | null = null
  for (const turn of turns.toSorted((a, b) => a.atUs - b.atUs)) {
    if (fromUs !== null && turn.decoding !== 0) {
      const us = turn.atUs - fromUs
      if (us > leastUs + longestUs * Math.min(waiting, roomFor)) silences.push(us - leastUs)
      fromUs = null
    }
    waiting += turn.waiting
    decoding += turn.decoding
    if (waiting > 0 && decoding === 0) fromUs ??= turn.atUs
  }
  return silences
}
