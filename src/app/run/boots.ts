import type { BootRecord } from '../../core/capacity/record.ts'
import type { Dialect } from '../../core/dialect/dialect.ts'
import { GateError } from '../../core/kernel/errors.ts'
import type { Cache } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { Effects } from '../context.ts'
import type { Deployment } from '../ports/engine.ts'

/** Codes of a deployment that failed through the engine's own fault: they fail the point. Any other ends the run. */
const ENGINE_FAULTS = new Set(['engine_not_ready', 'engine_died_at_start'])

export type Boot = { ok: true; deployment: Deployment } | { ok: false; deployId: string; error: GateError }

export interface BootsInit {
  effects: Effects
  manifest: Manifest
  dialect: Dialect
  cache: Cache
  /** Stands before the ids of its deployments. */
  deployPrefix: string
  log: { write(chunk: string): void }
  /** Called with an engine that had to compile its kernels, before it is thrown away: what it is asked is compiled as well. */
  warmUp(deployment: Deployment, signal: AbortSignal): Promise<void>
  /** Of an interrupted run. */
  earlier: readonly BootRecord[]
  /** Boots that came up and boots that did not: their ids are taken. */
  earlierAttempts: number
  earlierHeldSeconds: number
}

/**
 * The engine of one cache state: at most one deployment stands at a time, until `fresh` replaces it or disposal ends it.
 */
export class Boots implements AsyncDisposable {
  readonly records: BootRecord[]
  readonly #init: BootsInit
  #current: { deployment: Deployment; sinceUs: number } | null = null
  #heldSeconds: number
  #attempts: number

  constructor(init: BootsInit) {
    this.#init = init
    this.records = [...init.earlier]
    this.#heldSeconds = init.earlierHeldSeconds
    this.#attempts = init.earlierAttempts
  }

  get current(): Deployment | null {
    return this.#current?.deployment ?? null
  }

  /** Seconds for which this state has held an engine so far, boots included: what GPU-minutes are counted from. */
  heldSeconds(): number {
    return this.#heldSeconds + (this.#current ? this.#secondsSince(this.#current.sinceUs) : 0)
  }

  /**
   * Ends the standing engine, if any, and boots another. One that found no compiled kernels is asked a little and thrown away: compiling
   * takes memory that its KV cache then lacks. A failure that is the engine's own fault is a value.
   */
  async fresh(signal: AbortSignal): Promise<Boot> {
    const boot = await this.#boot(signal)
    if (!boot.ok || boot.deployment.boot.compileCache !== 'miss') return boot
    const { deployId } = boot.deployment
    this.#init.effects.progress.note(`${deployId}: its compile cache was cold; it is warmed up and thrown away`)
    await this.#init.warmUp(boot.deployment, signal)
    return this.#boot(signal)
  }

  async #boot(signal: AbortSignal): Promise<Boot> {
    await this.end()
    const { effects, manifest, dialect, cache, deployPrefix, log } = this.#init
    this.#attempts += 1
    const deployId = `${deployPrefix}${cache}-boot-${this.#attempts}`
    const sinceUs = effects.clock.nowUs()
    effects.progress.note(`${deployId}: starting ${manifest.engine.name} ${manifest.engine.version}`)
    try {
      const deployment = await effects.deployer.deploy({ manifest, dialect, deployId, log }, signal)
      this.#current = { deployment, sinceUs }
      this.records.push(deployment.boot)
      effects.progress.note(`${deployId}: ready after ${deployment.boot.seconds.toFixed(1)} s`)
      return { ok: true, deployment }
    } catch (error) {
      this.#heldSeconds += this.#secondsSince(sinceUs)
      if (!(error instanceof GateError && ENGINE_FAULTS.has(error.code))) throw error
      effects.progress.warn(`${deployId}: ${error.message}`)
      return { ok: false, deployId, error }
    }
  }

  async end(): Promise<void> {
    const current = this.#current
    if (!current) return
    this.#current = null
    await current.deployment[Symbol.asyncDispose]()
    this.#heldSeconds += this.#secondsSince(current.sinceUs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end()
  }

  #secondsSince(sinceUs: number): number {
    return (this.#init.effects.clock.nowUs() - sinceUs) / 1e6
  }
}
