import type { DeployOrder, Deployment, EngineDeployer, EngineEvent, Replica } from '../../src/app/ports/engine.ts'
import type { Evidence } from '../../src/core/kernel/evidence.ts'

export interface FakeEngineOptions {
  /** Thrown by the deployment with that number, from 0. */
  failures?: ReadonlyMap<number, Error>
  identity?: readonly Evidence[]
  reset?: Pick<Evidence, 'state' | 'text'>
  bootSeconds?: number
  firstRequestMs?: number
  kvTokens?: number | null
  leftovers?: readonly string[]
}

export interface FakeDeployer extends EngineDeployer {
  /** Every order that was taken, in order. */
  readonly orders: readonly DeployOrder[]
  /** Ids of the deployments that stand. */
  readonly standing: readonly string[]
  /** Ids of deployments and how often each was reset. */
  readonly resets: ReadonlyMap<string, number>
  /** Something happens to a deployment that stands. */
  happen(deployId: string, event: EngineEvent): void
}

function proven(probe: string): Evidence {
  return { probe, state: 'pass', required: true, blames: 'host', text: 'as declared' }
}

/** An engine that is there at once, in memory. */
export function fakeDeployer(options: FakeEngineOptions = {}): FakeDeployer {
  const orders: DeployOrder[] = []
  const standing = new Map<string, EngineEvent[]>()
  const resets = new Map<string, number>()
  const identity = options.identity ?? ['identity.version', 'identity.model', 'identity.argv'].map(proven)
  return {
    orders,
    resets,
    get standing() {
      return [...standing.keys()]
    },
    happen: (deployId, event) => standing.get(deployId)?.push(event),
    stage: async (_order, signal) => signal.throwIfAborted(),
    async deploy(order, signal): Promise<Deployment> {
      signal.throwIfAborted()
      const failure = options.failures?.get(orders.length)
      orders.push(order)
      if (failure) throw failure
      const events: EngineEvent[] = []
      const { deployId } = order
      standing.set(deployId, events)
      order.log.write('[r0] fake engine ready\n')
      const count = order.manifest.engine.placement.replicas
      const replicas = Array.from({ length: count }, (_, index): Replica => ({ index, url: `http://fake-${index}` }))
      return {
        deployId,
        replicas,
        targets: replicas,
        boot: {
          deployId,
          seconds: options.bootSeconds ?? 1,
          firstRequestMs: options.firstRequestMs ?? 10,
          compileCache: 'unknown',
          kvTokens: options.kvTokens === undefined ? 1600 * count : options.kvTokens,
        },
        identity,
        async resetCache(abort) {
          abort.throwIfAborted()
          resets.set(deployId, (resets.get(deployId) ?? 0) + 1)
          return { probe: 'cache_hit.reset', required: true, blames: 'host', ...(options.reset ?? { state: 'pass' }) }
        },
        events: () => events,
        async [Symbol.asyncDispose]() {
          standing.delete(deployId)
        },
      }
    },
    removeLeftovers: async () => options.leftovers ?? [],
  }
}
