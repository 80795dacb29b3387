import type { Clock } from '../../app/ports/clock.ts'
import type { DeployOrder, Deployment, EngineDeployer, Replica, StageOrder } from '../../app/ports/engine.ts'
import type { EngineConnection } from '../system/engine-connection.ts'
import { bringUp, requireFreePorts } from './bring-up.ts'
import { clientCpus } from './client-cpus.ts'
import { openCompileCache } from './compile-cache.ts'
import type { CompileCache, GpuKinds } from './compile-cache.ts'
import { engineControl } from './control.ts'
import { containerIdentity } from './docker-identity.ts'
import { stageImage } from './docker-image.ts'
import { deploymentLabels, removeContainerLeftovers } from './docker-labels.ts'
import { dockerDeploy, dockerPlan } from './docker-plan.ts'
import type { DockerPlan } from './docker-plan.ts'
import type { Docker } from './docker-program.ts'
import { startRouter } from './docker-router.ts'
import { placeOnGpus } from './gpu-choice.ts'
import type { GpuList } from './gpu-choice.ts'
import { memoryFloor } from './gpu-memory.ts'
import type { GpuMemory } from './gpu-memory.ts'
import { loadTargets } from './load-targets.ts'
import { StandingContainers } from './standing-containers.ts'
import { stageWeights, weightsIdentity } from './weights.ts'
import type { StagedWeights } from './weights.ts'

export interface DockerDeployerOptions {
  clock: Clock
  docker: Docker
  /** Our own environment: the declared secrets are taken from it, nothing else. */
  environment: Readonly<Record<string, string | undefined>>
  connection?: EngineConnection
  /** What the machine has. Default: as nvidia-smi tells. */
  gpus?: GpuList
  gpuMemory?: GpuMemory
  gpuKinds?: GpuKinds
  /** Where the state folder lies. Default: the system's folder for temporary files. */
  stateParent?: string
}

/** Deploys an engine as containers of this machine: one for each replica, on the host's network. */
export function dockerDeployer(options: DockerDeployerOptions): EngineDeployer {
  const { docker } = options
  return {
    async stage(order, signal) {
      const deploy = dockerDeploy(order.manifest)
      await clientCpus(deploy)
      await stageImage(docker, deploy.image, order.say, signal)
      if (deploy.router.kind === 'container') await stageImage(docker, deploy.router.image, order.say, signal)
      await weightsOf(options, order, signal)
    },
    async deploy(order, signal) {
      const unplaced = dockerPlan(order, options.environment)
      signal.throwIfAborted()
      const weights = await weightsOf(options, { manifest: order.manifest, say: () => undefined }, signal)
      const startUs = options.clock.nowUs()
      const ports = unplaced.replicas.map(({ port }) => port)
      await requireFreePorts(unplaced.deploy.router.kind === 'container' ? [...ports, unplaced.routerPort] : ports)
      const plan = { ...unplaced, ...(await placeOnGpus(order.manifest, unplaced, options.gpus)) }
      const { compile_cache } = plan.deploy
      const cache =
        compile_cache === undefined ? null : await openCompileCache(order.manifest, compile_cache, options.gpuKinds)
      return filling(await standUp(options, { order, plan, weights, cache, startUs }, signal), cache)
    },
    removeLeftovers: () => removeContainerLeftovers(docker),
  }
}

/** Null where the manifest stages none. */
async function weightsOf(
  { stateParent }: DockerDeployerOptions,
  { manifest, say }: Pick<StageOrder, 'manifest' | 'say'>,
  signal: AbortSignal,
): Promise<StagedWeights | null> {
  const directory = dockerDeploy(manifest).weights
  if (directory === undefined) return null
  return stageWeights(
    { manifest, directory, isMounted: true, say, ...(stateParent === undefined ? {} : { stateParent }) },
    signal,
  )
}

interface StandUp {
  order: DeployOrder
  plan: DockerPlan
  weights: StagedWeights | null
  cache: CompileCache | null
  startUs: number
}

async function standUp(
  options: DockerDeployerOptions,
  { order, plan: planned, weights, cache, startUs }: StandUp,
  signal: AbortSignal,
): Promise<Deployment> {
  const { docker, clock } = options
  const plan = {
    ...planned,
    environment: { ...cache?.environment, ...hubEnvironment(weights), ...planned.environment },
  }
  const image = await stageImage(docker, plan.deploy.image, () => undefined, signal)
  const labels = await deploymentLabels(order.deployId)
  const floor = await memoryFloor(plan, plan.deploy.gpu_free_timeout_seconds * 1000, options.gpuMemory)
  const source = plan.deploy.weights
  const mounts = [
    ...(source === undefined ? [] : [{ source, target: source, isReadOnly: true }]),
    ...(cache === null ? [] : [cache.mount]),
  ]
  const engine = new StandingContainers({ docker, order, plan, image, labels, mounts, clock, signal, floor })
  const control = engineControl(order.dialect, order.manifest, options.connection)
  const targets = async (replicas: readonly Replica[], startup: AbortSignal) => {
    if (plan.deploy.router.kind !== 'container') return loadTargets(order.manifest, replicas)
    const url = await startRouter({ order, plan, engine, control, clock }, replicas, startup)
    return loadTargets(order.manifest, replicas, url)
  }
  const ranIdentity = async () => [
    ...(await containerIdentity(docker, order, plan, image, engine.containers)),
    ...weightsIdentity(order, weights),
    ...(await clientCpus(plan.deploy)),
  ]
  const compileCache = cache?.state ?? 'unknown'
  return bringUp({ order, plan, engine, control, clock, startUs, compileCache, ranIdentity, targets }, signal)
}

/** An engine that finds its weights asks no hub; what is not staged must fail, not be fetched. */
function hubEnvironment(weights: StagedWeights | null): Record<string, string> {
  if (weights === null) return {}
  return { HF_HUB_OFFLINE: '1', ...(weights.hubCache === null ? {} : { HF_HUB_CACHE: weights.hubCache }) }
}

/** An engine that came up, and to which nothing happened, leaves a cache that the next one finds filled. */
function filling(deployment: Deployment, cache: CompileCache | null): Deployment {
  return {
    ...deployment,
    async [Symbol.asyncDispose]() {
      const isSound = deployment.events().length === 0
      await deployment[Symbol.asyncDispose]()
      if (isSound) await cache?.fill()
    },
  }
}
