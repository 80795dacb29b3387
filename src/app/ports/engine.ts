import type { BootRecord } from '../../core/capacity/record.ts'
import type { Dialect } from '../../core/dialect/dialect.ts'
import type { Blame, Evidence } from '../../core/kernel/evidence.ts'
import type { Manifest } from '../../core/manifest/schema.ts'

export interface Replica {
  index: number
  /** Origin without a trailing slash, e.g. `http://127.0.0.1:18000`. */
  url: string
}

export interface DeployOrder {
  manifest: Manifest
  dialect: Dialect
  /** Unique within the pack; leftovers are recognised by it. */
  deployId: string
  /** Receives what the engine prints, a chunk a call; secrets are scrubbed by the caller of `write`. */
  log: { write(chunk: string): void }
}

export interface StageOrder {
  manifest: Manifest
  dialect: Dialect
  /** Told what is fetched or read that may take long. */
  say(line: string): void
}

export interface EngineEvent {
  /** On the clock of `Clock.nowUs`. */
  clockUs: number
  replica: number | null
  kind: 'exit' | 'out_of_memory' | 'restart' | 'hang'
  blames: Blame
  text: string
}

/** What of this machine belongs to a deployment: its processes, as this machine numbers them, and the full ids of its containers. */
export interface Owned {
  readonly pids: readonly number[]
  readonly containers: readonly string[]
}

/** A running engine, all replicas ready and each having generated once. Disposing it stops and removes every process of it. */
export interface Deployment extends AsyncDisposable {
  readonly deployId: string
  /** Each is asked who it is, prewarmed, reset and scraped itself. */
  readonly replicas: readonly Replica[]
  /** Where load is sent: the replicas, or the one router before them. */
  readonly targets: readonly Replica[]
  readonly boot: BootRecord
  /** What ran, proven where it can be: `identity.version`, `identity.model`, `identity.argv`, `identity.files` … */
  readonly identity: readonly Evidence[]
  /** Resets every replica's prefix cache, reading the answer's body: `cache_hit.reset`. Unknown where the dialect has no reset. */
  resetCache(signal: AbortSignal): Promise<Evidence>
  /** Everything that happened to the engine since it was deployed, oldest first (an exit, a hang). */
  events(): readonly EngineEvent[]
  /** What is its own now, so that others on its GPUs are told from it. Missing where it cannot be told: somebody else's endpoint. */
  owned?(): Promise<Owned>
}

/** One way of deploying an engine. */
export interface EngineDeployer {
  /**
   * Everything that a deployment needs and that holds no part of the machine, before the machine is claimed: the image is there, the
   * weights are whole. Throws GateError, exit 4 where what the manifest names is not what is there.
   */
  stage(order: StageOrder, signal: AbortSignal): Promise<void>
  /**
   * Starts every replica and waits until each is ready. Throws GateError `engine_not_ready`, `engine_died_at_start`, `port_in_use`,
   * `engine_start_failed`: the engine is to blame, nothing is left behind.
   */
  deploy(order: DeployOrder, signal: AbortSignal): Promise<Deployment>
  /** Removes what an earlier, killed run left behind; says what. */
  removeLeftovers(): Promise<readonly string[]>
}
