import { isHtml } from '../../core/dialect/control-answers.ts'
import type { ControlAnswer } from '../../core/dialect/control-answers.ts'
import type { Dialect } from '../../core/dialect/dialect.ts'
import type { Surface } from '../../core/dialect/fit.ts'
import { surfacePaths } from '../../core/dialect/fit.ts'
import { parsePrometheus } from '../../core/telemetry/prometheus.ts'
import type { EngineProbe } from '../ports/engine-probe.ts'

const GET_DEADLINE_MS = 5000
const PLAIN_BYTES = 1024 * 1024
const METRICS_BYTES = 4 * 1024 * 1024

export interface Seen extends Surface {
  /** Why there was no answer, by path. */
  silences: ReadonlyMap<string, string>
}

/** Asks for every route that tells dialects apart, and for those of one dialect, all at once. */
export async function lookAt(probe: EngineProbe, own: Dialect | null, signal: AbortSignal): Promise<Seen> {
  const known = surfacePaths()
  const plain = new Set([...known.plain, ...(own ? [own.health.path, own.paths.models, ...placesOf(own)] : [])])
  const metrics = new Set([...known.metrics, ...(own?.paths.metrics ? [own.paths.metrics] : [])])
  const answers = new Map<string, ControlAnswer>()
  const silences = new Map<string, string>()
  const metricNames = new Map<string, ReadonlySet<string>>()
  await Promise.all(
    [...new Set([...plain, ...metrics])].map(async (path) => {
      const maximumBytes = metrics.has(path) ? METRICS_BYTES : PLAIN_BYTES
      const result = await probe.call({ method: 'GET', path, deadlineMs: GET_DEADLINE_MS, maximumBytes }, signal)
      if ('why' in result) return void silences.set(path, result.why)
      answers.set(path, result.answer)
      const names = metrics.has(path) ? namesOn(result.answer) : null
      if (names !== null) metricNames.set(path, names)
    }),
  )
  return { answers, silences, metricNames }
}

function placesOf({ version }: Dialect): string[] {
  return version.map(({ path }) => path)
}

/** The metrics page of one dialect, once more: some series come with the first request. Null where it has none or cannot be read. */
export async function metricNamesNow(
  probe: EngineProbe,
  dialect: Dialect,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> {
  const path = dialect.paths.metrics
  if (path === null) return null
  const call = { method: 'GET', path, deadlineMs: GET_DEADLINE_MS, maximumBytes: METRICS_BYTES } as const
  const result = await probe.call(call, signal)
  return 'why' in result ? null : namesOn(result.answer)
}

function namesOn(answer: ControlAnswer): ReadonlySet<string> | null {
  if (answer.status !== 200 || isHtml(answer)) return null
  try {
    return new Set(parsePrometheus(answer.text).map(({ name }) => name))
  } catch {
    return null
  }
}
