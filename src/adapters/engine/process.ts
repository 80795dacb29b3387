import type { Clock } from '../../app/ports/clock.ts'
import type { DeployOrder, EngineDeployer } from '../../app/ports/engine.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import type { EngineConnection } from '../system/engine-connection.ts'
import { bringUp, requireFreePorts } from './bring-up.ts'
import { engineControl } from './control.ts'
import { fileDigester } from './file-digests.ts'
import type { FileDigester } from './file-digests.ts'
import { placeOnGpus } from './gpu-choice.ts'
import { memoryFloor } from './gpu-memory.ts'
import { argvIdentity, identityEvidence } from './identity.ts'
import { launchPlan } from './launch-plan.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { removeLeftovers } from './leftovers.ts'
import { loadTargets } from './load-targets.ts'
import { StandingEngine } from './standing-engine.ts'
import { ownWeights, weightsIdentity } from './weights.ts'

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
  const state = options.stateParent === undefined ? {} : { stateParent: options.stateParent }
  return {
    async stage({ manifest, say }, signal) {
      signal.throwIfAborted()
      await ownWeights({ manifest, say, ...state }, signal)
    },
    async deploy(order, signal) {
      const unplaced = launchPlan(order, { environment: options.environment, nodePath })
      signal.throwIfAborted()
      await requireFreePorts(unplaced.replicas.map(({ port }) => port))
      const weights = await ownWeights({ manifest: order.manifest, say: () => undefined, ...state }, signal)
      const startUs = options.clock.nowUs()
      const plan = await placeOnGpus(order.manifest, unplaced)
      const floor = await memoryFloor(plan, gpuFreeTimeoutMs(order))
      const { clock, cwd, stateParent } = options
      const engine = await StandingEngine.register({ order, plan, clock, cwd, stateParent, signal, floor })
      const control = engineControl(order.dialect, order.manifest, options.connection)
      const up = { order, plan, engine, control, clock, startUs, compileCache: 'unknown' as const }
      return bringUp(
        {
          ...up,
          ranIdentity: async () => [
            ...(await ranIdentity(order, plan, engine, digester, cwd)),
            ...weightsIdentity(order, weights),
          ],
          targets: async (replicas) => loadTargets(order.manifest, replicas),
        },
        signal,
      )
    },
    removeLeftovers: () => removeLeftovers(options.stateParent),
  }
}

function gpuFreeTimeoutMs({ manifest }: DeployOrder): number {
  const { deploy } = manifest.engine
  return deploy?.kind === 'process' ? deploy.gpu_free_timeout_seconds * 1000 : 0
}

async function ranIdentity(
  order: DeployOrder,
  plan: LaunchPlan,
  engine: StandingEngine,
  digester: FileDigester,
  cwd: string,
): Promise<Evidence[]> {
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
