import { catchInterruptions } from '../adapters/system/signals.ts'

/**
 * Runs work that cleans up after itself when `signal` aborts. After a first SIGINT or SIGTERM whatever it threw on its way out is the
 * interruption, whose `hint` says how to go on; by default to run it again.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>, hint?: string): Promise<T> {
  using interruption = catchInterruptions(hint === undefined ? {} : { hint })
  const { signal } = interruption
  try {
    const result = await work(signal)
    signal.throwIfAborted()
    return result
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}
