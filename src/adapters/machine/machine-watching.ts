import type { Owned } from '../../app/ports/engine.ts'
import type { MachineWatch } from '../../app/ports/machine.ts'
import type { TelemetryLine } from '../../core/telemetry/line.ts'
import type { GpuProcess, MachineSeen } from '../../core/telemetry/machine-line.ts'
import { GpuSampler } from './gpu-sampler.ts'
import type { MachineSources } from './machine-sources.ts'
import { ownedNow } from './machine-sources.ts'
import { describeProcesses } from './process-owner.ts'

/** In intervals. Each list of processes starts a program; an exporter collects every thirty seconds by itself. */
const PROCESSES_EVERY = 2
const DCGM_EVERY = 10

/** Looks at the machine every interval until disposed. */
export class MachineWatching implements AsyncDisposable {
  readonly #sources: MachineSources
  readonly #order: MachineWatch
  readonly #onLine: (line: TelemetryLine) => void
  readonly #stopping = new AbortController()
  readonly #sampler: GpuSampler | null
  readonly #running: Promise<void>
  #owned: Owned | null = null
  /** What was told last of each: the same again is not told again. */
  readonly #told = new Map<string, string>()

  constructor(sources: MachineSources, order: MachineWatch, onLine: (line: TelemetryLine) => void) {
    this.#sources = sources
    this.#order = order
    this.#onLine = onLine
    const { smi, clock } = sources
    const { gpus, intervalMs } = order
    const onSeen = (seen: MachineSeen) => this.#see(seen)
    this.#sampler = order.withGpus && gpus.length > 0 ? new GpuSampler({ smi, gpus, intervalMs, clock, onSeen }) : null
    this.#running = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    this.#sampler?.[Symbol.dispose]()
    await this.#running
  }

  async #run(): Promise<void> {
    const { clock, host } = this.#sources
    const startUs = clock.nowUs()
    const beside = new Set<Promise<void>>()
    for (let tick = 0; !this.#stopping.signal.aborted; tick += 1) {
      this.#see({ kind: 'host', host: await host.sample() })
      this.#sampler?.check()
      // What takes long does not hold up the next interval; of each kind one runs at a time.
      for (const work of beside.size === 0 ? this.#due(tick) : []) {
        const done = work.finally(() => beside.delete(done))
        beside.add(done)
      }
      const dueUs = startUs + (tick + 1) * this.#order.intervalMs * 1000
      await clock.sleep(Math.max(0, dueUs - clock.nowUs()) / 1000, this.#stopping.signal).catch(() => undefined)
    }
    await Promise.all(beside)
  }

  #due(tick: number): Promise<void>[] {
    if (this.#sampler === null) return []
    return [
      ...(tick % PROCESSES_EVERY === 0 ? [this.#listProcesses()] : []),
      ...(tick % DCGM_EVERY === 0 ? [this.#readDcgm()] : []),
    ]
  }

  async #listProcesses(): Promise<void> {
    const listed = await this.#sources.smi.processes()
    if ('why' in listed) return this.#see({ kind: 'gap', probe: 'processes', error: listed.why })
    let processes = await describeProcesses(listed, this.#owned, this.#sources.names)
    // A worker that the engine started since is its own as well: it is asked again before anyone is called a stranger.
    if (processes.some(isNotOurs)) {
      this.#owned = await ownedNow(this.#order)
      processes = await describeProcesses(listed, this.#owned, this.#sources.names)
    }
    this.#see({ kind: 'processes', processes })
  }

  async #readDcgm(): Promise<void> {
    const gpus = await this.#sources.dcgm(this.#order).read()
    if (gpus === null) return
    if ('why' in gpus) return this.#see({ kind: 'gap', probe: 'dcgm', error: String(gpus.why) })
    this.#see({ kind: 'dcgm', gpus })
  }

  #see(seen: MachineSeen): void {
    const kind = seen.kind === 'gap' ? `gap ${seen.probe}` : seen.kind
    if (seen.kind === 'processes' || seen.kind === 'gap') {
      const text = JSON.stringify(seen)
      if (this.#told.get(kind) === text) return
      this.#told.set(kind, text)
    }
    const atUs = this.#sources.clock.nowUs() - this.#order.originUs
    this.#onLine({ t: 'machine', atUs, seen })
  }
}

function isNotOurs({ ours }: GpuProcess): boolean {
  return ours !== true
}
