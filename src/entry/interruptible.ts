import { catchInterruptions } from '../adapters/system/signals.ts'

/**
 * Runs work that cleans up after itself when `signal` aborts. After a first SIGINT or SIGTERM whatever it threw on its way out is the
 * interruption.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  using interruption = catchInterruptions()
  const { signal } = interruption
  try {
    const result = await work(signal)
    signal.throwIfAborted()
    return result
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}
