import type { Dialect } from '../../core/dialect/dialect.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import { readMetric } from '../../core/telemetry/series.ts'
import type { Deployment, Replica } from '../ports/engine.ts'
import type { Effects } from '../context.ts'
import type { RequestShape } from '../ports/replay.ts'
import { exitNoticed } from './exit-notice.ts'
import { singleRequest, smallestRequest } from './single-request.ts'

const POLL_MS = 250
const DEADLINE_US = 30_000_000

/**
 * Sends one request to each replica, then waits until none runs or holds a request. The request comes first: after a mass abort an
 * engine's gauges freeze at their last value until its next step.
 *
 * @returns `stability.quiesce`: unknown where the dialect names no gauges. It says whether the next point may use this engine; where a
 * replica does not answer at all, it decides this point too.
 */
export async function quiesce(
  effects: Effects,
  deployment: Deployment,
  shape: RequestShape,
  signal: AbortSignal,
): Promise<Evidence> {
  const confirmed = await Promise.all(
    deployment.replicas.map((target) =>
      singleRequest(effects, shape, target, (number) => smallestRequest(shape.manifest, 'q', number), signal),
    ),
  )
  const dead = confirmed.find((record) => record.status !== 'ok')
  if (dead) {
    const text = `after the drain replica ${dead.replica} answered ${dead.errorCode ?? dead.status}`
    // Not idle yet is told; gone is a failure of the point, which no counter shows where the process is not ours.
    const isGone = dead.status !== 'rejected' && dead.errorCode !== 'client_resource'
    if (isGone) await exitNoticed(effects, deployment, signal)
    return { ...verdict('fail', text), required: isGone }
  }
  const gauges = await Promise.all(deployment.replicas.map((target) => idle(effects, target, shape.dialect, signal)))
  if (gauges.includes('busy')) return verdict('fail', 'requests still ran or waited 30 s after the drain')
  if (gauges.includes('unknown')) return verdict('unknown', 'the engine shows no gauge of running and waiting requests')
  return verdict('pass', 'one request a replica was answered, and running and waiting were zero after it')
}

async function idle(
  effects: Effects,
  target: Replica,
  dialect: Dialect,
  signal: AbortSignal,
): Promise<'idle' | 'busy' | 'unknown'> {
  const until = effects.clock.nowUs() + DEADLINE_US
  let last: 'busy' | 'unknown' = 'unknown'
  do {
    const line = await effects.metrics.scrape(target, dialect, effects.clock.nowUs(), signal)
    if (line.t === 'engine') {
      const load = runningAndWaiting(dialect, line.values)
      if (load === null) return 'unknown'
      if (load === 0) return 'idle'
      last = 'busy'
    }
    await effects.clock.sleep(POLL_MS, signal)
  } while (effects.clock.nowUs() < until)
  return last
}

function runningAndWaiting(dialect: Dialect, values: Record<string, number>): number | null {
  const sources = dialect.metrics?.sources
  if (!sources?.running || !sources.waiting) return null
  const running = readMetric(values, sources.running)
  const waiting = readMetric(values, sources.waiting)
  return running === null || waiting === null ? null : running + waiting
}

function verdict(state: Evidence['state'], text: string): Evidence {
  return { probe: 'stability.quiesce', state, required: false, blames: 'engine', text }
}
