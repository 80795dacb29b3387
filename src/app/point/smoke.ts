import type { Evidence } from '../../core/kernel/evidence.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { RequestRecord } from '../../core/record/record.ts'
import type { ScheduleRow } from '../../core/schedule/schedule.ts'
import { requestId } from '../../core/schedule/schedule.ts'
import type { Effects } from '../context.ts'
import type { Deployment, Replica } from '../ports/engine.ts'
import type { RequestShape } from '../ports/replay.ts'

const TRIES = 3
/** Keeps the ids of a replica's tries apart from those of other replicas. */
const TRY_STRIDE = 1000

/**
 * An answer without usage and without token ids: the engine cannot be measured at all, so nothing may be concluded from it. Every
 * other failure is the engine's.
 */
const INSUFFICIENT = new Set(['usage_missing'])

/**
 * One request to each replica before any load: proves that the parser reads the stream and that tokens are counted by the engine.
 *
 * @returns `tokens.smoke` for each replica: pass; fail blaming the host (insufficient evidence: the point is invalid); or, after
 * three failed tries, fail blaming the engine.
 */
export async function smoke(
  effects: Effects,
  deployment: Deployment,
  shape: RequestShape,
  signal: AbortSignal,
): Promise<Evidence[]> {
  return Promise.all(deployment.replicas.map((target) => smokeReplica(effects, target, shape, signal)))
}

async function smokeReplica(
  effects: Effects,
  target: Replica,
  shape: RequestShape,
  signal: AbortSignal,
): Promise<Evidence> {
  const evidence = { probe: 'tokens.smoke', required: true } as const
  let last: RequestRecord | null = null
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const row = probeRow(shape, 's', target.index + attempt * TRY_STRIDE)
    last = await effects.replay.send(shape, target, row, signal)
    if (last.status === 'ok') {
      const text = `replica ${target.index} answered ${last.outputTokens} tokens in ${last.chunks} chunks`
      return { ...evidence, state: 'pass', blames: 'engine', text }
    }
    if (last.errorCode !== null && INSUFFICIENT.has(last.errorCode)) {
      const text = `insufficient evidence: replica ${target.index} tells neither usage nor token ids`
      return { ...evidence, state: 'fail', blames: 'host', text }
    }
  }
  const text = `replica ${target.index} failed ${TRIES} single requests before any load: ${last?.errorCode ?? last?.status}`
  return { ...evidence, state: 'fail', blames: 'engine', text }
}

/** A request outside any cohort: the class with the fewest tokens, with an id of its own kind so that its prompt is nobody else's. */
export function probeRow(shape: RequestShape, kind: 's' | 'q', number: number): ScheduleRow {
  const smallest = cheapestClass(shape.manifest)
  return {
    id: requestId(kind, number + 1),
    class: smallest.name,
    offsetUs: 0,
    inputTokens: smallest.input_tokens,
    outputTokens: smallest.output_tokens,
  }
}

function cheapestClass(manifest: Manifest): Manifest['workload'][number] {
  return manifest.workload.reduce((best, next) =>
    next.input_tokens + next.output_tokens < best.input_tokens + best.output_tokens ? next : best,
  )
}
