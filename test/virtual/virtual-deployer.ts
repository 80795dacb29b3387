import type { Deployment, DeployOrder, EngineDeployer, EngineEvent, Replica } from '../../src/app/ports/engine.ts'
import { GateError } from '../../src/core/kernel/errors.ts'
import type { Evidence } from '../../src/core/kernel/evidence.ts'
import type { ScheduleRow } from '../../src/core/schedule/schedule.ts'
import type { FakeClock } from '../fakes/clock.ts'
import type { Mishaps } from './in-flight.ts'
import type { LiveReplica } from './live-replica.ts'
import { VirtualEngine } from './virtual-engine.ts'
import type { VirtualSubject } from './virtual-engine.ts'

/** What befalls which boot (from 1). */
export interface BootPlan {
  bootSeconds?: number
  startFails?: (boot: number) => boolean
  /** The replica that is killed in that boot's points as its request of that number arrives; null: none. */
  crash?: (boot: number) => { replica: number; atRequest: number } | null
  /** Requests that the boot refuses with 503. */
  refuses?: (row: ScheduleRow, boot: number) => boolean
  identity?: readonly Evidence[]
  kvTokens?: (boot: number) => number
  /** What a version is, where it is not the world's subject. */
  versions?: Readonly<Record<string, VirtualSubject>>
  /** Versions whose image is gone. */
  lacks?: readonly string[]
  /** Default: hit. */
  compileCache?: (boot: number) => 'hit' | 'miss' | 'unknown'
}

interface Standing {
  engine: VirtualEngine
  mishaps: Mishaps
}

export interface VirtualDeployer extends EngineDeployer {
  /** Boots begun, failed ones too. */
  readonly boots: number
  /** How many engines stand: one at most, none after a run. */
  readonly standing: number
  /** The engine behind a replica's address. Throws for one that does not stand. */
  engineAt(target: Replica): Standing
  replicaAt(target: Replica): LiveReplica
}

const BOOT_SECONDS = 300

/** Boots the model's replicas: each boot is another draw of the subject's noise. */
export function virtualDeployer(clock: FakeClock, subject: VirtualSubject, plan: BootPlan): VirtualDeployer {
  const standing = new Map<string, Standing>()
  let boots = 0
  const engineAt = (target: Replica): Standing => {
    const found = standing.get(new URL(target.url).hostname)
    if (!found) throw new Error(`no virtual engine stands at ${target.url}`)
    return found
  }
  return {
    get boots() {
      return boots
    },
    get standing() {
      return standing.size
    },
    engineAt,
    replicaAt: (target) => {
      const replica = engineAt(target).engine.replicas[target.index]
      if (!replica) throw new Error(`no replica ${target.index}`)
      return replica
    },
    async stage({ manifest }, signal) {
      signal.throwIfAborted()
      if (plan.lacks?.includes(manifest.engine.version)) throw imageGone(manifest.engine.version)
    },
    async deploy(order, signal) {
      signal.throwIfAborted()
      boots += 1
      const boot = boots
      await clock.sleep((plan.bootSeconds ?? BOOT_SECONDS) * 1000, signal)
      if (plan.startFails?.(boot)) throw diedAtStart(order)
      const own = plan.versions?.[order.manifest.engine.version] ?? subject
      const engine = new VirtualEngine(own, boot, order.manifest.engine.placement.replicas)
      return deployed(clock, order, engine, { boot, plan, standing })
    },
    removeLeftovers: async () => [],
  }
}

function deployed(
  clock: FakeClock,
  order: DeployOrder,
  engine: VirtualEngine,
  { boot, plan, standing }: { boot: number; plan: BootPlan; standing: Map<string, Standing> },
): Deployment {
  const events: EngineEvent[] = []
  const crash = plan.crash?.(boot) ?? null
  const onCrash = (clockUs: number) => {
    const replica = crash?.replica ?? null
    events.push({ clockUs, replica, kind: 'exit', blames: 'engine', text: 'exited with code 139' })
  }
  const { refuses } = plan
  const mishaps: Mishaps = {
    ...(crash ? { crash: { ...crash, onCrash } } : {}),
    ...(refuses ? { refuses: (row) => refuses(row, boot) } : {}),
  }
  standing.set(order.deployId, { engine, mishaps })
  order.log.write(`virtual engine, boot ${boot}\n`)
  const blocks = engine.replicas.map(({ model }) => model.parameters.kvBlocks * model.parameters.blockTokens)
  const replicas = engine.replicas.map((_, index) => ({ index, url: `http://${order.deployId}:${8000 + index}` }))
  return {
    deployId: order.deployId,
    replicas,
    targets: replicas,
    boot: {
      deployId: order.deployId,
      seconds: plan.bootSeconds ?? BOOT_SECONDS,
      firstRequestMs: 40,
      compileCache: plan.compileCache?.(boot) ?? 'hit',
      kvTokens: plan.kvTokens?.(boot) ?? blocks.reduce((sum, tokens) => sum + tokens, 0),
    },
    identity: plan.identity ?? ['identity.version', 'identity.model', 'identity.argv'].map(proven),
    async resetCache(signal) {
      signal.throwIfAborted()
      const isReset = engine.replicas.every((replica) => replica.alive && replica.model.resetPrefixCache())
      const text = isReset ? 'every replica forgot its prefixes' : 'a replica is busy or gone'
      return { probe: 'cache_hit.reset', state: isReset ? 'pass' : 'fail', required: true, blames: 'host', text }
    },
    events: () => events,
    async [Symbol.asyncDispose]() {
      standing.delete(order.deployId)
      await clock.sleep(1000)
    },
  }
}

function imageGone(version: string): GateError {
  return new GateError({
    code: 'image_not_found',
    message: `the registry has no image of ${version}`,
    hint: 'compare the digest with the registry’s',
  })
}

function diedAtStart(order: DeployOrder): GateError {
  return new GateError({
    code: 'engine_died_at_start',
    message: `replica 0 of ${order.deployId} exited with code 1 before it was ready`,
    hint: 'see engine.log',
  })
}

function proven(probe: string): Evidence {
  return { probe, state: 'pass', required: true, blames: 'host', text: 'as declared' }
}
