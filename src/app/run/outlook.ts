import type { StepPoint } from '../../core/capacity/by-rate.ts'
import type { EstimateInput } from '../../core/capacity/estimate.ts'
import { secondsAhead } from '../../core/capacity/seconds-ahead.ts'
import type { Cache } from '../../core/kernel/point.ts'
import type { Effects } from '../context.ts'

/**
 * What of some states' points is still to come, told before each: by the plan, and by how long points took so far beside what they were
 * estimated at. It grows where a point fails that was expected to pass.
 */
export class RunOutlook {
  readonly #effects: Pick<Effects, 'clock' | 'progress'>
  readonly #input: EstimateInput
  /** Points so far, the one that is under way included. */
  #points: number
  #step: { sinceUs: number; estimated: number } | null = null
  #took = 0
  #estimated = 0

  /** `earlier`: points that an interrupted run left. */
  constructor(effects: Pick<Effects, 'clock' | 'progress'>, input: EstimateInput, earlier: number) {
    this.#effects = effects
    this.#input = input
    this.#points = earlier
  }

  /** A state's next point is about to begin after those; the one that began before it is judged. */
  begins(cache: Cache, measured: readonly StepPoint[]): void {
    const { clock, progress } = this.#effects
    const nowUs = clock.nowUs()
    if (this.#step !== null) {
      this.#took += (nowUs - this.#step.sinceUs) / 1e6
      this.#estimated += this.#step.estimated
    }
    const { caches } = this.#input
    const [first = 0, ...rest] = secondsAhead(this.#input, cache, measured)
    const later = caches.slice(caches.indexOf(cache) + 1).flatMap((each) => secondsAhead(this.#input, each, []))
    const scale = this.#took > 0 && this.#estimated > 0 ? this.#took / this.#estimated : 1
    const after = [...rest, ...later].reduce((sum, seconds) => sum + seconds, 0) * scale
    this.#points += 1
    this.#step = { sinceUs: nowUs, estimated: first }
    progress.outlook({
      point: this.#points,
      ofAbout: this.#points + rest.length + later.length,
      secondsLeft: first * scale + after,
      secondsAfterPoint: after,
    })
  }

  /** Nothing is to come any more, or nothing that is known. */
  over(): void {
    this.#effects.progress.outlook(null)
  }
}
