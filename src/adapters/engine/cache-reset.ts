import type { Clock } from '../../app/ports/clock.ts'
import type { DeployOrder, Replica } from '../../app/ports/engine.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import type { EngineControl, ResetOutcome } from './control.ts'

/** A refusal is asked again for this long: the last point's aborted requests may still be leaving the engine. */
const RETRY_FOR_MS = 5000
const RETRY_EVERY_MS = 200

/**
 * `cache_hit.reset` over all replicas, each addressed directly; the worst counts. It blames the host: a cache that could not be reset
 * makes a cold point invalid, and says nothing of the engine's speed. An engine that gives no answer at all is at fault itself.
 */
export async function resetEvidence(
  order: DeployOrder,
  replicas: readonly Replica[],
  control: EngineControl,
  clock: Clock,
  signal: AbortSignal,
): Promise<Evidence> {
  const outcomes = await Promise.all(replicas.map((replica) => resetOne(replica, control, clock, signal)))
  const worst = (['fail', 'unknown', 'pass'] as const).find((state) => outcomes.some((one) => one.state === state))
  const state = worst ?? 'unknown'
  const texts = outcomes.flatMap((one, index) => (one.state === state ? [`replica ${index}: ${one.text}`] : []))
  const required = order.manifest.acceptance.required_evidence.includes('cache_hit')
  const blames = outcomes.some((one) => one.isSilent) ? 'engine' : 'host'
  return { probe: 'cache_hit.reset', state, required, blames, text: texts.join('; ') }
}

async function resetOne(
  replica: Replica,
  control: EngineControl,
  clock: Clock,
  signal: AbortSignal,
): Promise<ResetOutcome> {
  const untilUs = clock.nowUs() + RETRY_FOR_MS * 1000
  for (;;) {
    const outcome = await control.reset(replica.url, signal)
    if (outcome.state !== 'fail' || clock.nowUs() + RETRY_EVERY_MS * 1000 > untilUs) return outcome
    await clock.sleep(RETRY_EVERY_MS, signal)
  }
}
