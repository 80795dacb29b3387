import type { Effects } from '../context.ts'
import type { Deployment } from '../ports/engine.ts'

const POLL_MS = 50
/** A daemon that has gone with its containers is asked for three seconds whether it comes back. */
const NOTICE_US = 5_000_000

/**
 * Waits until what ended an engine is among its events, five seconds at most: connections break before the process that held them is
 * reaped, or before the daemon tells who ended its container. Without it a fault of the host would be the engine's.
 */
export async function exitNoticed(
  { clock }: Pick<Effects, 'clock'>,
  deployment: Pick<Deployment, 'events'>,
  signal: AbortSignal,
): Promise<void> {
  const until = clock.nowUs() + NOTICE_US
  while (deployment.events().length === 0 && clock.nowUs() < until) await clock.sleep(POLL_MS, signal)
}
