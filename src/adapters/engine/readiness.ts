import type { Clock } from '../../app/ports/clock.ts'
import type { Replica } from '../../app/ports/engine.ts'
import { GateError } from '../../core/kernel/errors.ts'
import type { EngineControl, Told } from './control.ts'

export interface ReadyOrder {
  replica: Replica
  /** The declared model: what the first generation asks for. */
  modelId: string
  control: EngineControl
  clock: Clock
  /** On `Clock.nowUs`. */
  deadlineUs: number
  /** For the message: the deadline as the manifest gave it. */
  timeoutMs: number
}

/** A replica that is healthy and has generated once. */
export interface ReadyReplica {
  firstRequestMs: number
  models: Told<readonly string[]>
}

const FIRST_POLL_MS = 25
const SLOWEST_POLL_MS = 500

/**
 * Waits for one replica's health, then for one real generation, both under the deadline. Throws GateError `engine_not_ready` with what
 * it last answered, and the signal's reason.
 */
export async function waitUntilReady(order: ReadyOrder, signal: AbortSignal): Promise<ReadyReplica> {
  const { replica, control } = order
  await retry(order, signal, 'is not healthy', async () => {
    const ill = await control.ill(replica.url, signal)
    return ill === null ? { done: true } : { why: ill }
  })
  const models = await control.models(replica.url, signal)
  // What serves another model is found by its identity; it must still be seen to generate.
  const served = 'value' in models && !models.value.includes(order.modelId) ? models.value[0] : undefined
  const firstRequestMs = await retry(order, signal, 'does not generate', async () => {
    const leftMs = (order.deadlineUs - order.clock.nowUs()) / 1000
    const outcome = await control.generate(replica.url, served ?? order.modelId, Math.max(1, Math.ceil(leftMs)), signal)
    if ('ms' in outcome) return { done: outcome.ms }
    if (outcome.final) throw notReady(order, 'does not generate', outcome.why)
    return outcome
  })
  return { firstRequestMs, models }
}

async function retry<T>(
  order: ReadyOrder,
  signal: AbortSignal,
  what: string,
  attempt: () => Promise<{ done: T } | { why: string }>,
): Promise<T> {
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 1.5, SLOWEST_POLL_MS)) {
    const outcome = await attempt()
    if ('done' in outcome) return outcome.done
    if (order.clock.nowUs() + pollMs * 1000 >= order.deadlineUs) throw notReady(order, what, outcome.why)
    await order.clock.sleep(pollMs, signal)
  }
}

function notReady(order: ReadyOrder, what: string, why: string): GateError {
  const { index, url } = order.replica
  const within = `within ${order.timeoutMs / 1000} s`
  return new GateError({
    code: 'engine_not_ready',
    message: `replica ${index} at ${url} was not ready ${within}: it ${what}; it ${why}`,
    hint: 'see engine.log in the pack; raise ready_timeout_seconds if it only needs longer',
  })
}
