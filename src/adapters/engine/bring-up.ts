import type { Clock } from '../../app/ports/clock.ts'
import type { DeployOrder, Deployment, EngineEvent, Owned, Replica } from '../../app/ports/engine.ts'
import type { BootRecord } from '../../core/capacity/record.ts'
import { GateError } from '../../core/kernel/errors.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import type { SecretMask } from '../system/secret-mask.ts'
import { isPortFree } from '../system/tcp-ports.ts'
import { resetEvidence } from './cache-reset.ts'
import type { EngineControl } from './control.ts'
import { askedIdentity } from './identity.ts'
import type { LaunchPlan, ReplicaLaunch } from './launch-plan.ts'
import { listenerIdentity } from './listener-identity.ts'
import { waitUntilReady } from './readiness.ts'
import type { ReadyReplica } from './readiness.ts'
import { portTaken } from './port-taken.ts'

/** What runs one deployment's replicas: processes or containers. Disposing it stops and removes them all. */
export interface Standing extends AsyncDisposable {
  /** Aborted with a GateError when a replica ends before `isReady` is set. */
  readonly died: AbortController
  isReady: boolean
  readonly events: readonly EngineEvent[]
  start(launch: ReplicaLaunch): Promise<void>
  /** What of this machine is its own now. */
  owned(): Promise<Owned>
  /** Whether a process is a replica's own; null where that cannot be seen. */
  owns(replica: number, pid: number): Promise<boolean | null>
}

export interface BringUp {
  order: DeployOrder
  plan: LaunchPlan
  engine: Standing
  control: EngineControl
  clock: Clock
  startUs: number
  compileCache: BootRecord['compileCache']
  /** What the system, not the engine, tells of what runs. */
  ranIdentity(): Promise<readonly Evidence[]>
  /** Called once the replicas are ready: what stands before them, and where load goes. */
  targets(replicas: readonly Replica[], signal: AbortSignal): Promise<readonly Replica[]>
}

/**
 * Starts every replica and waits until each is ready; one replica's failure ends the waiting for all. Whatever goes wrong, nothing is
 * left behind, and no secret stands in the error.
 */
export async function bringUp(up: BringUp, signal: AbortSignal): Promise<Deployment> {
  try {
    return await ready(up, signal)
  } catch (error) {
    await Promise.allSettled([up.control[Symbol.asyncDispose](), up.engine[Symbol.asyncDispose]()])
    throw maskedError(error, up.plan.secrets)
  }
}

/** Throws GateError `port_in_use` with the first port of the plan that something listens on. */
export async function requireFreePorts(ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    if (!(await isPortFree(port))) throw await portTaken(port, 'port_in_use', 'is in use already')
  }
}

/** An engine may answer with its own secrets; what it said goes into messages and reports. */
function maskedError(error: unknown, { mask }: SecretMask): unknown {
  if (!(error instanceof GateError) || mask(error.message) === error.message) return error
  const { code, hint, exitCode } = error
  return new GateError({ code, message: mask(error.message), hint, exitCode })
}

async function ready(up: BringUp, signal: AbortSignal): Promise<Deployment> {
  const { order, plan, engine, control, clock, startUs } = up
  const replicas = plan.replicas.map(({ index, url }): Replica => ({ index, url }))
  for (const launch of plan.replicas) {
    signal.throwIfAborted()
    await engine.start(launch)
  }
  const failed = new AbortController()
  const startup = AbortSignal.any([signal, engine.died.signal, failed.signal])
  const met = await Promise.all(replicas.map((replica) => becomeReady(up, replica, startup, failed)))
  const targets = await up.targets(replicas, startup)
  const seconds = (clock.nowUs() - startUs) / 1e6
  const identity = [
    ...(await askedIdentity(order, replicas, met, control, startup)),
    await listenerIdentity(order, plan.replicas, (replica, pid) => engine.owns(replica, pid)),
    ...(await up.ranIdentity()),
  ]
  const boot: BootRecord = {
    deployId: order.deployId,
    seconds,
    firstRequestMs: Math.max(...met.map((one) => one.firstRequestMs)),
    compileCache: up.compileCache,
    kvTokens: await totalKvTokens(control, replicas, startup),
  }
  startup.throwIfAborted()
  engine.isReady = true
  const shown = identity.map((one) => withoutSecrets(one, plan.secrets))
  return deployment(up, { replicas, targets, boot, identity: shown })
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

function deployment(up: BringUp, told: Pick<Deployment, 'replicas' | 'targets' | 'boot' | 'identity'>): Deployment {
  const { order, engine, control } = up
  return {
    deployId: order.deployId,
    ...told,
    resetCache: (signal) => resetEvidence(order, told.replicas, control, up.clock, signal),
    events: () => engine.events,
    owned: () => engine.owned(),
    async [Symbol.asyncDispose]() {
      const [, stopped] = await Promise.allSettled([control[Symbol.asyncDispose](), engine[Symbol.asyncDispose]()])
      if (stopped.status === 'rejected') throw stopped.reason
    },
  }
}
