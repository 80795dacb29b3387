import type { Cache } from '../../src/core/kernel/point.ts'
import { wilson95 } from '../../src/core/slo/interval.ts'
import { STATES } from './study.ts'
import type { ConfirmOutcome, Trial } from './trial.ts'

/** How many of how many. */
export interface Share {
  count: number
  of: number
}

export interface Summary {
  trials: number
  /** Sweeps whose bracket cannot be promoted in one of the states. */
  unpromotable: Share
  /** The unchanged revision is called regressed: in either state, and in each. */
  falseAlarms: Share & { byState: Record<Cache, Share> }
  /** The revision that carries a tenth less is called held: in both states, and in each. */
  misses: Share & { byState: Record<Cache, Share> }
  inconclusive: Share
  /** Points at the guard rate, of one state of the unchanged revision. */
  meanRepeats: number
  /** Seconds with an engine of the unchanged revision's confirmation, over those of the sweep. */
  confirmOverSweep: number
  sweepGpuMinutes: number
  confirmGpuMinutes: number
}

export function summarize(trials: readonly Trial[], gpus: number): Summary {
  const judged = trials.flatMap(({ candidates }) => candidates)
  const unchanged = judged.map((one) => one.unchanged)
  const slower = judged.map((one) => one.slower)
  const share = (outcomes: readonly ConfirmOutcome[], is: (outcome: ConfirmOutcome) => boolean): Share => ({
    count: outcomes.filter(is).length,
    of: outcomes.length,
  })
  const byState = (outcomes: readonly ConfirmOutcome[], answer: 'lost' | 'held'): Record<Cache, Share> => ({
    cold: share(outcomes, ({ answers }) => answers.cold === answer),
    warm: share(outcomes, ({ answers }) => answers.warm === answer),
  })
  const minutes = (seconds: readonly number[]) => (mean(seconds) / 60) * gpus
  const swept = trials.map(({ sweepSeconds }) => sweepSeconds)
  const confirmed = unchanged.map(({ heldSeconds }) => heldSeconds)
  return {
    trials: trials.length,
    unpromotable: {
      count: trials.filter(({ baselineMilliRps }) => baselineMilliRps === null).length,
      of: trials.length,
    },
    falseAlarms: {
      ...share(unchanged, ({ answers }) => STATES.some((cache) => answers[cache] === 'lost')),
      byState: byState(unchanged, 'lost'),
    },
    misses: {
      ...share(slower, ({ answers }) => STATES.every((cache) => answers[cache] === 'held')),
      byState: byState(slower, 'held'),
    },
    inconclusive: share([...unchanged, ...slower], ({ answers }) =>
      STATES.some((cache) => answers[cache] === 'inconclusive' || answers[cache] === 'open'),
    ),
    meanRepeats: mean(unchanged.flatMap(({ repeats }) => [repeats.cold, repeats.warm])),
    confirmOverSweep: mean(confirmed) / mean(swept),
    sweepGpuMinutes: minutes(swept),
    confirmGpuMinutes: minutes(confirmed),
  }
}

/** `0.60 % [0.26, 1.17]`: the share and its Wilson interval. */
export function shareText({ count, of }: Share): string {
  const interval = wilson95(count, of)
  if (!interval) return '–'
  const [low, high] = interval.map((bound) => (100 * bound).toFixed(2))
  return `${((100 * count) / of).toFixed(2)} % [${low}, ${high}]`
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
