import { EXIT, GateError } from '../kernel/errors.ts'
import { parseDecimal } from '../record/decimal.ts'
import { quoted } from '../record/refusal.ts'
import { SHORTEST_SECONDS } from './rates.ts'

/** @throws GateError `usage`, exit 64, for what is no finite number of seconds from a microsecond up. */
export function parseDurationSeconds(text: string): number {
  const seconds = parseDecimal(text)
  if (Number.isFinite(seconds) && seconds >= SHORTEST_SECONDS) return seconds
  throw new GateError({
    code: 'usage',
    message: `the duration ${quoted(text)} is no number of seconds above 0`,
    hint: 'give the whole cohort’s duration with its drain, such as 303.145',
    exitCode: EXIT.usage,
  })
}

/** @throws GateError `usage`, exit 64: who judges a file by hand must know the trend. */
export function parseQueueTrend(text: string): 'flat' | 'growing' {
  if (text === 'flat' || text === 'growing') return text
  throw new GateError({
    code: 'usage',
    message: `the queue trend ${quoted(text)} is neither flat nor growing`,
    hint: 'say flat only where the client’s backlog and the engine’s queue both show no growth',
    exitCode: EXIT.usage,
  })
}
