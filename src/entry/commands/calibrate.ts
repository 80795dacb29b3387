import { calibrate } from '../../app/calibrate.ts'
import type { Calibrated } from '../../app/calibrate.ts'
import { neededMilliRps } from '../../core/capacity/calibration-rate.ts'
import { milliRps } from '../../core/capacity/guard-rate.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { plainText } from '../../core/report/escape.ts'
import type { Calibration, ErrorSpread } from '../../core/telemetry/calibration.ts'
import { ceilingOf } from '../../core/telemetry/calibration.ts'
import { isFit } from '../../core/telemetry/calibration-evidence.ts'
import type { CalibrationNeed } from '../../core/telemetry/calibration-need.ts'
import { calibrationNeed, neededEventsPerSecond, PLAIN_NEED } from '../../core/telemetry/calibration-need.ts'
import { composeCalibration } from '../calibrator.ts'
import type { AddCommand, Desk } from '../command.ts'
import { example, positiveNumber } from '../command.ts'
import { interruptible } from '../interruptible.ts'
import { readManifestFile } from '../read-inputs.ts'

/** Asked of no manifest. */
const PLAIN_RPS = 100

export const addCalibrate: AddCommand = (program, desk) => {
  program
    .command('calibrate')
    .description(
      "Measure the client's own error, send lag and ceiling on this machine, at the rate that a manifest needs.",
    )
    .argument('[manifest]', 'the workload-manifest.yaml; without it, answers of 64 tokens')
    .option('--rate <r>', 'requests a second; by default the highest that the manifest asks for', positiveNumber)
    .addHelpText(
      'after',
      example('capacity-gate calibrate workload-manifest.yaml', 'capacity-gate calibrate --rate 200'),
    )
    .action((path: string | undefined, options: { rate?: number }) => calibrateCommand(desk, path, options.rate))
}

async function calibrateCommand({ inputs, finish }: Desk, path: string | undefined, rate?: number): Promise<void> {
  const manifest = path === undefined ? null : (await readManifestFile(path, 'valid')).manifest
  const need = needOf(manifest, rate === undefined ? null : milliRps(rate))
  await interruptible(async (signal) => {
    using effects = composeCalibration(inputs)
    const calibrated = await calibrate(effects, { manifest, need, earlier: null, useKept: false }, signal)
    const { file, evidence } = calibrated
    const fit = isFit(evidence)
    finish({
      exitCode: fit ? EXIT.ok : EXIT.invalid,
      text: calibrationText(calibrated, need, fit),
      json: { fit, evidence, ...(file.made ? { ceiling: ceilingOf(file) } : {}), calibration: file },
    })
  })
}

function needOf(manifest: Manifest | null, asked: number | null): CalibrationNeed {
  if (manifest === null) return { ...PLAIN_NEED, milliRps: asked ?? milliRps(PLAIN_RPS) }
  const highest = asked ?? neededMilliRps(manifest, null, null)
  if (highest !== null) return calibrationNeed(manifest, highest)
  throw new GateError({
    code: 'rate_missing',
    message: 'the manifest declares no rate: neither sweep.rates_rps nor acceptance.min_capacity_rps',
    hint: 'name one: --rate R',
    exitCode: EXIT.usage,
  })
}

function calibrationText({ file, evidence }: Calibrated, need: CalibrationNeed, fit: boolean): string {
  const rps = need.milliRps / 1000
  const events = Math.round(neededEventsPerSecond(need))
  return [
    `${fit ? 'FIT' : 'NOT FIT'}: the client on this machine ${fit ? 'can' : 'cannot'} measure ${rps} requests/s, ${events} events/s`,
    ...(file.made ? measuredLines(file) : []),
    ...evidence.map(({ probe, state, text }) => `  ${state}: ${probe}: ${plainText(text ?? '', 500)}`),
  ].join('\n')
}

function measuredLines(calibration: Calibration): string[] {
  const { client, seconds, attempt, paced, heavy, errors } = calibration
  const { eventsPerSecond, from } = ceilingOf(calibration)
  const how =
    from === 'cpu'
      ? `${heavy.cpuUsPerEvent} µs of CPU an event at ${Math.round(heavy.eventsPerSecond)} events/s`
      : 'reached, and fell behind'
  return [
    `  ${plainText(client.cpuModel, 200)}, ${client.cores} cores, kernel ${plainText(client.kernel, 100)}, Node ${plainText(client.node, 40)}, client ${client.clientSha256.slice(0, 12)}`,
    `  paced at ${paced.requestsPerSecond} requests/s, ${paced.eventsPerSecond} events/s: ${paced.cpuUsPerEvent} µs of CPU an event, polling included`,
    `  error of TTFT ${spreadText(errors.ttft)}; of E2E ${spreadText(errors.e2e)}; of their difference ${spreadText(errors.decode)}`,
    `  send lag ${spreadText(errors.sendLag)}; n ${errors.ttft.n}`,
    `  ceiling ${Math.round(eventsPerSecond)} events/s: ${how}`,
    `  measured in ${seconds} s${attempt > 1 ? `, attempt ${attempt}` : ''}`,
  ]
}

function spreadText({ p50Us, p99Us }: ErrorSpread): string {
  return `p50 ${p50Us / 1000} ms, p99 ${p99Us / 1000} ms`
}
