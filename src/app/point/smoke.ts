import type { Evidence } from '../../core/kernel/evidence.ts'
import type { Effects } from '../context.ts'
import type { Deployment, Replica } from '../ports/engine.ts'
import type { RequestShape } from '../ports/replay.ts'
import { singleRequest, TRIES } from './single-request.ts'

/**
 * One request to each replica before any load: proves that the parser reads the stream and that tokens are counted by the engine.
 *
 * @returns `tokens.smoke` for each replica: pass; fail blaming the host where the engine tells neither usage nor token ids
 * (insufficient evidence: the point is invalid); or fail blaming the engine.
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
  const record = await singleRequest(effects, shape, target, 's', signal)
  if (record.status === 'ok') {
    const text = `replica ${target.index} answered ${record.outputTokens} tokens in ${record.chunks} chunks`
    return { ...evidence, state: 'pass', blames: 'engine', text }
  }
  if (record.errorCode === 'usage_missing') {
    const text = `insufficient evidence: replica ${target.index} tells neither usage nor token ids`
    return { ...evidence, state: 'fail', blames: 'host', text }
  }
  const text = `replica ${target.index} failed ${TRIES} single requests before any load: ${record.errorCode ?? record.status}`
  return { ...evidence, state: 'fail', blames: 'engine', text }
}
