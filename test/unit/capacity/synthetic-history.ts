import type { StepPoint } from '../../../src/core/capacity/by-rate.ts'
import { endedOverloaded } from '../../../src/core/capacity/overload.ts'
import { nextStep } from '../../../src/core/capacity/step.ts'
import type { StepInput } from '../../../src/core/capacity/step.ts'
import type { Step } from '../../../src/core/capacity/step-type.ts'
import type { PointOutcome } from '../../../src/core/capacity/record.ts'
import type { PointKey } from '../../../src/core/kernel/point.ts'

/** Histories of judged points, as the steppers read them. */

interface Asked {
  rate: number | null
  boot: string
  key: PointKey
  why: string
}

/** How a made-up engine answers a point: its outcome, or whatever else of the point is to be other than usual. */
export type Engine = (asked: Asked) => PointOutcome | (Partial<StepPoint> & { outcome: PointOutcome })

export interface History {
  points: StepPoint[]
  asked: Asked[]
  boots: number
  reasons: Extract<Step, { do: 'done' }>['reasons']
}

/** Measures what the stepper asks for until it is done. `earlier` is what an interrupted run had. */
export function follow(input: Omit<StepInput, 'points'>, engine: Engine, limit = 60): History {
  const points: StepPoint[] = []
  const asked: Asked[] = []
  let boots = 0
  for (;;) {
    const step = nextStep({ ...input, points })
    if (step.do === 'done') return { points, asked, boots, reasons: step.reasons }
    if (points.length >= limit) throw new Error(`not done after ${limit} points: ${step.why}`)
    const last = points.at(-1)
    if (step.boot === 'fresh' || (last && endedOverloaded(last))) boots += 1
    const rate = 'openMilliRps' in step.key.load ? step.key.load.openMilliRps : null
    const ask = { rate, boot: `boot-${boots}`, key: step.key, why: step.why }
    asked.push(ask)
    points.push(stepPoint(ask, engine(ask)))
  }
}

function stepPoint({ key, boot }: Asked, answer: ReturnType<Engine>): StepPoint {
  const own = typeof answer === 'string' ? { outcome: answer } : answer
  const slo = { queue_trend: own.outcome === 'fail' ? 'growing' : 'flat', successful: 1 } as const
  return { key, deployId: boot, stoppedEarly: false, evidence: [], slo, ratesRps: { completed: 1, good: 1 }, ...own }
}

/** Passes up to a capacity. */
export const carries =
  (milliRps: number): Engine =>
  ({ rate }) =>
    rate === null || rate <= milliRps ? 'pass' : 'fail'

/** Answers in order, whatever is asked. */
export function answers(...outcomes: PointOutcome[]): Engine {
  let next = 0
  return ({ why }) => {
    const outcome = outcomes[next++]
    if (!outcome) throw new Error(`asked for more: ${why}`)
    return outcome
  }
}

export const ratesOf = ({ asked }: History): (number | null)[] => asked.map(({ rate }) => rate)
