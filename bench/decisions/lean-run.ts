import { bracketOf } from '../../src/core/capacity/by-rate.ts'
import type { Bracket, StepPoint } from '../../src/core/capacity/by-rate.ts'
import { guardAnswer } from '../../src/core/capacity/confirm.ts'
import type { GuardAnswer } from '../../src/core/capacity/confirm.ts'
import { guardMilliRps } from '../../src/core/capacity/guard-rate.ts'
import { nextStep } from '../../src/core/capacity/step.ts'
import type { PointKey } from '../../src/core/kernel/point.ts'
import { dueUs } from '../../src/core/kernel/point.ts'
import { VirtualEngine } from '../../test/virtual/virtual-engine.ts'
import type { VirtualSubject } from '../../test/virtual/virtual-engine.ts'
import type { LeanExperiment, LeanPoint } from './lean-point.ts'
import { measureLean } from './lean-point.ts'

const SECOND_US = 1_000_000
/** Of one boot with weights and compiled kernels at hand, and of its stop. */
const BOOT_US = 300 * SECOND_US
const STOP_US = SECOND_US
/** The fake clock's first moment. */
const START_US = SECOND_US
/** An assumed point's drain, for its time. */
const DRAIN_US = 20 * SECOND_US

export interface LeanRunInit {
  subject: VirtualSubject
  /** Open rates up to here are taken to pass without being run: far below every capacity in the study. 0: every point is run. */
  assumedPassMilliRps: number
}

export interface SweptState {
  bracket: Bracket
  points: LeanPoint[]
}

export interface ConfirmedState {
  answer: GuardAnswer['state']
  points: LeanPoint[]
}

/** One run's engine in virtual time: its clock goes on and its boots are counted from state to state, as in the app. */
export class LeanRun {
  readonly #init: LeanRunInit
  #nowUs = START_US
  #boots = 0
  #heldUs = 0
  #standing: { engine: VirtualEngine; deployId: string; sinceUs: number } | null = null

  constructor(init: LeanRunInit) {
    this.#init = init
  }

  /** Seconds for which an engine stood, boots included: what GPU-minutes are counted from. */
  get heldSeconds(): number {
    return this.#heldUs / 1e6
  }

  sweep(experiment: LeanExperiment): SweptState {
    const points = this.#measureWhile(experiment, (judged) => this.#next('sweep', experiment, judged, null))
    return { bracket: bracketOf(points.map(({ point }) => point)), points }
  }

  /** Ends with the answer at the guard rate: how much a lost revision still carries is not searched for. */
  confirm(experiment: LeanExperiment, baselineMilliRps: number): ConfirmedState {
    const { acceptance } = experiment.manifest
    const guard = guardMilliRps({ baselineMilliRps, anchorMilliRps: null, acceptance }) ?? 0
    const answerTo = (judged: readonly StepPoint[]) => guardAnswer(guard, judged, false).state
    const points = this.#measureWhile(experiment, (judged) =>
      answerTo(judged) === 'open' ? this.#next('confirm', experiment, judged, baselineMilliRps) : null,
    )
    return { answer: answerTo(points.map(({ point }) => point)), points }
  }

  #next(
    plan: 'sweep' | 'confirm',
    { manifest, schedule }: LeanExperiment,
    points: readonly StepPoint[],
    baselineMilliRps: number | null,
  ): { key: PointKey; boot: 'same' | 'fresh' } | null {
    const baseline = baselineMilliRps === null ? null : { passMilliRps: baselineMilliRps }
    const step = nextStep({ plan, manifest, cache: schedule.header.cache, baseline, anchor: null, points })
    return step.do === 'measure' ? step : null
  }

  #measureWhile(
    experiment: LeanExperiment,
    next: (judged: readonly StepPoint[]) => { key: PointKey; boot: 'same' | 'fresh' } | null,
  ): LeanPoint[] {
    const points: LeanPoint[] = []
    for (;;) {
      const step = next(points.map(({ point }) => point))
      if (!step) break
      if (this.#standing === null || step.boot === 'fresh') this.#boot(experiment)
      points.push(this.#measure(experiment, step.key))
    }
    this.#end()
    return points
  }

  #measure(experiment: LeanExperiment, key: PointKey): LeanPoint {
    const standing = this.#standing
    if (!standing) throw new Error('no engine stands')
    const { engine, deployId } = standing
    const isAssumed = 'openMilliRps' in key.load && key.load.openMilliRps <= this.#init.assumedPassMilliRps
    const measured = isAssumed
      ? assumedPass(experiment, key, deployId, this.#nowUs)
      : measureLean(experiment, key, { engine, deployId, startUs: this.#nowUs })
    this.#nowUs = measured.endUs
    return measured
  }

  #boot({ manifest }: LeanExperiment): void {
    this.#end()
    const sinceUs = this.#nowUs
    this.#boots += 1
    this.#nowUs += BOOT_US
    const engine = new VirtualEngine(this.#init.subject, this.#boots, manifest.engine.placement.replicas)
    this.#standing = { engine, deployId: `boot-${this.#boots}`, sinceUs }
  }

  #end(): void {
    if (!this.#standing) return
    this.#nowUs += STOP_US
    this.#heldUs += this.#nowUs - this.#standing.sinceUs
    this.#standing = null
  }
}

function assumedPass(
  { manifest, schedule }: LeanExperiment,
  key: PointKey,
  deployId: string,
  startUs: number,
): LeanPoint {
  const rate = 'openMilliRps' in key.load ? key.load.openMilliRps : 1
  const last = schedule.rows[schedule.header.initialRequests - 1]
  const arrivalUs = dueUs(last?.offsetUs ?? 0, rate)
  return {
    point: {
      key,
      outcome: 'pass',
      deployId,
      stoppedEarly: false,
      evidence: [],
      ratesRps: { completed: rate / 1000, good: rate / 1000 },
      slo: { queue_trend: 'flat', successful: schedule.header.initialRequests },
    },
    attainment: {},
    endUs: startUs + manifest.client.warmup_seconds * SECOND_US + arrivalUs + DRAIN_US,
  }
}
