import { dirname, resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { dockerProgram } from '../../adapters/engine/docker-program.ts'
import { endpointProbe } from '../../adapters/engine/endpoint-probe.ts'
import { startNeeds } from '../../adapters/engine/start-needs.ts'
import { systemMachine } from '../../adapters/machine/machine.ts'
import { systemClock } from '../../adapters/system/clock.ts'
import { PLAIN_CONNECTION, readEngineConnection } from '../../adapters/system/engine-connection.ts'
import { engineOrigin } from '../../adapters/system/engine-origin.ts'
import { standingLocks } from '../../adapters/system/standing-locks.ts'
import { doctor } from '../../app/doctor.ts'
import type { Diagnosis, DoctorFinding, DoctorReport } from '../../app/doctor.ts'
import { endpointSection } from '../../app/doctor/endpoint-section.ts'
import { machineSection } from '../../app/doctor/machine-section.ts'
import { manifestSection } from '../../app/doctor/manifest-section.ts'
import { DIALECT_IDS, dialectFor, dialectNamed } from '../../core/dialect/choose.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { readManifest } from '../../core/manifest/read.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { quoted } from '../../core/record/refusal.ts'
import { plainText } from '../../core/report/escape.ts'
import { isUpAlready } from '../../core/telemetry/machine-findings.ts'
import type { AddCommand, Desk } from '../command.ts'
import { example } from '../command.ts'
import { interruptible } from '../interruptible.ts'
import type { Inputs } from '../inputs.ts'
import { readManifestFile } from '../read-inputs.ts'
import { enginePorts } from '../run-locks.ts'

interface Options {
  endpoint?: string
  dialect?: string
  keepCache?: true
  machine?: true
}

export const addDoctor: AddCommand = (program, desk) => {
  program
    .command('doctor')
    .description(
      'Say what an engine that is up can prove, what a manifest needs to be run here, and what of this machine is in the way; each with its mend.',
    )
    .argument('[manifest]', 'a workload-manifest.yaml: what it needs; its dialect, model and connection are used')
    .addOption(
      new Option(
        '--endpoint <url>',
        'the origin of an engine that is up; without it this machine is looked at',
      ).argParser(endpoint),
    )
    .addOption(
      new Option('--dialect <name>', 'speak to it as this one; by default as what fits').argParser(dialectName),
    )
    .option('--keep-cache', 'do not reset its prefix cache')
    .option(
      '--machine',
      'look at this machine beside an endpoint as well: its GPUs, who uses them, clocks, errors, disk',
    )
    .addHelpText('after', example('capacity-gate doctor --endpoint http://127.0.0.1:8000'))
    .action((path: string | undefined, options: Options) => doctorCommand(desk, path, options))
}

async function doctorCommand(desk: Desk, path: string | undefined, options: Options): Promise<void> {
  const { inputs, finish } = desk
  const read = path === undefined ? null : { path, ...(await readManifestFile(path, 'valid')) }
  const manifest = read?.manifest ?? null
  const urls = options.endpoint === undefined ? statedUrls(manifest) : [options.endpoint]
  if (urls.length === 0 && (options.dialect !== undefined || options.keepCache)) throw needsEndpoint()
  const connection =
    read === null
      ? PLAIN_CONNECTION
      : await readEngineConnection(read.manifest, { env: inputs.env, folder: resolve(inputs.cwd, dirname(read.path)) })
  await interruptible(async (signal) => {
    await using probes = new AsyncDisposableStack()
    const sections = urls.map((url) => {
      const probe = probes.use(endpointProbe(url, connection))
      const model = manifest?.model.id ?? null
      return endpointSection({
        probe,
        url,
        dialect: chosen(options, manifest),
        model,
        keepsCache: options.keepCache === true,
      })
    })
    await using machine = systemMachine({ clock: systemClock(), diskPath: inputs.cwd })
    const isMachineAsked = options.machine === true || options.endpoint === undefined
    const engineIsUp = options.endpoint !== undefined || (manifest !== null && isUpAlready(manifest))
    const needs = read !== null && options.endpoint === undefined ? [needsOf(read, inputs)] : []
    const here = isMachineAsked ? [machineSection({ machine, locks: standingLocks, manifest, engineIsUp })] : []
    const diagnosis = await doctor([...needs, ...sections, ...here], signal)
    const exitCode = diagnosis.usable ? EXIT.ok : EXIT.inconclusive
    finish({ exitCode, text: diagnosisText(diagnosis), json: diagnosis })
  })
}

/** Of a manifest whose servers are up already. */
function statedUrls(manifest: Manifest | null): readonly string[] {
  const deploy = manifest?.engine.deploy
  return deploy?.kind === 'endpoint' ? deploy.urls : []
}

function needsOf({ path, manifest, text }: { path: string; manifest: Manifest; text: string }, { env }: Inputs) {
  const { findings: lint } = readManifest(text, { level: 'deployable' })
  const order = { manifest, ports: enginePorts(manifest), docker: dockerProgram(env), path: env['PATH'] ?? '' }
  return manifestSection({ file: path, manifest, lint, needs: startNeeds(order) })
}

function needsEndpoint(): GateError {
  return new GateError({
    code: 'usage',
    message: '--dialect and --keep-cache are about an engine that is up, and none is named',
    hint: 'name it by --endpoint, or by a manifest whose deployment is an endpoint',
    exitCode: EXIT.usage,
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
