import type { Reason } from '../kernel/evidence.ts'
import type { Cache, Load } from '../kernel/point.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { StepPoint } from './by-rate.ts'
import { endedOverloaded } from './overload.ts'
import type { Step } from './step-type.ts'

/** One cache state as its stepper sees it. */
export interface StateHistory {
  manifest: Pick<Manifest, 'client' | 'workload' | 'sweep' | 'cache' | 'acceptance'>
  cache: Cache
  points: readonly StepPoint[]
  /** The guard rate; null where there is nothing to hold the capacity to. */
  guard: number | null
  /** What an accepted loss puts in the guard rate's place once that is lost; null where none was accepted. */
  floor: number | null
  /** False: a loss at the guard rate is answer enough, and no lower rate is tried. */
  statesLoss: boolean
}

/** The next repeat of a load. The engine is fresh for a state's first point and after an overload, whatever is asked. */
export function measure(state: StateHistory, load: Load, boot: 'same' | 'fresh', why: string): Step {
  const { cache, points } = state
  const repeat = points.filter(({ key }) => isSameLoad(key.load, load)).length + 1
  const last = points.at(-1)
  const perPoint = cache === 'cold' && state.manifest.cache?.cold?.restart === 'per_point'
  const fresh = boot === 'fresh' || perPoint || last === undefined || endedOverloaded(last)
  return { do: 'measure', key: { cache, load, repeat }, boot: fresh ? 'fresh' : 'same', why }
}

export function done(...reasons: Reason[]): Step {
  return { do: 'done', reasons }
}

export function isSameLoad(a: Load, b: Load): boolean {
  if ('openMilliRps' in a) return 'openMilliRps' in b && a.openMilliRps === b.openMilliRps
  return 'closedConcurrency' in b && a.closedConcurrency === b.closedConcurrency
}

/** Milli-requests a second as people read them: `23.04 RPS`. */
export function rpsText(milliRps: number): string {
  return `${milliRps / 1000} RPS`
}
