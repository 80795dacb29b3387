import type { Clock } from '../../app/ports/clock.ts'
import type { DeployOrder, Deployment, EngineDeployer } from '../../app/ports/engine.ts'
import type { EngineConnection } from '../system/engine-connection.ts'
import { bringUp, requireFreePorts } from './bring-up.ts'
import { engineControl } from './control.ts'
import { containerIdentity } from './docker-identity.ts'
import { stageImage } from './docker-image.ts'
import { deploymentLabels, removeContainerLeftovers } from './docker-labels.ts'
import { dockerDeploy, dockerPlan } from './docker-plan.ts'
import type { DockerPlan } from './docker-plan.ts'
import type { Docker } from './docker-program.ts'
import { placeOnGpus } from './gpu-choice.ts'
import type { GpuList } from './gpu-choice.ts'
import { memoryFloor } from './gpu-memory.ts'
import type { GpuMemory } from './gpu-memory.ts'
import { loadTargets } from './load-targets.ts'
import { StandingContainers } from './standing-containers.ts'

export interface DockerDeployerOptions {
  clock: Clock
  docker: Docker
  /** Our own environment: the declared secrets are taken from it, nothing else. */
  environment: Readonly<Record<string, string | undefined>>
  connection?: EngineConnection
  /** Default: as nvidia-smi tells. */
  gpus?: GpuList
  gpuMemory?: GpuMemory
}

/** Deploys an engine as containers of this machine: one for each replica, on the host's network. */
export function dockerDeployer(options: DockerDeployerOptions): EngineDeployer {
  const { docker } = options
  return {
    async stage({ manifest, say }, signal) {
      const deploy = dockerDeploy(manifest)
      await stageImage(docker, deploy.image, say, signal)
      if (deploy.router.kind === 'container') await stageImage(docker, deploy.router.image, say, signal)
    },
    async deploy(order, signal) {
      const unplaced = dockerPlan(order, options.environment)
      signal.throwIfAborted()
      const startUs = options.clock.nowUs()
      const ports = unplaced.replicas.map(({ port }) => port)
      await requireFreePorts(unplaced.deploy.router.kind === 'container' ? [...ports, unplaced.routerPort] : ports)
      const plan = { ...unplaced, ...(await placeOnGpus(order.manifest, unplaced, options.gpus)) }
      return standUp(options, order, plan, startUs, signal)
    },
    removeLeftovers: () => removeContainerLeftovers(docker),
  }
}

async function standUp(
  options: DockerDeployerOptions,
  order: DeployOrder,
  plan: DockerPlan,
  startUs: number,
  signal: AbortSignal,
): Promise<Deployment> {
  const { docker, clock } = options
  const image = await stageImage(docker, plan.deploy.image, () => undefined, signal)
  const labels = await deploymentLabels(order.deployId)
  const floor = await memoryFloor(plan, plan.deploy.gpu_free_timeout_seconds * 1000, options.gpuMemory)
  const engine = new StandingContainers({ docker, order, plan, image, labels, mounts: [], clock, signal, floor })
  const control = engineControl(order.dialect, order.manifest, options.connection)
  return bringUp(
    {
      order,
      plan,
      engine,
      control,
      clock,
      startUs,
      compileCache: 'unknown',
      ranIdentity: () => containerIdentity(docker, order, plan, image, engine.containers),
      targets: async (replicas) => loadTargets(order.manifest, replicas),
    },
    signal,
  )
}
