import { PrefixKeys } from '../../fixtures/engine/model/block-keys.ts'
import type { EngineParameters, StepNoise } from '../../fixtures/engine/model/parameters.ts'
import { ReplicaModel } from '../../fixtures/engine/model/replica.ts'
import { newSequence } from '../../fixtures/engine/model/sequence.ts'
import type { Sequence } from '../../fixtures/engine/model/sequence.ts'

const NONE: readonly Sequence[] = []
const NO_GAPS: readonly number[] = []

export interface VirtualPrompt {
  promptTokens: number
  outputTokens: number
  /** Null: nothing of the prompt is shared with another. */
  prefix: { id: string; tokens: number } | null
  /** Prompts of one session begin with one another. */
  session: string | null
}

/**
 * One replica of the model that is asked as time goes on: what comes at a time is known before the step that ends then is finished, as
 * in the model's own whole-point face. Times are absolute virtual microseconds.
 */
export class LiveReplica {
  readonly model: ReplicaModel
  readonly #prefixes = new PrefixKeys()
  /** When its next step ends, or begins where something came to an idle engine; Infinity while it has nothing to do. */
  nextUs = Infinity
  alive = true
  #inStep = false
  #stepEndsUs: number[] | null = null
  #firstStep = -1

  constructor(parameters: EngineParameters, noise: StepNoise) {
    this.model = new ReplicaModel(parameters, noise)
  }

  /** From now on the end of each step is kept, so that tokens have times; what was kept before goes. */
  keepSteps(): void {
    this.#stepEndsUs = []
    this.#firstStep = -1
  }

  sequenceOf({ promptTokens, outputTokens, prefix, session }: VirtualPrompt, arrivalUs: number): Sequence {
    const { blockTokens } = this.model.parameters
    const shared = prefix ? this.#prefixes.of(prefix.id, prefix.tokens, blockTokens) : []
    const own = session === null ? [] : this.#prefixes.of(`session ${session}`, promptTokens, blockTokens)
    const blockKeys = own.length === 0 ? shared : [...shared, ...own.slice(shared.length)]
    return newSequence({ promptTokens, outputTokens, blockKeys, arrivalUs })
  }

  submit(sequence: Sequence, atUs: number): 'queued' | 'refused' | 'too_long' {
    const taken = this.model.submit(sequence)
    if (taken === 'queued') this.#wake(atUs)
    return taken
  }

  abort(sequence: Sequence, atUs: number): void {
    this.model.abort(sequence)
    if (this.model.waiting > 0) this.#wake(atUs)
  }

  /** Does what is due at `nextUs`. Returns who finished then; the list is used again by the next call. */
  advance(): readonly Sequence[] {
    const atUs = this.nextUs
    if (!this.#inStep) {
      this.#begin(atUs)
      return NONE
    }
    const outcome = this.model.finishStep()
    if (this.#stepEndsUs) {
      if (this.#firstStep < 0) this.#firstStep = outcome.step
      this.#stepEndsUs[outcome.step - this.#firstStep] = atUs
    }
    this.#begin(atUs)
    return outcome.finished
  }

  /** Runs on until the sequence has ended; true unless the engine can not run it. */
  runUntilDone(sequence: Sequence): boolean {
    while (sequence.state !== 'finished' && this.nextUs < Infinity) this.advance()
    return sequence.state === 'finished'
  }

  /** It is gone, with everything that it ran. */
  crash(): void {
    this.alive = false
    this.nextUs = Infinity
  }

  /** The gaps between a finished sequence's tokens; none where steps are not kept. */
  gapsUs(sequence: Sequence): readonly number[] {
    const ends = this.#stepEndsUs
    if (!ends) return NO_GAPS
    const gaps: number[] = []
    let beforeUs = -1
    for (let pair = 0; pair < sequence.tokenSteps.length; pair += 2) {
      const last = (sequence.tokenSteps[pair + 1] ?? 0) - this.#firstStep
      for (let step = (sequence.tokenSteps[pair] ?? 0) - this.#firstStep; step <= last; step += 1) {
        const endUs = ends[step] ?? 0
        if (beforeUs >= 0) gaps.push(endUs - beforeUs)
        beforeUs = endUs
      }
    }
    return gaps
  }

  #wake(atUs: number): void {
    if (this.alive && this.nextUs === Infinity) this.nextUs = atUs
  }

  #begin(atUs: number): void {
    const endUs = this.model.beginStep(atUs)
    this.#inStep = endUs >= 0
    this.nextUs = this.#inStep ? endUs : Infinity
  }
}
