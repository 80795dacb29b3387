import type { Clock } from '../../app/ports/clock.ts'
import type { DeployOrder, Deployment, EngineDeployer, Replica } from '../../app/ports/engine.ts'
import type { BootRecord } from '../../core/capacity/record.ts'
import { GateError } from '../../core/kernel/errors.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import { isPortFree } from '../system/tcp-ports.ts'
import { resetEvidence } from './cache-reset.ts'
import { engineControl } from './control.ts'
import type { EngineControl } from './control.ts'
import { fileDigester } from './file-digests.ts'
import type { FileDigester } from './file-digests.ts'
import { argvIdentity, askedIdentity, identityEvidence } from './identity.ts'
import { launchPlan } from './launch-plan.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { removeLeftovers } from './leftovers.ts'
import { waitUntilReady } from './readiness.ts'
import type { ReadyReplica } from './readiness.ts'
import type { EngineConnection } from '../system/engine-connection.ts'
import type { SecretMask } from '../system/secret-mask.ts'
import { portTaken, StandingEngine } from './standing-engine.ts'

export interface ProcessDeployerOptions {
  clock: Clock
  /** Our own environment: PATH, HOME, LANG, TMPDIR and the declared secrets are taken from it, nothing else. */
  environment: Readonly<Record<string, string | undefined>>
  /** Where engines run, and what relative paths in their arguments mean. */
  cwd: string
  connection?: EngineConnection
  /** What `{node}` stands for. Default: the Node that runs this. */
  nodePath?: string
  /** Where the state folder lies. Default: the system's folder for temporary files. */
  stateParent?: string
}

/** Deploys an engine as processes of this machine: one for each replica, each in a session of its own. */
export function processDeployer(options: ProcessDeployerOptions): EngineDeployer {
  const digester = fileDigester()
  const nodePath = options.nodePath ?? process.execPath
  return {
    async deploy(order, signal) {
      const plan = launchPlan(order, { environment: options.environment, nodePath })
      signal.throwIfAborted()
      await requireFreePorts(plan)
      const startUs = options.clock.nowUs()
      const { clock, cwd, stateParent } = options
      const engine = await StandingEngine.register({ order, plan, clock, cwd, stateParent, signal })
      const control = engineControl(order.dialect, order.manifest, options.connection)
      try {
        return await bringUp({ order, plan, engine, control, clock, startUs, cwd, digester }, signal)
      } catch (error) {
        await Promise.allSettled([control[Symbol.asyncDispose](), engine[Symbol.asyncDispose]()])
        throw maskedError(error, plan.secrets)
      }
    },
    removeLeftovers: () => removeLeftovers(options.stateParent),
  }
}

/** An engine may answer with its own secrets; what it said goes into messages and reports. */
function maskedError(error: unknown, { mask }: SecretMask): unknown {
  if (!(error instanceof GateError) || mask(error.message) === error.message) return error
  const { code, hint, exitCode } = error
  return new GateError({ code, message: mask(error.message), hint, exitCode })
}

async function requireFreePorts(plan: LaunchPlan): Promise<void> {
  for (const { port } of plan.replicas) {
    if (!(await isPortFree(port))) throw await portTaken(port, 'port_in_use', 'is in use already')
  }
}

interface BringUp {
  order: DeployOrder
  plan: LaunchPlan
  engine: StandingEngine
  control: EngineControl
  clock: Clock
  startUs: number
  cwd: string
  digester: FileDigester
}

async function bringUp(up: BringUp, signal: AbortSignal): Promise<Deployment> {
  const { order, plan, engine, control, clock, startUs } = up
  const replicas = plan.replicas.map(({ index, url }): Replica => ({ index, url }))
  for (const launch of plan.replicas) {
    signal.throwIfAborted()
    await engine.start(launch)
  }
  // One replica's failure ends the waiting for all.
  const failed = new AbortController()
  const startup = AbortSignal.any([signal, engine.died.signal, failed.signal])
  const ready = await Promise.all(replicas.map((replica) => becomeReady(up, replica, startup, failed)))
  const seconds = (clock.nowUs() - startUs) / 1e6
  const identity = [...(await askedIdentity(order, replicas, ready, control, startup)), ...(await ranIdentity(up))]
  const boot: BootRecord = {
    deployId: order.deployId,
    seconds,
    firstRequestMs: Math.max(...ready.map((one) => one.firstRequestMs)),
    compileCache: 'unknown',
    kvTokens: await totalKvTokens(control, replicas, startup),
  }
  startup.throwIfAborted()
  engine.isReady = true
  return deployment(
    up,
    replicas,
    boot,
    identity.map((one) => withoutSecrets(one, plan.secrets)),
  )
}

async function becomeReady(
  up: BringUp,
  replica: Replica,
  startup: AbortSignal,
  failed: AbortController,
): Promise<ReadyReplica> {
  const { order, plan, control, clock, startUs } = up
  const timeoutMs = plan.readyTimeoutMs
  const deadlineUs = startUs + timeoutMs * 1000
  try {
    const modelId = order.manifest.model.id
    return await waitUntilReady({ replica, modelId, control, clock, deadlineUs, timeoutMs }, startup)
  } catch (error) {
    failed.abort(error)
    throw error
  }
}

async function ranIdentity(up: BringUp): Promise<Evidence[]> {
  const { order, plan, engine, cwd, digester } = up
  const argv = plan.replicas.map(({ argv: ordered }, index) => ({
    ordered,
    asRun: engine.groups[index]?.argvAsRun ?? null,
  }))
  const digests = await digester(engine.groups[0]?.executable ?? null, plan.replicas[0]?.argv ?? [], cwd)
  const files = digests.map(({ file, sha256, bytes }) =>
    sha256 === null
      ? {
          ...identityEvidence(order, 'files', { state: 'unknown', file, text: `${bytes} bytes: not read` }),
          required: false,
        }
      : identityEvidence(order, 'files', { state: 'pass', file, sha256, text: `${bytes} bytes` }),
  )
  return [argvIdentity(order, argv), ...files]
}

function withoutSecrets(evidence: Evidence, { mask }: SecretMask): Evidence {
  return {
    ...evidence,
    ...(evidence.text === undefined ? {} : { text: mask(evidence.text) }),
    ...(evidence.file === undefined ? {} : { file: mask(evidence.file) }),
  }
}

async function totalKvTokens(
  c: EngineControl,
  replicas: readonly Replica[],
  signal: AbortSignal,
): Promise<number | null> {
  const tokens = await Promise.all(replicas.map((replica) => c.kvTokens(replica.url, signal)))
  return tokens.reduce<number | null>((sum, own) => (sum === null || own === null ? null : sum + own), 0)
}

function deployment(up: BringUp, replicas: readonly Replica[], boot: BootRecord, identity: Evidence[]): Deployment {
  const { order, engine, control } = up
  return {
    deployId: order.deployId,
    replicas,
    boot,
    identity,
    resetCache: (signal) => resetEvidence(order, replicas, control, up.clock, signal),
    events: () => engine.events,
    async [Symbol.asyncDispose]() {
      const [, stopped] = await Promise.allSettled([control[Symbol.asyncDispose](), engine[Symbol.asyncDispose]()])
      if (stopped.status === 'rejected') throw stopped.reason
    },
  }
}
