import type { StepPoint } from './by-rate.ts'

/**
 * Whether a point left the engine in a state that the next one must not inherit: it was stopped early, its queue grew, the engine
 * itself did something, or it was not idle after the drain. The engine is booted anew before the next point.
 */
export function endedOverloaded(point: StepPoint): boolean {
  return (
    point.stoppedEarly ||
    point.slo.queue_trend === 'growing' ||
    point.evidence.some(
      ({ probe, blames, state }) => state === 'fail' && (blames === 'engine' || probe.endsWith('.quiesce')),
    )
  )
}
