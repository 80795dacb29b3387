import { InvalidArgumentError, Option } from 'commander'
import { systemClock } from '../../adapters/system/clock.ts'
import { INPUT_LIMITS, streamInput, writeOutput } from '../../adapters/system/files.ts'
import { importedRecord, importFile } from '../../app/import.ts'
import type { Imported } from '../../app/import.ts'
import { milliRps } from '../../core/capacity/guard-rate.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import type { Cache, Load } from '../../core/kernel/point.ts'
import { showNumber } from '../../core/manifest/finding.ts'
import { parseDecimal } from '../../core/record/decimal.ts'
import type { ClassChoice } from '../../core/record/import/class-choice.ts'
import { IMPORT_TOOLS } from '../../core/record/import/tool.ts'
import type { ImportTool } from '../../core/record/import/tool.ts'
import { quoted } from '../../core/record/refusal.ts'
import { parseDurationSeconds } from '../../core/slo/arguments.ts'
import { importedReason } from '../../core/slo/imported-reason.ts'
import type { AddCommand } from '../command.ts'
import { example, positiveNumber, wholeNumber } from '../command.ts'
import { readManifestFile } from '../read-inputs.ts'
import { TOOL_VERSION } from '../version.ts'
import { refuseReplacing } from '../refuse-replacing.ts'
import type { NamedFile } from '../refuse-replacing.ts'
import { usage } from '../usage.ts'

interface Options {
  from: ImportTool
  manifest: string
  out: string
  class?: string
  classBy?: 'lengths'
  lengthTolerance: number
  run?: number
  capacity?: string
  cache?: Cache
  rate?: number
  concurrency?: number
  durationSeconds?: string
}

export const addImport: AddCommand = (program, desk) => {
  program
    .command('import')
    .description('Turn another load generator’s file of requests into requests.csv; what it lacks stays empty.')
    .argument('<file>', 'the file that the tool wrote')
    .addOption(new Option('--from <tool>', 'which tool wrote it').choices(IMPORT_TOOLS).makeOptionMandatory())
    .requiredOption('--manifest <file>', 'the workload-manifest.yaml whose workload was run')
    .requiredOption('--out <csv>', 'where requests.csv goes')
    .option('--class <name>', 'every request is of this class')
    .addOption(new Option('--class-by <what>', 'or: each is of the class whose lengths it has').choices(['lengths']))
    .option('--length-tolerance <share>', 'how far an input length may lie from its class’s', share, 0)
    .option('--run <n>', 'which run or benchmark, where the file holds several', wholeNumber)
    .option('--capacity <file>', 'write a capacity record of the point as well, for gate')
    .addOption(new Option('--cache <state>', 'its cache state').choices(['cold', 'warm']))
    .option('--rate <r>', 'its offered rate, requests a second', positiveNumber)
    .option('--concurrency <n>', 'or its requests in flight', wholeNumber)
    .option('--duration-seconds <s>', 'its length with the drain, where the file does not tell it')
    .addHelpText(
      'after',
      example(
        'capacity-gate import --from vllm bench.json --manifest workload-manifest.yaml --out requests.csv \\',
        '  --class-by lengths --capacity imported.json --cache cold --rate 24',
      ),
    )
    .action(async (file: string, options: Options) => {
      const point = pointOf(options)
      const choice = choiceOf(options)
      await refuseOverwriting(file, options)
      const { manifest } = await readManifestFile(options.manifest, 'valid')
      const source = streamInput({ what: 'the file', path: file, maximumBytes: INPUT_LIMITS.imported })
      const run = options.run ?? null
      const imported = await importFile({ tool: options.from, source, file, run, choice, manifest })
      const facts = { toolVersion: TOOL_VERSION, createdAt: systemClock().wallTime() }
      const record = point === null ? null : await importedRecord({ imported, manifest, ...point, ...facts })
      await writeOutput(options.out, imported.csv)
      // Behind what it was judged from: a record is never left without its rows.
      if (point !== null) await writeOutput(point.out, `${JSON.stringify(record, null, 2)}\n`)
      desk.finish({ exitCode: EXIT.ok, text: textOf(imported, options), json: factsOf(imported, options) })
    })
}

/** An output in an input's place would replace what was measured. */
async function refuseOverwriting(file: string, { manifest, out, capacity }: Options): Promise<void> {
  const inputs: NamedFile[] = [
    { name: 'the file that is imported', path: file },
    { name: 'the manifest', path: manifest },
  ]
  const csv = { name: '--out', path: out }
  await refuseReplacing(csv, inputs)
  if (capacity !== undefined) await refuseReplacing({ name: '--capacity', path: capacity }, [...inputs, csv])
}

function choiceOf({ class: name, classBy, lengthTolerance }: Options): ClassChoice {
  if (name !== undefined && classBy !== undefined) {
    throw usage('--class and --class-by are two answers to one question', 'give one of them')
  }
  return name === undefined ? { lengthTolerance } : { name }
}

interface PointOptions {
  out: string
  cache: Cache
  load: Load
  durationSeconds: number | null
}

function pointOf({ capacity, cache, rate, concurrency, durationSeconds }: Options): PointOptions | null {
  const isGiven = [cache, rate, concurrency, durationSeconds].some((value) => value !== undefined)
  if (capacity === undefined) {
    if (!isGiven) return null
    throw usage('a cache state, load or duration was given and no --capacity', 'they describe the capacity record')
  }
  const hint = 'no other tool’s file tells its cache state, and few their load'
  if (cache === undefined) throw usage('--capacity needs --cache cold or --cache warm', hint)
  if ((rate === undefined) === (concurrency === undefined)) {
    throw usage('--capacity needs one of --rate and --concurrency', hint)
  }
  return {
    out: capacity,
    cache,
    load: rate === undefined ? { closedConcurrency: concurrency ?? 1 } : { openMilliRps: milliRps(rate) },
    durationSeconds: durationSeconds === undefined ? null : parseDurationSeconds(durationSeconds),
  }
}

function share(text: string): number {
  const value = parseDecimal(text)
  if (value >= 0 && value < 1) return value
  throw new InvalidArgumentError(`${quoted(text)} is no share from 0 up to 1.`)
}

function factsOf({ cohort }: Imported, { out, capacity }: Options) {
  const { origin, requests, durationSeconds, arrivalSeconds, notes } = cohort
  const ok = requests.filter(({ status }) => status === 'ok').length
  const counts = { requests: requests.length, ok, failed: requests.length - ok }
  const reasons = [importedReason(origin)]
  return { file: out, capacity: capacity ?? null, origin, ...counts, durationSeconds, arrivalSeconds, notes, reasons }
}

function textOf(imported: Imported, options: Options): string {
  const { requests, ok, failed, durationSeconds, origin, notes, reasons } = factsOf(imported, options)
  const seconds = durationSeconds === null ? 'a duration that the file does not tell' : `${durationSeconds} s`
  return [
    `${options.out}: ${showNumber(requests)} requests of ${origin}, ${showNumber(ok)} ok and ${showNumber(failed)} not, over ${seconds}`,
    ...notes.map((note) => `  ${note}`),
    ...reasons.map(({ code, text }) => `  ${code}: ${text}`),
    ...(options.capacity === undefined
      ? []
      : [`${options.capacity}: its point; a verdict on it is inconclusive at best`]),
  ].join('\n')
}
