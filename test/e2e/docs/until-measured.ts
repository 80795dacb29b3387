import { rmSync } from 'node:fs'
import { EXIT } from '../../../src/core/kernel/errors.ts'
import type { ShellEnd } from './shell-session.ts'

const ATTEMPTS = 3

/** How a run ends whose measurement a busy machine spoilt. */
const SPOILT: ReadonlySet<number> = new Set([EXIT.inconclusive, EXIT.invalid])

/**
 * Runs what measures into `target` again where it says itself that nothing can be said: on a busy machine that happens. A wrong verdict,
 * or a failure, is never asked for again.
 */
export async function untilMeasured(
  target: string,
  exitCodes: readonly number[],
  run: () => Promise<ShellEnd>,
): Promise<ShellEnd> {
  for (let attempt = 1; ; attempt += 1) {
    const end = await run()
    if (exitCodes.includes(end.code) || !SPOILT.has(end.code) || attempt === ATTEMPTS) return end
    rmSync(target, { recursive: true, force: true })
  }
}
