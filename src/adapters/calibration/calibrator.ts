import type { Calibrator } from '../../app/ports/calibrator.ts'
import type { Clock } from '../../app/ports/clock.ts'
import type { Replay } from '../../app/ports/replay.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import type { Calibration, ErrorSpread } from '../../core/telemetry/calibration.ts'
import { NULL_STEP_MS } from '../../core/telemetry/calibration.ts'
import type { CalibrationNeed } from '../../core/telemetry/calibration-need.ts'
import { roundedNeed } from '../../core/telemetry/calibration-need.ts'
import { calibrationPlan } from '../../core/telemetry/calibration-plan.ts'
import { nearestRank } from '../../core/slo/percentile.ts'
import { clientIdentity } from './client-identity.ts'
import { keepCalibration, keptCalibration } from './kept-calibrations.ts'
import { startNullServer } from './null-server-process.ts'
import type { NullServerProcess } from './null-server-process.ts'
import { calibrationShape, nullForm } from './null-shape.ts'
import type { Observed, Phase } from './phase.ts'
import { heavyOrder, pacedOrder, runPhase } from './phase.ts'

export interface CalibratorInit {
  clock: Clock
  /** The load generator that will measure. */
  replay: Replay
  /** The null server's program. */
  serverPath: string
  /** Where the state folder is made; the system's own place by default. */
  stateParent?: string
}

/** Calibrates the client of this process on this machine. */
export function localCalibrator(init: CalibratorInit): Calibrator {
  const { clock, serverPath, stateParent } = init
  const identity = () => clientIdentity(serverPath)
  return {
    identity,
    kept: async (need) => keptCalibration(await identity(), need, clock.wallTime(), stateParent),
    keep: (calibration) => keepCalibration(calibration, stateParent),
    async measure(need, signal) {
      const startUs = clock.nowUs()
      const measuredAt = clock.wallTime()
      const measured = await againstNullServer(init, roundedNeed(need), signal)
      const seconds = Math.round((clock.nowUs() - startUs) / 1000) / 1000
      return { schema: 1, made: true, client: await identity(), measuredAt, seconds, attempt: 1, ...measured }
    },
  }
}

type Measured = Pick<Calibration, 'need' | 'paced' | 'errors' | 'heavy'>

async function againstNullServer(init: CalibratorInit, need: CalibrationNeed, signal: AbortSignal): Promise<Measured> {
  const plan = { stepMs: NULL_STEP_MS, form: nullForm(need) }
  await using server = await startNullServer(init.serverPath, plan).catch((error: Error) => {
    throw failed(`the null server could not be started: ${error.message}`, error)
  })
  const shape = calibrationShape(need)
  const { paced, heavy } = calibrationPlan(need)
  const phase = async (makeOrder: (originUs: number) => Phase): Promise<Observed> => {
    const observed = await runPhase(init, server, makeOrder, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      throw failed(`the null server failed: ${server.ended ?? String(error)}`, error)
    })
    requireAll(observed, server)
    return observed
  }
  const target = { index: 0, url: server.url }
  const first = await phase((originUs) => pacedOrder(shape, target, paced, originUs))
  const second = await phase((originUs) => heavyOrder(shape, target, heavy, originUs))
  return { need, paced: pacedFacts(first), errors: errorsOf(first), heavy: heavyFacts(second) }
}

/** The null server refuses nothing: a request that it lacks, or that was not answered, was lost by this machine. */
function requireAll({ pairs, lost, errorCodes }: Observed, server: NullServerProcess): void {
  if (lost === 0 && pairs.length > 0) return
  const codes = [...new Set(errorCodes)].slice(0, 3).join(', ')
  const cause = server.ended === null ? '' : `; the null server: ${server.ended}`
  throw failed(`${lost} of ${pairs.length + lost} requests to the null server failed (${codes})${cause}`)
}

function pacedFacts({ pairs, cpuUs, events }: Observed): Calibration['paced'] {
  const seconds = secondsOf(pairs.map(({ record }) => record.sentUs ?? 0))
  const tokens = pairs.reduce((sum, { truth }) => sum + truth.tokens, 0)
  return {
    requestsPerSecond: rounded(pairs.length / seconds),
    eventsPerSecond: rounded(tokens / seconds),
    cpuUsPerEvent: rounded(cpuUs / events),
  }
}

function heavyFacts({ pairs, cpuUs, events, originUs }: Observed): Calibration['heavy'] {
  const seconds = secondsOf(pairs.flatMap(({ truth }) => [truth.receivedUs, truth.lastUs]))
  const tokens = pairs.reduce((sum, { truth }) => sum + truth.tokens, 0)
  const delays = pairs.map(({ record, truth }) => originUs + (record.lastTokenUs ?? 0) - truth.lastUs)
  return {
    eventsPerSecond: rounded(tokens / seconds),
    cpuUsPerEvent: rounded(cpuUs / events),
    readDelayP50Us: spread(delays).p50Us,
  }
}

/** Reported less true, of every request. */
function errorsOf({ pairs }: Observed): Calibration['errors'] {
  const errors = pairs.map(({ record, truth }) => {
    const { dueUs, sentUs, firstTokenUs, lastTokenUs } = record
    const ttft = (firstTokenUs ?? 0) - (sentUs ?? 0) - (truth.firstUs - truth.receivedUs)
    const e2e = (lastTokenUs ?? 0) - (sentUs ?? 0) - (truth.lastUs - truth.receivedUs)
    return { ttft, e2e, decode: e2e - ttft, sendLag: (sentUs ?? 0) - dueUs }
  })
  return {
    ttft: spread(errors.map(({ ttft }) => ttft)),
    e2e: spread(errors.map(({ e2e }) => e2e)),
    decode: spread(errors.map(({ decode }) => decode)),
    sendLag: spread(errors.map(({ sendLag }) => sendLag)),
  }
}

function spread(valuesUs: readonly number[]): ErrorSpread {
  const ascending = Float64Array.from(valuesUs, Math.abs).sort()
  const at = (share: number): number => Math.round(nearestRank(ascending, share) ?? 0)
  return { p50Us: at(0.5), p99Us: at(0.99), n: ascending.length }
}

function secondsOf(timesUs: readonly number[]): number {
  const [least, most] = timesUs.reduce(([low, high], us) => [Math.min(low, us), Math.max(high, us)], [Infinity, 0])
  return Math.max(1, most - least) / 1e6
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

function failed(message: string, cause?: unknown): GateError {
  return new GateError({
    code: 'calibration_failed',
    message,
    hint: 'see that this machine lets the client start a process of its own and reach it on 127.0.0.1',
    exitCode: EXIT.invalid,
    ...(cause === undefined ? {} : { cause }),
  })
}
