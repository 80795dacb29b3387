import type { Evidence } from '../../core/kernel/evidence.ts'
import type { Clock } from '../../app/ports/clock.ts'
import type { DeployOrder, Deployment, EngineDeployer, Replica } from '../../app/ports/engine.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import type { EngineConnection } from '../system/engine-connection.ts'
import { engineOrigin } from '../system/engine-origin.ts'
import { resetEvidence } from './cache-reset.ts'
import { engineControl } from './control.ts'
import { askedIdentity, identityEvidence } from './identity.ts'
import { waitUntilReady } from './readiness.ts'
import { loadTargets } from './load-targets.ts'

export interface EndpointDeployerOptions {
  clock: Clock
  /** Instead of the manifest's `engine.deploy.urls` (`--endpoint URL`). */
  urls?: readonly string[]
  connection?: EngineConnection
}

const DEFAULT_READY_TIMEOUT_MS = 30_000

/** An engine that somebody else started: it is waited for and asked who it is, and never stopped. */
export function endpointDeployer(options: EndpointDeployerOptions): EngineDeployer {
  return {
    stage: async (_order, signal) => signal.throwIfAborted(),
    async deploy(order, signal) {
      const urls = options.urls ?? manifestUrls(order)
      const replicas = urls.map((url, index): Replica => ({ index, url: engineOrigin(url) }))
      const control = engineControl(order.dialect, order.manifest, options.connection)
      try {
        // Addresses that were given in the manifest's place are all that there is.
        const targets = options.urls ? replicas : loadTargets(order.manifest, replicas)
        return await meet(order, { replicas, targets }, control, options.clock, signal)
      } catch (error) {
        await control[Symbol.asyncDispose]()
        throw error
      }
    },
    removeLeftovers: async () => [],
  }
}

async function meet(
  order: DeployOrder,
  { replicas, targets }: Pick<Deployment, 'replicas' | 'targets'>,
  control: ReturnType<typeof engineControl>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Deployment> {
  const startUs = clock.nowUs()
  const { deploy } = order.manifest.engine
  const timeoutMs = deploy ? deploy.ready_timeout_seconds * 1000 : DEFAULT_READY_TIMEOUT_MS
  const ready = await Promise.all(
    replicas.map((replica) => {
      const deadlineUs = startUs + timeoutMs * 1000
      return waitUntilReady(
        { replica, modelId: order.manifest.model.id, control, clock, deadlineUs, timeoutMs },
        signal,
      )
    }),
  )
  const asked = await askedIdentity(order, replicas, ready, control, signal)
  // Nobody could prove these of an engine that stood before: they do not void its points, and such a record is never promoted.
  const unproven = (probe: 'argv' | 'files'): Evidence => ({
    ...identityEvidence(order, probe, { state: 'unknown', text: 'the engine was not started by this run' }),
    required: false,
  })
  const kvTokens = await Promise.all(replicas.map((replica) => control.kvTokens(replica.url, signal)))
  return {
    deployId: order.deployId,
    replicas,
    targets,
    boot: {
      deployId: order.deployId,
      seconds: (clock.nowUs() - startUs) / 1e6,
      firstRequestMs: Math.max(...ready.map((one) => one.firstRequestMs)),
      compileCache: 'unknown',
      kvTokens: kvTokens.reduce<number | null>((sum, own) => (sum === null || own === null ? null : sum + own), 0),
    },
    identity: [...asked, unproven('argv'), unproven('files')],
    resetCache: (abort) => resetEvidence(order, replicas, control, clock, abort),
    events: () => [],
    [Symbol.asyncDispose]: () => control[Symbol.asyncDispose](),
  }
}

function manifestUrls(order: DeployOrder): readonly string[] {
  const { deploy } = order.manifest.engine
  if (deploy?.kind === 'endpoint') return deploy.urls
  throw new GateError({
    code: 'not_deployable',
    message: 'the manifest names no endpoint: engine.deploy.kind is not endpoint',
    hint: 'give --endpoint URL, or engine.deploy with kind endpoint and urls',
    exitCode: EXIT.invalid,
  })
}
