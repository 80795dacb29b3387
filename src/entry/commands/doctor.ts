import { dirname, resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { endpointProbe } from '../../adapters/engine/endpoint-probe.ts'
import { systemMachine } from '../../adapters/machine/machine.ts'
import { systemClock } from '../../adapters/system/clock.ts'
import { PLAIN_CONNECTION, readEngineConnection } from '../../adapters/system/engine-connection.ts'
import { engineOrigin } from '../../adapters/system/engine-origin.ts'
import { doctor } from '../../app/doctor.ts'
import type { Diagnosis, DoctorFinding, DoctorReport } from '../../app/doctor.ts'
import { endpointSection } from '../../app/doctor/endpoint-section.ts'
import { machineSection } from '../../app/doctor/machine-section.ts'
import { DIALECT_IDS, dialectFor, dialectNamed } from '../../core/dialect/choose.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { quoted } from '../../core/record/refusal.ts'
import { plainText } from '../../core/report/escape.ts'
import type { AddCommand, Desk } from '../command.ts'
import { example } from '../command.ts'
import { interruptible } from '../interruptible.ts'
import { readManifestFile } from '../read-inputs.ts'

interface Options {
  endpoint: string
  dialect?: string
  keepCache?: true
  machine?: true
}

export const addDoctor: AddCommand = (program, desk) => {
  program
    .command('doctor')
    .description(
      'Say what an engine that is up can prove, as which dialect it speaks, what is missing and how to mend it.',
    )
    .argument('[manifest]', 'a workload-manifest.yaml whose dialect, model and connection are used')
    .addOption(new Option('--endpoint <url>', 'the engine’s origin').argParser(endpoint).makeOptionMandatory())
    .addOption(
      new Option('--dialect <name>', 'speak to it as this one; by default as what fits').argParser(dialectName),
    )
    .option('--keep-cache', 'do not reset its prefix cache')
    .option('--machine', 'look at this machine as well: its GPUs, who uses them, clocks, errors, disk')
    .addHelpText('after', example('capacity-gate doctor --endpoint http://127.0.0.1:8000'))
    .action((path: string | undefined, options: Options) => doctorCommand(desk, path, options))
}

async function doctorCommand({ inputs, finish }: Desk, path: string | undefined, options: Options): Promise<void> {
  const manifest = path === undefined ? null : (await readManifestFile(path, 'valid')).manifest
  const connection =
    manifest === null || path === undefined
      ? PLAIN_CONNECTION
      : await readEngineConnection(manifest, { env: inputs.env, folder: resolve(inputs.cwd, dirname(path)) })
  await interruptible(async (signal) => {
    await using probe = endpointProbe(options.endpoint, connection)
    const section = endpointSection({
      probe,
      url: options.endpoint,
      dialect: chosen(options, manifest),
      model: manifest?.model.id ?? null,
      keepsCache: options.keepCache === true,
    })
    await using machine = systemMachine({ clock: systemClock(), diskPath: inputs.cwd })
    const here = options.machine ? [machineSection({ machine, manifest, engineIsUp: true })] : []
    const diagnosis = await doctor([section, ...here], signal)
    const exitCode = diagnosis.usable ? EXIT.ok : EXIT.inconclusive
    finish({ exitCode, text: diagnosisText(diagnosis), json: diagnosis })
  })
}

function chosen({ dialect }: Options, manifest: Manifest | null) {
  return dialectNamed(dialect) ?? (manifest === null ? null : dialectFor(manifest))
}

function endpoint(text: string): string {
  try {
    return engineOrigin(text)
  } catch {
    throw new InvalidArgumentError(`${quoted(text)} is no endpoint: give http://HOST:PORT, https://HOST or unix:/PATH.`)
  }
}

function dialectName(text: string): string {
  if (dialectNamed(text) !== undefined) return text
  throw new InvalidArgumentError(`${quoted(text)} is no dialect: there are ${DIALECT_IDS.join(', ')}.`)
}

const LINE_MAX = 500

function diagnosisText({ usable, sections }: Diagnosis): string {
  const head = usable
    ? 'USABLE: everything that is required answers'
    : 'NOT USABLE: something that is required is missing'
  return [head, ...sections.flatMap(sectionLines)].join('\n')
}

function sectionLines({ title, summary, findings }: DoctorReport): string[] {
  const lines = summary.map((line) => `  ${plainText(line, LINE_MAX)}`)
  return [plainText(title, LINE_MAX), ...lines, ...findings.flatMap(findingLines)]
}

function findingLines({ probe, state, required, text, cost, mend }: DoctorFinding): string[] {
  const mark = state === 'pass' || !required ? '' : ' (required)'
  const lines = [`  ${state}${mark}: ${probe}: ${plainText(text, LINE_MAX)}`]
  if (cost !== null) lines.push(`    so ${plainText(cost, LINE_MAX)}`)
  if (mend !== null) lines.push(`    mend: ${plainText(mend, LINE_MAX)}`)
  return lines
}
