import { GateError } from '../../core/kernel/errors.ts'
import type { BootRecord } from '../../core/capacity/record.ts'
import type { Dialect } from '../../core/dialect/dialect.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
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
  log: { write(chunk: string): void }
}

/**
 * The engine of one run: at most one deployment stands at a time, and it is always the caller's to use until `fresh` or disposal
 * replaces it.
 */
export class Boots implements AsyncDisposable {
  readonly records: BootRecord[] = []
  identity: readonly Evidence[] = []
  /** Seconds during which an engine stood, boots included: what GPU-minutes are counted from. */
  #heldUs = 0
  #current: { deployment: Deployment; sinceUs: number } | null = null
  readonly #init: BootsInit
  #count: number

  constructor(init: BootsInit, earlier: readonly BootRecord[]) {
    this.#init = init
    this.records.push(...earlier)
    this.#count = earlier.length
  }

  get current(): Deployment | null {
    return this.#current?.deployment ?? null
  }

  /** Seconds for which this run has held an engine so far. */
  heldSeconds(): number {
    const running = this.#current ? this.#init.effects.clock.nowUs() - this.#current.sinceUs : 0
    return (this.#heldUs + running) / 1e6
  }

  /** Ends the standing engine, if any, and boots another. A failure that is the engine's own fault is a value. */
  async fresh(signal: AbortSignal): Promise<Boot> {
    await this.end()
    const { effects, manifest, dialect, log } = this.#init
    this.#count += 1
    const deployId = `boot-${this.#count}`
    const sinceUs = effects.clock.nowUs()
    effects.progress.note(`${deployId}: starting ${manifest.engine.name} ${manifest.engine.version}`)
    try {
      const deployment = await effects.deployer.deploy({ manifest, dialect, deployId, log }, signal)
      this.#current = { deployment, sinceUs }
      this.records.push(deployment.boot)
      this.identity = deployment.identity
      effects.progress.note(`${deployId}: ready after ${deployment.boot.seconds.toFixed(1)} s`)
      return { ok: true, deployment }
    } catch (error) {
      this.#heldUs += effects.clock.nowUs() - sinceUs
      if (error instanceof GateError && ENGINE_FAULTS.has(error.code)) return { ok: false, deployId, error }
      throw error
    }
  }

  async end(): Promise<void> {
    const current = this.#current
    if (!current) return
    this.#current = null
    await current.deployment[Symbol.asyncDispose]()
    this.#heldUs += this.#init.effects.clock.nowUs() - current.sinceUs
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end()
  }
}
