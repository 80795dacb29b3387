import { dirname, resolve } from 'node:path'
import { dockerDeployer } from '../adapters/engine/docker.ts'
import { dockerProgram } from '../adapters/engine/docker-program.ts'
import { endpointDeployer } from '../adapters/engine/endpoint.ts'
import { processDeployer } from '../adapters/engine/process.ts'
import { systemHost } from '../adapters/machine/host.ts'
import { systemMachine } from '../adapters/machine/machine.ts'
import { nvidiaSmi } from '../adapters/machine/nvidia-smi.ts'
import { prometheusMetrics } from '../adapters/metrics/prometheus.ts'
import { createReplay } from '../adapters/replay/replay.ts'
import { systemClock } from '../adapters/system/clock.ts'
import type { EngineConnection } from '../adapters/system/engine-connection.ts'
import { PLAIN_CONNECTION, readEngineConnection } from '../adapters/system/engine-connection.ts'
import { takeHostLocks } from '../adapters/system/locks.ts'
import { createPack } from '../adapters/system/pack.ts'
import { systemSources } from '../adapters/system/sources.ts'
import { terminalProgress } from '../adapters/terminal/progress.ts'
import type { Screen } from '../adapters/terminal/screen.ts'
import type { Effects } from '../app/context.ts'
import type { Clock } from '../app/ports/clock.ts'
import type { EngineDeployer } from '../app/ports/engine.ts'
import type { Progress } from '../app/ports/progress.ts'
import type { Sources } from '../app/ports/sources.ts'
import { dialectFor } from '../core/dialect/choose.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import { plainText } from '../core/report/escape.ts'
import type { Manifest } from '../core/manifest/schema.ts'
import { composeCalibrator } from './calibrator.ts'
import type { Inputs } from './inputs.ts'
import { lockOwner, runLocks } from './run-locks.ts'
import { TOOL_VERSION } from './version.ts'

/** What of a process's inputs the adapters are made from. */
export type Surroundings = Pick<Inputs, 'env' | 'cwd' | 'screen'>

export interface Composition {
  /** The pack's folder; made where it is missing. */
  packFolder: string
  manifest: Manifest
  /** Files that the manifest names are relative to its folder. */
  manifestPath: string
  /** Engines that are already up, in place of the manifest's deployment. */
  endpoints?: readonly string[]
  /** Ends the staging of what is deployed, and the waiting for another run. */
  signal?: AbortSignal
  /** How long another run that measures on the same ports or GPUs is waited for; 0 by default. */
  lockWaitMinutes?: number
}

/**
 * Every effect of one run, wired to this machine. Disposing it closes what they hold. Throws GateError `locked`, with the other run's
 * process, where one measures on the same ports, endpoints or GPUs; engines that are already up are nobody's to lock.
 */
export async function composeEffects(
  around: Surroundings,
  composition: Composition,
): Promise<{ effects: Effects } & AsyncDisposable> {
  const { packFolder, manifest, manifestPath, endpoints, signal = new AbortController().signal } = composition
  const clock = systemClock()
  const folder = manifestFolder(around, manifestPath)
  const connection = await readEngineConnection(manifest, { env: around.env, folder })
  const deployer = endpoints
    ? endpointDeployer({ clock, urls: endpoints, connection })
    : chooseDeployer(around, clock, manifest, connection)
  // What takes long and holds nothing comes before the machine is claimed.
  const say = (line: string): void => void around.screen.write(`${plainText(line, 1000)}\n`)
  await deployer.stage({ manifest, dialect: dialectFor(manifest), say }, signal)
  const smi = nvidiaSmi()
  const locks = endpoints ? [] : await runLocks(manifest, smi, say)
  const lock = await takeHostLocks(locks, claim(around, composition, signal, say))
  const pack = await createPack(packFolder).catch(async (error: unknown) => {
    await lock[Symbol.asyncDispose]()
    throw error
  })
  const metrics = prometheusMetrics({ clock, connection })
  const progress = watchedProgress(around.screen, clock, signal)
  const host = systemHost({ environment: around.env, cwd: around.cwd, smi })
  const machine = systemMachine({ clock, diskPath: resolve(around.cwd, packFolder), smi })
  const replay = createReplay(clock, connection)
  const calibrator = composeCalibrator(clock)
  const sources = manifestSources(around, manifestPath)
  return {
    effects: {
      clock,
      progress,
      pack,
      deployer,
      replay,
      calibrator,
      metrics,
      host,
      machine,
      sources,
      toolVersion: TOOL_VERSION,
    },
    async [Symbol.asyncDispose]() {
      progress[Symbol.dispose]()
      await metrics[Symbol.asyncDispose]()
      await machine[Symbol.asyncDispose]()
      await lock[Symbol.asyncDispose]()
    },
  }
}

/** What a person watches: an interruption is answered at once, though what was started takes a while to end. */
function watchedProgress(screen: Screen, clock: Clock, signal: AbortSignal): Progress & Disposable {
  const progress = terminalProgress(screen, clock)
  const stopping = () => {
    progress.outlook(null)
    progress.note('stopping: what was started is removed')
  }
  signal.addEventListener('abort', stopping, { once: true })
  return {
    ...progress,
    [Symbol.dispose]() {
      signal.removeEventListener('abort', stopping)
      progress[Symbol.dispose]()
    },
  }
}

/** For whom the machine is claimed, and how long another run is waited for. */
function claim(
  { env }: Surroundings,
  { lockWaitMinutes = 0 }: Composition,
  signal: AbortSignal,
  say: (line: string) => void,
) {
  return {
    ...lockOwner(env),
    waitMs: lockWaitMinutes * 60_000,
    signal,
    mend: 'wait for it to end, which lock-wait-minutes does by itself, or stop it',
    onBroken: (text: string) => say(`warning: ${text}`),
    onWaiting: say,
  }
}

/** The files that a manifest names. */
export function manifestSources(around: Pick<Surroundings, 'cwd'>, manifestPath: string): Sources {
  return folderSources(around, dirname(manifestPath))
}

/** The same, of a manifest that is in this folder. */
export function folderSources({ cwd }: Pick<Surroundings, 'cwd'>, folder: string): Sources {
  return systemSources({ manifestFolder: resolve(cwd, folder), workingFolder: cwd })
}

function manifestFolder({ cwd }: Pick<Surroundings, 'cwd'>, manifestPath: string): string {
  return resolve(cwd, dirname(manifestPath))
}

/** Removes what an earlier, killed run left on this machine, processes and containers; says what, also what could not be done. */
export async function removeLeftovers(around: Surroundings): Promise<readonly string[]> {
  const ways = [localProcesses, localContainers].map((way) => way(around, systemClock(), PLAIN_CONNECTION))
  const done = await Promise.allSettled(ways.map((deployer) => deployer.removeLeftovers()))
  return done.flatMap((one) =>
    one.status === 'fulfilled' ? one.value : [`the clean-up did not finish: ${one.reason}`],
  )
}

function chooseDeployer(
  around: Surroundings,
  clock: Clock,
  manifest: Manifest,
  connection: EngineConnection,
): EngineDeployer {
  const kind = manifest.engine.deploy?.kind
  switch (kind) {
    case 'process':
      return localProcesses(around, clock, connection)
    case 'endpoint':
      return endpointDeployer({ clock, connection })
    case 'docker':
      return localContainers(around, clock, connection)
    case undefined:
      throw new GateError({
        code: 'deploy_unavailable',
        message: 'engine.deploy is not given: nothing can be deployed',
        hint: 'add engine.deploy with kind docker, process or endpoint',
        exitCode: EXIT.invalid,
      })
  }
}

function localProcesses({ env, cwd }: Surroundings, clock: Clock, connection: EngineConnection): EngineDeployer {
  return processDeployer({ clock, environment: env, cwd, connection })
}

function localContainers({ env }: Surroundings, clock: Clock, connection: EngineConnection): EngineDeployer {
  return dockerDeployer({ clock, docker: dockerProgram(env), environment: env, connection })
}
