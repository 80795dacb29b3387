import { EXIT, GateError } from '../../core/kernel/errors.ts'

/** A cancelled job gets 7.5 s between the first signal and the second. */
const CLEANUP_BUDGET_MS = 7500
/** A terminal and a wrapper may both pass on one Ctrl-C. */
const SAME_SIGNAL_MS = 300

const CAUGHT = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Caught = (typeof CAUGHT)[number]

/** Where signals come from; `process`, or a test's emitter. */
interface SignalSource {
  on(signal: Caught, listener: () => void): unknown
  off(signal: Caught, listener: () => void): unknown
}

export interface Interruption extends Disposable {
  /** Aborted at the first signal with a GateError `interrupted`, whose exit code is 130 or 143. */
  readonly signal: AbortSignal
}

export interface InterruptionOptions {
  source?: SignalSource
  /** Ends the process at once: at a second signal, or when the clean-up took longer than its budget. Default: process.exit. */
  force?: (exitCode: number) => void
  nowMs?: () => number
  cleanupBudgetMs?: number
  /** How to go on. Default: run it again. */
  hint?: string
}

/**
 * Turns SIGINT, SIGTERM and SIGHUP into an aborted signal, so that everything is stopped and removed on the ordinary way out. What still
 * stands when the process is forced to end is killed by `spawnGroup`'s own exit hook.
 */
export function catchInterruptions(options: InterruptionOptions = {}): Interruption {
  const source = options.source ?? process
  const force = options.force ?? ((exitCode: number) => process.exit(exitCode))
  const nowMs = options.nowMs ?? (() => performance.now())
  const controller = new AbortController()
  let firstAtMs = 0
  let budget: NodeJS.Timeout | undefined
  const exitCode = { value: EXIT.sigint as number }

  const interrupt = (signal: Caught) => {
    if (controller.signal.aborted) {
      if (nowMs() - firstAtMs > SAME_SIGNAL_MS) force(exitCode.value)
      return
    }
    firstAtMs = nowMs()
    const error = interrupted(signal, options.hint ?? 'run it again')
    exitCode.value = error.exitCode
    budget = setTimeout(() => force(exitCode.value), options.cleanupBudgetMs ?? CLEANUP_BUDGET_MS)
    budget.unref()
    controller.abort(error)
  }
  const listeners = CAUGHT.map((signal) => [signal, () => interrupt(signal)] as const)
  for (const [signal, listener] of listeners) source.on(signal, listener)
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(budget)
      for (const [signal, listener] of listeners) source.off(signal, listener)
    },
  }
}

function interrupted(signal: Caught, hint: string): GateError {
  return new GateError({
    code: 'interrupted',
    message: `interrupted by ${signal}`,
    hint,
    exitCode: signal === 'SIGINT' ? EXIT.sigint : EXIT.sigterm,
  })
}
