import { InvalidArgumentError, Option } from 'commander'
import { engineOrigin } from '../../adapters/system/engine-origin.ts'
import { replayPoint } from '../../app/replay-point.ts'
import { milliRps } from '../../core/capacity/guard-rate.ts'
import type { PointOutcome, PointReport } from '../../core/capacity/record.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import type { Cache, PointKey } from '../../core/kernel/point.ts'
import { pointName } from '../../core/kernel/point.ts'
import { quoted } from '../../core/record/refusal.ts'
import { plainText } from '../../core/report/escape.ts'
import { percent, rps } from '../../core/report/numbers.ts'
import type { AddCommand, Desk } from '../command.ts'
import { exactRate, example, wholeNumber } from '../command.ts'
import { composeEffects } from '../compose.ts'
import { interruptible } from '../interruptible.ts'
import { readManifestFile } from '../read-inputs.ts'

interface Options {
  endpoint: string[]
  rate?: number
  concurrency?: number
  cache: Cache
  pack: string
}

const EXIT_CODES: Record<PointOutcome, number> = {
  pass: EXIT.ok,
  fail: EXIT.regressed,
  undersampled: EXIT.inconclusive,
  unknown: EXIT.inconclusive,
  invalid: EXIT.invalid,
}

export const addReplay: AddCommand = (program, desk) => {
  program
    .command('replay')
    .description('Measure one point against an endpoint that is already up.')
    .argument('<manifest>', 'the workload-manifest.yaml')
    .addOption(
      new Option('--endpoint <url>', 'the engine’s origin; once for each replica')
        .argParser(addEndpoint)
        .makeOptionMandatory(),
    )
    .addOption(new Option('--rate <r>', 'open loop: requests a second').argParser(exactRate))
    .addOption(
      new Option('--concurrency <n>', 'closed loop: requests in flight').argParser(wholeNumber).conflicts('rate'),
    )
    .addOption(new Option('--cache <state>', 'the cache state').choices(['cold', 'warm']).makeOptionMandatory())
    .requiredOption('--pack <dir>', 'the folder for what the point leaves')
    .addHelpText(
      'after',
      example(
        'capacity-gate replay workload-manifest.yaml --endpoint http://127.0.0.1:8000 --rate 20 --cache cold --pack pack',
      ),
    )
    .action((path: string, options: Options) => replayCommand(desk, path, options))
}

async function replayCommand({ inputs, note, finish }: Desk, path: string, options: Options): Promise<void> {
  const { endpoint: endpoints, pack: packFolder, cache, rate } = options
  const key: PointKey = { cache, load: loadOf(options), repeat: 1 }
  const { manifest, text: manifestText } = await readManifestFile(path, 'valid')
  if (rate !== undefined && manifest.client.closed_loop_think_seconds > 0) {
    note('client.closed_loop_think_seconds does nothing to a rate: requests are sent when they are due')
  }
  await interruptible(async (signal) => {
    await using composed = await composeEffects(inputs, { packFolder, manifest, manifestPath: path, endpoints })
    const point = await replayPoint(composed.effects, { manifest, manifestText, key }, signal)
    const text = `${pointText(point)}\npack: ${plainText(packFolder, 1000)}`
    finish({ exitCode: EXIT_CODES[point.outcome], text, json: point })
  })
}

function loadOf({ rate, concurrency }: Options): PointKey['load'] {
  if (rate !== undefined) return { openMilliRps: milliRps(rate) }
  if (concurrency !== undefined) return { closedConcurrency: concurrency }
  throw new InvalidArgumentError('neither --rate nor --concurrency was given')
}

function addEndpoint(text: string, earlier: string[] | undefined): string[] {
  try {
    engineOrigin(text)
  } catch {
    throw new InvalidArgumentError(`${quoted(text)} is no endpoint: give http://HOST:PORT, https://HOST or unix:/PATH.`)
  }
  return [...(earlier ?? []), text]
}

function pointText(point: PointReport): string {
  const { offered, good } = point.ratesRps
  const classes = Object.entries(point.slo.classes).map(([name, report]) => {
    const of = `${report.passing_count} of ${report.successful_count} successes in their cutoffs`
    return `  ${plainText(name)}: attainment ${percent(report.attainment)} %, ${of}, ${report.failed_count} failed`
  })
  const reasons = point.reasons.map((reason) => `  ${plainText(reason.code)}: ${plainText(reason.text, 500)}`)
  const head = `${point.outcome.toUpperCase()}: ${pointName(point.key)}, offered ${rps(offered)} RPS, good ${rps(good)} RPS`
  return [head, ...classes, ...reasons].join('\n')
}
