import type { EngineWork } from '../../telemetry/engine-work.ts'
import type { StepCost } from '../../telemetry/step-cost.ts'
import type { Root, Side } from './cause.ts'
import { hitShare, probed, tokensPerChunk } from './cause.ts'

/** A fitted cost that rose by less is within what the fit can tell. */
const COST_RISE_MIN = 0.1
/**
 * Where only counters tell what came from a cache each answer is taken to have had the same share, and a point that was stopped early has few
 * answers: the fit tells less.
 */
const COST_RISE_MIN_COARSE = 0.25
const CLOCK_LOSS_MIN = 0.01
/** Clocks that explain this share of a rise explain it: the fit is no more exact. */
const CLOCK_COVER_MIN = 0.75
const COMPUTED_RISE_MIN = 0.02
const CHUNK_RISE_MIN = 0.05
const STANDSTILL_MIN = 0.01
const INTAKE_MIN_MS = 1

/** Both points' work, both fitted. */
interface Both {
  was: Side
  is: Side
  base: Known
  now: Known
}

type Known = EngineWork & { cost: StepCost; batch: number; prefillPerStep: number }

/** Slower prefill, slower decode, lower clocks, fewer hits, standstills, larger chunks, slower intake: what the requests' own times show. */
export function workRoots(was: Side, is: Side): Root[] {
  const [base, now] = [known(was.point.work), known(is.point.work)]
  const seen = [...standstillRoots(was, is), ...chunkRoots(was, is), ...intakeRoots(was, is)]
  if (base === null || now === null) return seen
  const both: Both = { was, is, base, now }
  return [...costRoots(both), ...hitRoots(both), ...seen]
}

function known(work: EngineWork | undefined): Known | null {
  if (!work?.cost || !work.batch || work.prefillPerStep === null) return null
  return { ...work, cost: work.cost, batch: work.batch, prefillPerStep: work.prefillPerStep }
}

/** Engine time in milliseconds that a request costs more → the share of a replica's time: what all its requests of a second cost. */
function loadOf({ point }: Side, busyMs: number): number {
  const replicas = Math.max(1, point.work?.replicas ?? 1)
  return (busyMs * point.slo.rates_rps.offered) / replicas / 1000
}

function costRoots({ was, is, base, now }: Both): Root[] {
  const isByAnswers = base.hitsTold === 'answers' && now.hitsTold === 'answers'
  const isWhole = !was.point.stoppedEarly && !is.point.stoppedEarly
  const riseMin = isByAnswers && isWhole ? COST_RISE_MIN : COST_RISE_MIN_COARSE
  const prefillUs = risen(base.cost.prefillTokenUs, now.cost.prefillTokenUs, riseMin)
  const stepUs = stepRiseUs(base, now, riseMin)
  const [clockWas, clockIs] = [probed(was, 'host.clocks'), probed(is, 'host.clocks')]
  const slowing = clockWas === null || !clockIs ? 0 : clockWas / clockIs - 1
  // What a clock that is so much lower explains of a cost that rose.
  const byClock = (riseUs: number, beforeUs: number) => {
    if (slowing < CLOCK_LOSS_MIN) return 0
    return beforeUs * slowing >= CLOCK_COVER_MIN * riseUs ? riseUs : beforeUs * slowing
  }
  const prefillByClock = byClock(prefillUs, base.cost.prefillTokenUs)
  const stepByClock = byClock(stepUs, stepAt(base.cost, base.batch))
  const prefill = { title: 'prefill, µs a token', was: base.cost.prefillTokenUs, is: now.cost.prefillTokenUs }
  const step = {
    title: 'decode step, ms',
    was: stepAt(base.cost, base.batch) / 1000,
    is: stepAt(now.cost, base.batch) / 1000,
  }
  const clocks = { title: 'median SM clock, MHz', was: clockWas, is: clockIs }
  const both: Both = { was, is, base, now }
  const rest = (riseUs: number, part: number, beforeUs: number) =>
    riseUs - part < riseMin * beforeUs ? 0 : riseUs - part
  const ofPrefill = rest(prefillUs, prefillByClock, base.cost.prefillTokenUs)
  const ofStep = rest(stepUs, stepByClock, stepAt(base.cost, base.batch))
  const roots: [Omit<Root, 'load' | 'ttftMs' | 'tpotMs'>, number, number][] = [
    [
      { id: 'clocks', title: 'lower GPU clocks', basis: 'inferred', figures: [clocks, prefill, step] },
      prefillByClock,
      stepByClock,
    ],
    [{ id: 'prefill', title: prefillTitle(both), basis: 'inferred', figures: [prefill] }, ofPrefill, 0],
    [{ id: 'decode', title: 'slower decode', basis: 'inferred', figures: [step] }, 0, ofStep],
  ]
  return roots.filter(([, a, b]) => a + b > 0).map(([root, a, b]) => ({ ...root, ...costs(both, a, b) }))
}

/** Whole prompts stand for what was computed of them where nobody tells: fewer hits then look like slower prefill. */
function prefillTitle({ base, now }: Both): string {
  const isTold = base.hitsTold !== null && now.hitsTold !== null
  return isTold ? 'slower prefill' : 'slower prefill, or fewer prompt tokens from a cache, which is not told'
}

/** What slower prefill (µs a prompt token) and slower steps (µs) do by themselves. */
function costs({ is, base, now }: Both, prefillUs: number, stepUs: number): Pick<Root, 'load' | 'ttftMs' | 'tpotMs'> {
  const { slo } = is.point
  const tokens = meanComputed(is, now)
  const answers = slo.output_tokens / Math.max(1, slo.successful)
  return {
    load: loadOf(is, (prefillUs * tokens + (stepUs * answers) / now.batch) / 1000),
    // The step in progress, half of it on average, and its own.
    ttftMs: (name) => (prefillUs * (ofClass(now, name) ?? tokens) + 1.5 * stepUs) / 1000,
    tpotMs: (prefillUs * base.prefillPerStep + stepUs) / 1000,
  }
}

function ofClass(work: EngineWork, name: string): number | undefined {
  return Object.hasOwn(work.computedTokens, name) ? work.computedTokens[name] : undefined
}

/** Over all classes, each weighed by the requests of one point: what another point computed is compared in the same mix. */
function meanComputed({ point }: Side, work: EngineWork): number {
  let [tokens, requests] = [0, 0]
  for (const [name, { attempted_count }] of Object.entries(point.slo.classes)) {
    const own = ofClass(work, name)
    if (own === undefined) continue
    tokens += own * attempted_count
    requests += attempted_count
  }
  return requests === 0 ? 0 : tokens / requests
}

function risen(was: number, is: number, riseMin: number): number {
  return was > 0 && is > was * (1 + riseMin) ? is - was : 0
}

function stepAt(cost: StepCost, batch: number): number {
  return cost.stepUs + cost.sequenceUs * batch
}

/**
 * At the baseline's batch and at the candidate's, whichever says less: a line fitted at one batch tells little at another. One that only turned
 * about a point between is the fit's doing, which takes slower prompts for larger batches: no engine becomes quicker for one sequence by that.
 */
function stepRiseUs(base: Known, now: Known, riseMin: number): number {
  if (stepAt(now.cost, 1) < stepAt(base.cost, 1)) return 0
  const rises = [base.batch, now.batch].map((batch) =>
    risen(stepAt(base.cost, batch), stepAt(now.cost, batch), riseMin),
  )
  return Math.min(...rises)
}

function hitRoots({ was, is, base, now }: Both): Root[] {
  const names = Object.keys(is.point.slo.classes)
  const more = (name: string) => Math.max(0, (ofClass(now, name) ?? 0) - (ofClass(base, name) ?? Infinity))
  const [tokensWas, tokensIs] = [meanComputed(is, base), meanComputed(is, now)]
  if (!names.some((name) => more(name) > 0) || tokensIs <= tokensWas * (1 + COMPUTED_RISE_MIN)) return []
  const added = tokensIs / tokensWas - 1
  return [
    {
      id: 'hit_rate',
      title: 'fewer prompt tokens from the cache',
      basis: 'seen',
      figures: [
        { title: 'prompt tokens from the cache, share', was: hitShare(was), is: hitShare(is) },
        { title: 'prompt tokens computed a request', was: tokensWas, is: tokensIs },
      ],
      load: loadOf(is, (base.cost.prefillTokenUs * (tokensIs - tokensWas)) / 1000),
      ttftMs: (name) => (base.cost.prefillTokenUs * more(name)) / 1000,
      tpotMs: (base.cost.prefillTokenUs * base.prefillPerStep * added) / 1000,
    },
  ]
}

function standstillRoots(was: Side, is: Side): Root[] {
  const [before, after] = [was.point.work?.standstill ?? null, is.point.work?.standstill ?? null]
  if (before === null || after === null) return []
  const share = after.share - before.share
  // An answer that was preempted stands still too.
  const isPreempted = (probed(is, 'stability.preemptions') ?? 0) > (probed(was, 'stability.preemptions') ?? 0)
  if (share < STANDSTILL_MIN || isPreempted) return []
  const waitMs = Math.max(0, after.waitMs - before.waitMs)
  return [
    {
      id: 'standstills',
      title: 'the engine stands still between steps',
      basis: 'inferred',
      figures: [
        { title: 'time between tokens in standstills, share', was: before.share, is: after.share },
        { title: 'wait for a standstill, ms', was: before.waitMs, is: after.waitMs },
      ],
      load: share,
      ttftMs: () => waitMs,
      tpotMs: tokenMs(is) * share,
    },
  ]
}

/** The classes' median TPOT, each weighed by its answers. */
function tokenMs({ point }: Side): number {
  let [sum, answers] = [0, 0]
  for (const { tpot_ms } of Object.values(point.slo.classes)) {
    if (tpot_ms.p50 === null) continue
    sum += tpot_ms.p50 * tpot_ms.n
    answers += tpot_ms.n
  }
  return answers === 0 ? 0 : sum / answers
}

function chunkRoots(was: Side, is: Side): Root[] {
  const figure = { title: 'tokens a chunk', was: tokensPerChunk(was), is: tokensPerChunk(is) }
  if (figure.was === null || figure.is === null || figure.is < figure.was + CHUNK_RISE_MIN) return []
  const addedMs = (figure.is - figure.was) * tokenMs(was)
  const title = 'more tokens in a chunk: the first waits for the last'
  return [{ id: 'chunks', title, basis: 'seen', figures: [figure], load: 0, ttftMs: () => addedMs, tpotMs: 0 }]
}

/** Where latency counts from the send it hides the intake, and nothing is lost by it. */
function intakeRoots(was: Side, is: Side): Root[] {
  const figure = {
    title: 'reading a request, ms',
    was: was.point.work?.intakeMs ?? null,
    is: is.point.work?.intakeMs ?? null,
  }
  if (figure.was === null || figure.is === null || is.point.slo.latency_origin !== 'due') return []
  const more = figure.is - figure.was
  if (more < INTAKE_MIN_MS) return []
  const title = 'the engine is slower to read requests'
  return [{ id: 'intake', title, basis: 'seen', figures: [figure], load: 0, ttftMs: () => more, tpotMs: 0 }]
}
