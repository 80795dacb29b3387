import { mixSeed } from '../../fixtures/engine/model/seeded-random.ts'
import type { Cache } from '../../src/core/kernel/point.ts'
import { LeanRun } from './lean-run.ts'
import type { ConfirmedState } from './lean-run.ts'
import { ASSUMED_PASS_MILLI_RPS, experimentsOf, revision, SPEED_OF_A_TENTH_LESS, STATES } from './study.ts'

type Answer = ConfirmedState['answer']

export interface ConfirmOutcome {
  answers: Record<Cache, Answer>
  /** Points at the guard rate. */
  repeats: Record<Cache, number>
  heldSeconds: number
}

/** What is held to a baseline: the same revision again, and one that carries a tenth less. */
interface Candidates {
  unchanged: ConfirmOutcome
  slower: ConfirmOutcome
}

/** One schedule, one baseline, and the candidates that were held to it. */
export interface Trial {
  seed: number
  /** Null where the sweep's bracket could not be promoted in a state: no verdict is possible. */
  baselineMilliRps: Record<Cache, number> | null
  sweepSeconds: number
  sweepPoints: number
  /** None without a baseline. */
  candidates: Candidates[]
}

export interface TrialOrder {
  seed: number
  /** Relative deviation of the capacity from boot to boot. */
  capacitySpread: number
  /** How often the baseline is held to; each time on boots of its own. */
  candidates: number
}

export function runTrial({ seed, capacitySpread, candidates }: TrialOrder): Trial {
  const experiments = experimentsOf(seed)
  const sweep = new LeanRun({
    subject: revision(mixSeed(seed, 2), capacitySpread, 1),
    assumedPassMilliRps: ASSUMED_PASS_MILLI_RPS,
  })
  const baseline: Partial<Record<Cache, number>> = {}
  let sweepPoints = 0
  for (const cache of STATES) {
    const { bracket, points } = sweep.sweep(experiments[cache])
    sweepPoints += points.length
    const tolerance = experiments[cache].manifest.acceptance.capacity_tolerance
    const { pass, fail } = bracket
    if (pass !== null && fail !== null && fail <= pass * (1 + tolerance) + 1) baseline[cache] = pass
  }
  const { cold, warm } = baseline
  const swept = { seed, sweepSeconds: sweep.heldSeconds, sweepPoints }
  if (cold === undefined || warm === undefined) return { ...swept, baselineMilliRps: null, candidates: [] }
  const confirm = (part: number, candidate: number, speed: number): ConfirmOutcome => {
    const subject = revision(mixSeed(seed, part, candidate), capacitySpread, speed)
    const run = new LeanRun({ subject, assumedPassMilliRps: 0 })
    const [inCold, inWarm] = [run.confirm(experiments.cold, cold), run.confirm(experiments.warm, warm)]
    return {
      answers: { cold: inCold.answer, warm: inWarm.answer },
      repeats: { cold: inCold.points.length, warm: inWarm.points.length },
      heldSeconds: run.heldSeconds,
    }
  }
  return {
    ...swept,
    baselineMilliRps: { cold, warm },
    candidates: Array.from({ length: candidates }, (_, candidate) => ({
      unchanged: confirm(3, candidate, 1),
      slower: confirm(4, candidate, SPEED_OF_A_TENTH_LESS),
    })),
  }
}
