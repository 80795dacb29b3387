import { execa } from 'execa'
import type { Clock } from '../../app/ports/clock.ts'
import type { QueryColumn } from '../../core/telemetry/gpu-query.ts'
import { parseSampleRow, queryArguments } from '../../core/telemetry/gpu-query.ts'
import type { GpuSample, MachineSeen } from '../../core/telemetry/machine-line.ts'
import { printableLine } from '../system/bounded-http.ts'
import type { NvidiaSmi } from './nvidia-smi.ts'

export interface SamplerOptions {
  smi: NvidiaSmi
  gpus: readonly string[]
  intervalMs: number
  clock: Clock
  onSeen(seen: MachineSeen): void
}

/** Silent for so long, it hangs in its driver. */
const SILENCE_US = 5_000_000
const STARTS_MAX = 4
/** Rounds that come closer than this share of an interval are left out. */
const CLOSEST_SHARE = 0.25
/** A row is a hundred characters; what has no end by then is none. */
const PARTIAL_MAX = 65_536

/** Nothing of its output is kept by the library: it runs for an hour. */
function startLoop(program: string, args: readonly string[]) {
  return execa(program, [...args], { buffer: false, reject: false, stdin: 'ignore', env: { LC_ALL: 'C' } })
}

type Loop = ReturnType<typeof startLoop>

/**
 * Samples GPUs by one nvidia-smi that runs on and prints a row for each of them every interval: starting one each second would cost more
 * than what it measures. One that ends or falls silent is started anew a few times, and every such gap is told.
 */
export class GpuSampler implements Disposable {
  readonly #options: SamplerOptions
  #columns: readonly QueryColumn[] = []
  #child: Loop | null = null
  #starts = 0
  #lastUs = 0
  #toldUs = Number.NEGATIVE_INFINITY
  #partial = ''
  #said = ''
  #tick = new Map<string, GpuSample>()
  #over = false

  constructor(options: SamplerOptions) {
    this.#options = options
    void this.#begin()
  }

  /** To be called every interval: ends one that hangs, and starts another where one has ended. */
  check(): void {
    // The interval in which it was disposed may still come here.
    if (this.#over) return
    if (this.#child === null) {
      if (this.#starts > 0 && this.#starts < STARTS_MAX) this.#start()
      return
    }
    if (this.#options.clock.nowUs() - this.#lastUs < SILENCE_US) return
    this.#end(`${this.#options.smi.program} has printed nothing for ${SILENCE_US / 1e6} s`)
  }

  [Symbol.dispose](): void {
    this.#over = true
    this.#flush()
    this.#kill()
  }

  async #begin(): Promise<void> {
    const columns = await this.#options.smi.columns()
    if (this.#over) return
    if ('why' in columns) return this.#gap(columns.why)
    this.#columns = columns
    this.#start()
  }

  #start(): void {
    const { smi, gpus, intervalMs, clock } = this.#options
    this.#starts += 1
    this.#lastUs = clock.nowUs()
    this.#partial = ''
    this.#said = ''
    const args = [...queryArguments(this.#columns), `--id=${gpus.join(',')}`, `--loop-ms=${intervalMs}`]
    const child = startLoop(smi.program, args)
    this.#child = child
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(child, text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#said ||= printableLine(text, 200)))
    void child.then(({ code, exitCode }) => {
      if (this.#child !== child) return
      const how = code === 'ENOENT' ? 'is not installed' : `ended with exit code ${exitCode}`
      this.#end(`${smi.program} ${how}${this.#said === '' ? '' : `: ${this.#said}`}`)
    })
  }

  #read(child: Loop, text: string): void {
    if (this.#child !== child) return
    const lines = (this.#partial + text).split('\n')
    this.#partial = (lines.pop() ?? '').slice(-PARTIAL_MAX)
    for (const line of lines) {
      const sample = parseSampleRow(this.#columns, line)
      if (sample === null) this.#said ||= printableLine(line, 200)
      else this.#take(sample)
    }
  }

  /** One line of telemetry for each round of rows. */
  #take(sample: GpuSample): void {
    this.#lastUs = this.#options.clock.nowUs()
    if (this.#tick.has(sample.uuid)) this.#flush()
    this.#tick.set(sample.uuid, sample)
    if (this.#tick.size >= this.#options.gpus.length) this.#flush()
  }

  #flush(): void {
    const gpus = [...this.#tick.values()]
    this.#tick.clear()
    const { clock, intervalMs } = this.#options
    // One that keeps to no interval would fill the telemetry.
    if (clock.nowUs() - this.#toldUs < intervalMs * 1000 * CLOSEST_SHARE) return
    this.#toldUs = clock.nowUs()
    if (gpus.length > 0) this.#options.onSeen({ kind: 'gpus', gpus })
  }

  #end(why: string): void {
    this.#kill()
    if (this.#over) return
    this.#flush()
    this.#gap(why)
  }

  /** Never waited for: one that hangs in its driver survives this. */
  #kill(): void {
    const child = this.#child
    this.#child = null
    if (!child) return
    child.kill('SIGKILL')
    child.unref()
    child.stdout.destroy()
    child.stderr.destroy()
  }

  #gap(error: string): void {
    this.#options.onSeen({ kind: 'gap', probe: 'gpus', error })
  }
}
