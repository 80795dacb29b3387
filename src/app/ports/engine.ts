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

export interface EngineEvent {
  /** On the clock of `Clock.nowUs`. */
  clockUs: number
  replica: number | null
  kind: 'exit' | 'out_of_memory' | 'restart' | 'hang'
  blames: Blame
  text: string
}

/** A running engine, all replicas ready and each having generated once. Disposing it stops and removes every process of it. */
export interface Deployment extends AsyncDisposable {
  readonly deployId: string
  readonly replicas: readonly Replica[]
  readonly boot: BootRecord
  /** What ran, proven where it can be: `identity.version`, `identity.model`, `identity.argv`, `identity.files` … */
  readonly identity: readonly Evidence[]
  /** Resets every replica's prefix cache, reading the answer's body: `cache_hit.reset`. Unknown where the dialect has no reset. */
  resetCache(signal: AbortSignal): Promise<Evidence>
  /** Everything that happened to the engine since it was deployed, oldest first (an exit, a hang). */
  events(): readonly EngineEvent[]
}

/** One way of deploying an engine. */
export interface EngineDeployer {
  /**
   * Starts every replica and waits until each is ready. Throws GateError `engine_not_ready`, `engine_died_at_start`, `port_in_use`,
   * `engine_start_failed`: the engine is to blame, nothing is left behind.
   */
  deploy(order: DeployOrder, signal: AbortSignal): Promise<Deployment>
  /** Removes what an earlier, killed run left behind; says what. */
  removeLeftovers(): Promise<readonly string[]>
}
