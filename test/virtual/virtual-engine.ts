import { HEALTHY } from '../../fixtures/engine/model/parameters.ts'
import type { EngineParameters, ModelFaults, StepNoise } from '../../fixtures/engine/model/parameters.ts'
import { drawBootSpeed, mixSeed } from '../../fixtures/engine/model/seeded-random.ts'
import type { Sequence } from '../../fixtures/engine/model/sequence.ts'
import { LiveReplica } from './live-replica.ts'

/** What differs between boots and steps of one revision; everything is drawn from the seed and the boot's number. */
export interface VirtualNoise {
  seed: number
  /** Relative standard deviation of the engine's speed from boot to boot, all replicas of a boot alike. */
  bootSpread: number
  /** Relative deviation of one step's time. */
  jitter: number
  /** Slow relative swing of each replica's step times, its phase drawn for each boot. */
  driftAmplitude: number
  driftPeriodSeconds: number
}

/** A revision of the virtual engine. */
export interface VirtualSubject {
  parameters: EngineParameters
  noise: VirtualNoise
  /** Every step's time is divided by it; 1 by default. */
  speed?: number
  faults?: Partial<ModelFaults>
  /** Tokens that come together in one chunk of the stream; 1 by default. */
  chunkTokens?: number
  /** How long the engine takes to read a request that was handed to a connection; 0 by default. */
  intakeUs?: number
  /** Whether its answers say how much of their prompt came from a cache; its counters do in any case. True by default. */
  tellsCached?: boolean
}

export const NO_NOISE: VirtualNoise = {
  seed: 1,
  bootSpread: 0,
  jitter: 0,
  driftAmplitude: 0,
  driftPeriodSeconds: 1800,
}

/** Something that is done at every whole interval of virtual time. */
export interface Ticker {
  nextUs: number
  everyUs: number
  fire(atUs: number): void
}

/** The replicas of one boot, run in the order of their times. */
export class VirtualEngine {
  readonly replicas: readonly LiveReplica[]
  /** `runUntil` stops there too: who is told of an end may have something to do before the next. */
  limitUs = Infinity
  readonly chunkTokens: number
  readonly intakeUs: number
  readonly tellsCached: boolean
  readonly #tickers = new Set<Ticker>()
  #tickUs = Infinity

  /** `boot` counts from 1: the same boot of the same subject is the same engine. */
  constructor(subject: VirtualSubject, boot: number, replicas: number) {
    this.chunkTokens = subject.chunkTokens ?? 1
    this.intakeUs = subject.intakeUs ?? 0
    this.tellsCached = subject.tellsCached ?? true
    this.replicas = Array.from({ length: replicas }, (_, index) => {
      const replica = new LiveReplica(subject.parameters, noiseOf(subject, boot, index))
      Object.assign(replica.model.faults, HEALTHY, subject.faults)
      return replica
    })
  }

  addTicker(ticker: Ticker): void {
    this.#tickers.add(ticker)
    this.#tickUs = Math.min(this.#tickUs, ticker.nextUs)
  }

  removeTicker(ticker: Ticker): void {
    this.#tickers.delete(ticker)
    this.#tickUs = Math.min(Infinity, ...[...this.#tickers].map(({ nextUs }) => nextUs))
  }

  /** Everything that happens before `untilUs`, in order. What a tick sees is what stands once all before it has happened. */
  runUntil(untilUs: number, onFinished: (sequence: Sequence) => void): void {
    const { replicas } = this
    for (;;) {
      let first = replicas[0] as LiveReplica
      for (let index = 1; index < replicas.length; index += 1) {
        const other = replicas[index] as LiveReplica
        if (other.nextUs < first.nextUs) first = other
      }
      if (first.nextUs >= untilUs || first.nextUs >= this.limitUs) break
      if (this.#tickUs < first.nextUs) this.#tick(first.nextUs)
      const finished = first.advance()
      for (let index = 0; index < finished.length; index += 1) onFinished(finished[index] as Sequence)
    }
  }

  /** Nothing more happens before `untilUs`: the ticks that lie there. */
  passUntil(untilUs: number): void {
    if (this.#tickUs < untilUs) this.#tick(untilUs)
  }

  #tick(beforeUs: number): void {
    while (this.#tickUs < beforeUs) {
      const atUs = this.#tickUs
      for (const ticker of this.#tickers) {
        if (ticker.nextUs > atUs) continue
        ticker.nextUs += ticker.everyUs
        ticker.fire(atUs)
      }
      this.#tickUs = Math.min(Infinity, ...[...this.#tickers].map(({ nextUs }) => nextUs))
    }
  }
}

function noiseOf({ noise, speed }: VirtualSubject, boot: number, replica: number): StepNoise {
  return {
    seed: mixSeed(noise.seed, boot, replica),
    speed: (speed ?? 1) * drawBootSpeed(mixSeed(noise.seed, boot), noise.bootSpread),
    jitter: noise.jitter,
    driftAmplitude: noise.driftAmplitude,
    driftPeriodSeconds: noise.driftPeriodSeconds,
  }
}
