import { dirname, resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { dockerProgram } from '../../adapters/engine/docker-program.ts'
import { endpointProbe } from '../../adapters/engine/endpoint-probe.ts'
import { startNeeds } from '../../adapters/engine/start-needs.ts'
import { systemClientHost } from '../../adapters/machine/client-host.ts'
import { systemMachine } from '../../adapters/machine/machine.ts'
import { systemClock } from '../../adapters/system/clock.ts'
import { PLAIN_CONNECTION, readEngineConnection } from '../../adapters/system/engine-connection.ts'
import { engineOrigin } from '../../adapters/system/engine-origin.ts'
import { INPUT_LIMITS, readInputText } from '../../adapters/system/files.ts'
import { standingLocks } from '../../adapters/system/standing-locks.ts'
import { doctor } from '../../app/doctor.ts'
import type { Diagnosis, DoctorFinding, DoctorReport, DoctorSection } from '../../app/doctor.ts'
import { clientSection } from '../../app/doctor/client-section.ts'
import { endpointSection } from '../../app/doctor/endpoint-section.ts'
import { machineSection } from '../../app/doctor/machine-section.ts'
import { brokenManifestSection, manifestSection } from '../../app/doctor/manifest-section.ts'
import { DIALECT_IDS, dialectFor, dialectNamed } from '../../core/dialect/choose.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import type { Finding } from '../../core/manifest/finding.ts'
import { readManifest } from '../../core/manifest/read.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { quoted } from '../../core/record/refusal.ts'
import { plainText } from '../../core/report/escape.ts'
import { isUpAlready } from '../../core/telemetry/machine-findings.ts'
import { composeCalibrator } from '../calibrator.ts'
import type { AddCommand, Desk } from '../command.ts'
import { example } from '../command.ts'
import { interruptible } from '../interruptible.ts'
import type { Inputs } from '../inputs.ts'
import { NEEDED } from '../needed-node.ts'
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
  const read = path === undefined ? null : await readLeniently(path)
  const manifest = read?.manifest ?? null
  const urls = options.endpoint === undefined ? statedUrls(manifest) : [options.endpoint]
  const isBroken = read !== null && manifest === null
  if (urls.length === 0 && !isBroken && (options.dialect !== undefined || options.keepCache)) throw needsEndpoint()
  const connection =
    read === null || manifest === null
      ? PLAIN_CONNECTION
      : await readEngineConnection(manifest, { env: inputs.env, folder: resolve(inputs.cwd, dirname(read.path)) })
  await interruptible(async (signal) => {
    await using probes = new AsyncDisposableStack()
    const sections = urls.map((url) => {
      const probe = probes.use(endpointProbe(url, connection))
      const model = manifest?.model.id ?? null
      const [dialect, keepsCache] = [chosen(options, manifest), options.keepCache === true]
      return endpointSection({ probe, url, dialect, model, keepsCache })
    })
    await using machine = systemMachine({ clock: systemClock(), diskPath: inputs.cwd })
    const isMachineAsked = options.machine === true || options.endpoint === undefined
    const engineIsUp = options.endpoint !== undefined || (manifest !== null && isUpAlready(manifest))
    const needs = read !== null && (isBroken || options.endpoint === undefined) ? [needsOf(read, inputs)] : []
    const here = isMachineAsked
      ? [clientOf(manifest), machineSection({ machine, locks: standingLocks, manifest, engineIsUp })]
      : []
    const diagnosis = await doctor([...needs, ...sections, ...here], signal)
    const unusable = isBroken ? EXIT.invalid : EXIT.inconclusive
    finish({ exitCode: diagnosis.usable ? EXIT.ok : unusable, text: diagnosisText(diagnosis), json: diagnosis })
  })
}

interface LenientlyRead {
  path: string
  text: string
  /** Null where it is none: its findings say why. */
  manifest: Manifest | null
  findings: readonly Finding[]
}

/** A manifest that is broken is a finding, beside which the machine can be looked at. Throws GateError, exit 4, where there is no file. */
async function readLeniently(path: string): Promise<LenientlyRead> {
  const text = await readInputText({ what: 'the manifest', path, maximumBytes: INPUT_LIMITS.manifest })
  const { manifest, findings } = readManifest(text, { level: 'valid' })
  return { path, text, manifest, findings }
}

function clientOf(manifest: Manifest | null): DoctorSection {
  const { major, minor } = NEEDED
  return clientSection({
    host: systemClientHost(),
    calibrator: composeCalibrator(systemClock()),
    manifest,
    neededNode: `${major}.${minor}`,
  })
}

/** Of a manifest whose servers are up already. */
function statedUrls(manifest: Manifest | null): readonly string[] {
  const deploy = manifest?.engine.deploy
  return deploy?.kind === 'endpoint' ? deploy.urls : []
}

function needsOf({ path, manifest, text, findings }: LenientlyRead, { env }: Inputs): DoctorSection {
  if (manifest === null) return brokenManifestSection(path, findings)
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
