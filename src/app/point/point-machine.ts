import { claimedGpus } from '../../core/telemetry/claimed-gpus.ts'
import type { TelemetryLine } from '../../core/telemetry/line.ts'
import type { MachineSeen, MachineState } from '../../core/telemetry/machine-line.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { Effects } from '../context.ts'
import type { Deployment } from '../ports/engine.ts'
import { machineLook } from '../machine-look.ts'
import type { MachineWatch } from '../ports/machine.ts'

const INTERVAL_MS = 1000

type Watched = Omit<MachineWatch, 'originUs' | 'intervalMs'>

/** The machine before, during and after one point, as lines of its telemetry. */
export class PointMachine {
  readonly #effects: Effects
  readonly #order: Watched
  readonly #before: { state: MachineState; clockUs: number }

  private constructor(effects: Effects, order: Watched, before: { state: MachineState; clockUs: number }) {
    this.#effects = effects
    this.#order = order
    this.#before = before
  }

  /** The look before. It may take seconds: to be done before the cohort's start is fixed. */
  static async look(
    effects: Effects,
    manifest: Manifest,
    deployment: Deployment,
    signal: AbortSignal,
  ): Promise<PointMachine> {
    const order = { ...machineLook(manifest), owned: deployment.owned?.bind(deployment) ?? null }
    const state = await effects.machine.look(order, signal)
    const claim = claimedGpus(manifest, state.gpus ?? [])
    return new PointMachine(effects, { ...order, gpus: claim?.uuids ?? [] }, { state, clockUs: effects.clock.nowUs() })
  }

  /** From before the warm-up until disposed. */
  watch(originUs: number, onLine: (line: TelemetryLine) => void): AsyncDisposable {
    return this.#effects.machine.watch({ ...this.#order, originUs, intervalMs: INTERVAL_MS }, onLine)
  }

  /** The look after, and both looks as lines. */
  async end(originUs: number, signal: AbortSignal): Promise<TelemetryLine[]> {
    const state = await this.#effects.machine.look(this.#order, signal)
    const line = (clockUs: number, seen: MachineSeen): TelemetryLine => ({
      t: 'machine',
      atUs: clockUs - originUs,
      seen,
    })
    return [
      line(this.#before.clockUs, { kind: 'state', phase: 'before', state: this.#before.state }),
      line(this.#effects.clock.nowUs(), { kind: 'state', phase: 'after', state }),
    ]
  }
}
