import type { Reason } from '../kernel/evidence.ts'
import type { PointKey } from '../kernel/point.ts'

/** What a stepper says: measure this point next, or done and why. */
export type Step =
  | {
      do: 'measure'
      key: PointKey
      /** Whether the engine that stands will do. */
      boot: 'same' | 'fresh'
      /** For people: one line. */
      why: string
    }
  | { do: 'done'; reasons: Reason[] }
